// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@Suite struct JSONParsingTests {
    private func error(_ text: String, limits: JSONLimits = .default) -> JSONError? {
        error(Array(text.utf8), limits: limits)
    }

    private func error(_ bytes: [UInt8], limits: JSONLimits = .default) -> JSONError? {
        do {
            _ = try JSONValue(parsing: bytes, limits: limits)
            return nil
        } catch { return error }
    }

    @Test("Each fault has its code and its place")
    func faults() {
        let cases: [(String, JSONError.Code, Int)] = [
            ("", .malformed, 0), ("  ", .malformed, 2), ("{} {}", .trailingBytes, 3), ("1 x", .trailingBytes, 2),
            (#"{"a":1,"a":2}"#, .duplicateName, 7), (#"{"a":1,"\u0061":2}"#, .duplicateName, 7),
            ("[1,]", .malformed, 3), ("01", .malformed, 2), ("-", .malformed, 1), ("1e999", .malformed, 0),
            ("-1e999", .malformed, 0), ("NaN", .malformed, 0), ("Infinity", .malformed, 0), ("tru", .malformed, 0),
            (#""\ud800""#, .malformed, 3), (#""\ud800\u0041""#, .malformed, 3), (#""\udc00""#, .malformed, 3),
            ("\u{FEFF}{}", .malformed, 0), ("\"a\nb\"", .malformed, 2), (#""\x""#, .malformed, 2),
            ("// c\n1", .malformed, 0), ("{'a':1}", .malformed, 1), ("[1 2]", .malformed, 3),
        ]
        for (text, code, offset) in cases {
            let found = error(text)
            #expect(found?.code == code, "\(text): \(String(describing: found))")
            #expect(found?.offset == offset || code == .malformed, "\(text): \(String(describing: found))")
        }
    }

    @Test("Bytes that are not UTF-8 are refused in names and values, with and without escapes")
    func encoding() {
        let overlong: [UInt8] = [0xC0, 0xAF]
        let surrogate: [UInt8] = [0xED, 0xA0, 0x80]
        for bad in [overlong, surrogate, [0xFF], [0xE2, 0x82]] {
            let quote = Array("\"".utf8)
            #expect(error(quote + bad + quote)?.code == .invalidUTF8)
            #expect(error(Array("\"\\n".utf8) + bad + quote)?.code == .invalidUTF8)
            #expect(error(Array("{\"".utf8) + bad + Array("\":1}".utf8))?.code == .invalidUTF8)
        }
    }

    @Test("Limits hold at their exact value")
    func limits() {
        #expect(error("[[1]]", limits: JSONLimits(depth: 2)) == nil)
        #expect(error("[[1]]", limits: JSONLimits(depth: 1)) == JSONError(.tooDeep, at: 1))
        #expect(error("[1,2]", limits: JSONLimits(members: 2)) == nil)
        #expect(error("[1,2,3]", limits: JSONLimits(members: 2))?.code == .tooLarge)
        #expect(error(#"{"a":1,"b":2}"#, limits: JSONLimits(members: 1))?.code == .tooLarge)
        #expect(error("[1]", limits: JSONLimits(bytes: 3)) == nil)
        #expect(error("[12]", limits: JSONLimits(bytes: 3))?.code == .tooLarge)
        #expect(error("0." + String(repeating: "1", count: 600))?.code == .tooLarge)
        #expect(error(String(repeating: "[", count: 64) + String(repeating: "]", count: 64)) == nil)
        #expect(error(String(repeating: "[", count: 65) + String(repeating: "]", count: 65))?.code == .tooDeep)
    }

    @Test("Whole numbers stay whole")
    func numbers() throws {
        let value = try JSONValue(parsing: "[0,-0,1700000000,-5,1.5,1e2,0.1,1E+2,9007199254740993]".utf8)
        #expect(
            value == [
                0, 0, 1_700_000_000, -5, .number(1.5), .number(100), .number(0.1), .number(100),
                9_007_199_254_740_993,
            ])
    }

    @Test("Escapes and characters of every length are read")
    func strings() throws {
        let value = try JSONValue(parsing: #""\"\\\/\b\f\n\r\t\u00e9\uD834\udd1e é€😀""#.utf8)
        #expect(value == .string("\"\\/\u{8}\u{C}\n\r\té𝄞 é€😀"))
    }

    @Test("Bytes that do not lie side by side are read too")
    func nonContiguous() throws {
        let bytes = [UInt8](#"{"a":[1,2]}"#.utf8)
        let scattered = Array(bytes.reversed()).reversed()
        #expect(try JSONValue(parsing: scattered) == ["a": [1, 2]])
        #expect(try JSONValue(parsing: bytes[5..<10]) == [1, 2])
    }

    @Test(
        "100,000 names are told apart in time that grows with their number, not its square",
        .timeLimit(.minutes(2)))
    func manyMembers() throws {
        let text = "{" + (0..<100_000).map { "\"key\($0)\":\($0)" }.joined(separator: ",") + "}"
        // Squared, this takes many minutes, and runs into the limit.
        #expect(try JSONObject(parsing: text.utf8).count == 100_000)
        let twice = text.dropLast() + ",\"key50000\":0}"
        #expect(error(String(twice))?.code == .duplicateName)
    }

    @Test("A duplicate is found at every size of object")
    func duplicates() {
        for count in 1...40 {
            let members = (0..<count).map { "\"k\($0)\":0" }.joined(separator: ",")
            #expect(error("{\(members)}") == nil)
            for repeated in [0, count / 2, count - 1] {
                #expect(error("{\(members),\"k\(repeated)\":0}")?.code == .duplicateName)
            }
        }
    }

    @Test("A megabyte of one string, and every cut of a text, ends well")
    func truncation() throws {
        let long = String(repeating: "é", count: 1 << 19)
        #expect(try JSONValue(parsing: "\"\(long)\"".utf8) == .string(long))
        let text = Array(#"{"a":[1,-2.5e3,"x\u00e9\ud834\udd1e",true,null,{"b":{}}]}"#.utf8)
        #expect(error(text) == nil)
        for length in 0..<text.count { #expect(error(Array(text.prefix(length))) != nil) }
    }

    @Test("Only an object is an object")
    func objects() throws {
        #expect(try JSONObject(parsing: #"{"a":1}"#.utf8) == ["a": 1])
        #expect(throws: JSONError(.notAnObject, at: 0)) { try JSONObject(parsing: "[]".utf8) }
    }
}
