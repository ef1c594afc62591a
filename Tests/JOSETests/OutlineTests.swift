// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing

/// Claims and headers are read from where they stand in the text. What comes out must be what reading the whole text
/// gives, and what is refused must be what reading the whole text refuses.
@Suite struct OutlineTests {
    private func agrees(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let whole = try? JSONObject(parsing: bytes)
        guard let claims = try? JWTClaims(parsing: bytes) else { return whole == nil }
        guard let whole, claims.members == whole else { return false }
        return whole.members.allSatisfy { claims[$0.name] == $0.value } && claims["no such claim"] == nil
    }

    @Test(
        "Every kind of value is found by its name, in plain texts and in others",
        arguments: [
            "{}", " { } ", "{\"\":1}", #"{"a":[],"b":{},"c":[{}],"d":[[1,2],[3]],"e":{"f":{"g":"h"}}}"#,
            #"{"a":1,"b":-1,"c":0,"d":-0,"e":1.5,"f":1e3,"g":999999999999999999,"h":9223372036854775807}"#,
            #"{"a":true,"b":false,"c":null,"d":"","e":"x"}"#, #"{"\u0061":1,"b":"\n"}"#, #"{"é":"ü","b":"🔑"}"#,
            "{ \"a\" : 1 ,\n\t\"b\" : [ 1 , 2 ] }\r\n", #"{"a":{"a":{"a":1},"b":2},"b":{"a":1}}"#, "{\"a\":\"\u{7F}\"}",
        ])
    func values(text: String) { #expect(agrees(text)) }

    @Test(
        "What the grammar or a rule refuses is refused",
        arguments: [
            "", "{", "}", "[]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{\"a\":01}", "{\"a\":-}", "{\"a\":1 2}",
            "{\"a\":1}x", "{\"a\":1,\"a\":2}", #"{"a":{"b":1,"b":2}}"#, #"{"a":[{"b":1,"c":2,"b":3}]}"#,
            "{\"a\":\"\n\"}",
            "{\"a\":\"", "{\"a\":tru}", "{\"a\":nulll}", "{\"a\":[1,]}", "{\"a\":[1}", "{\"a\":+1}", "{\"a\":.5}",
            "{'a':1}",
            "{\"a\":NaN}", "\u{FEFF}{}", "{\"a\":1}\0", "{a:1}", #"{"a":1,"\u0061":2}"#, "{\"a\":\"\\ud800\"}",
        ])
    func refused(text: String) {
        #expect(agrees(text))
        #expect(throws: JOSEError(.malformed)) { try JWTClaims(parsing: Array(text.utf8)) }
    }

    @Test("More members, elements, levels or bytes than an outline holds are read all the same")
    func large() {
        for count in [1, 15, 16, 63, 64, 65, 300] {
            let members = (0..<count).map { "\"m\($0)\":\($0)" }.joined(separator: ",")
            #expect(agrees("{" + members + "}"))
            #expect(agrees("{\"a\":{" + members + "},\"b\":{" + members + "}}"))
            #expect(agrees("{" + members + ",\"m0\":1}"))
            #expect(agrees("{\"a\":[" + (0..<count).map(String.init).joined(separator: ",") + "],\"b\":1}"))
            #expect(
                agrees("{\"a\":" + String(repeating: "[", count: count) + String(repeating: "]", count: count) + "}"))
        }
        #expect(agrees("{\"a\":\"" + String(repeating: "x", count: 70_000) + "\",\"b\":1}"))
    }

    @Test("A name is found by its canonical equivalents, as in any JSON object here")
    func equivalents() throws {
        let claims = try JWTClaims(parsing: Array(#"{"K":1,";":2}"#.utf8))
        #expect(claims["\u{212A}"] == 1 && claims["\u{37E}"] == 2 && claims["k"] == nil && claims["é"] == nil)
    }

    @Test("Claims are equal when they say the same, however they are written")
    func equality() throws {
        let plain = try JWTClaims(parsing: Array(#"{"iss":"a","x":[1]}"#.utf8))
        let other = try JWTClaims(parsing: Array(#"{ "x":[1], "iss":"\u0061" }"#.utf8))
        #expect(plain == other && Set([plain, other]).count == 1)
        #expect(try plain != JWTClaims(parsing: Array(#"{"iss":"a","x":[2]}"#.utf8)))
    }

    @Test("A header's limits are the same in plain texts and in others")
    func headers() throws {
        let key = try SigningKey.generate(.edDSA, keyID: "k")
        func isRead(_ header: JSONObject) throws -> Bool {
            let token = try JWS.sign([:] as JSONObject, header: header, with: key)
            guard let read = try? ParsedJWS(parsing: token.utf8).header.members else { return false }
            #expect(read.count == header.count + 3)
            return true
        }
        func many(_ count: Int) -> JSONObject {
            var members = JSONObject()
            for number in 0..<count { members["m\(number)"] = 1 }
            return members
        }
        func deep(_ count: Int) -> JSONObject {
            var value: JSONValue = 1
            for _ in 0..<count { value = [value] }
            return ["a": value]
        }
        let list = [JSONValue](repeating: 1, count: 64)
        #expect(try isRead(many(61)) && !isRead(many(62)))
        #expect(try isRead(deep(7)) && !isRead(deep(8)))
        #expect(try isRead(["a": .array(list)]) && !isRead(["a": .array(list + [1])]))
        #expect(try isRead(["a": .string(String(repeating: "x", count: 8_000))]))
        #expect(try !isRead(["a": .string(String(repeating: "x", count: 8_200))]))
        for plain in ["x", "é"] {
            let read = try ParsedJWS(parsing: JWS.sign([:] as JSONObject, type: plain, with: key).utf8).header
            #expect(read.type == plain && read.keyID == "k" && read.algorithm == .edDSA)
        }
    }
}
