// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@Suite struct JSONWriterTests {
    @Test("Members keep their order, numbers their kind, and no blank is written")
    func plain() {
        let value: JSONValue = [
            "b": [1, -2, 1.5, true, false, nil], "a": "x", "n": .integer(.min), "empty": [], "none": [:],
        ]
        #expect(
            value.text
                == #"{"b":[1,-2,1.5,true,false,null],"a":"x","n":-9223372036854775808,"empty":[],"none":{}}"#)
        #expect(value.objectValue?.text == value.text)
    }

    @Test("Every control character, quotation mark and reverse solidus is escaped, and reads back")
    func escapes() throws {
        #expect(
            JSONValue.string("\"\\\u{8}\t\n\u{C}\r\u{0}\u{1F}\u{7F}é😀/").text
                == #""\"\\\b\t\n\f\r\u0000\u001f\u007fé😀/""#)
        for scalar in (0..<0x300).compactMap(Unicode.Scalar.init) {
            let value = JSONValue.string(String(scalar))
            let text = value.serialized()
            #expect(text.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
            #expect(try JSONValue(parsing: text) == value)
        }
    }

    @Test("Doubles read back as the same; what JSON cannot say is null")
    func doubles() throws {
        for number in [
            0.1, 1.0, -0.0, 1e300, 5e-300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1 / 3.0, 1e16, 1234.125,
        ] {
            let value = JSONValue.number(number)
            #expect(try JSONValue(parsing: value.serialized()) == value, "\(value.text)")
        }
        for number in [Double.nan, .infinity, -.infinity] { #expect(JSONValue.number(number).text == "null") }
    }

    @Test("An object that is written member by member is the text of that object")
    func memberByMember() {
        var writer = JSONMemberWriter()
        writer.add("name", "\"Ann\"\n")
        writer.add("phone", String?.none)
        writer.add("isOld", true)
        writer.add("age", Int64(-7))
        writer.add("tags", ["a", 1.5, nil])
        let object: JSONObject = [
            "name": "\"Ann\"\n", "phone": nil, "isOld": true, "age": -7, "tags": ["a", 1.5, nil],
        ]
        #expect(writer.finish() == object.serialized())
        #expect(JSONMemberWriter().finish() == JSONObject().serialized())
    }
}
