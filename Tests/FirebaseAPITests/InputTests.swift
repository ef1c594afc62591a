// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Testing

@testable import FirebaseAPI

@Suite struct InputTests {
    private func input(_ text: String) throws -> Input { Input(object: try JSONObject(parsing: text.utf8)) }

    @Test("Names are read in camel and in snake case, and the one as written wins")
    func spellings() throws {
        #expect(Input.snakeCase("returnSecureToken") == "return_secure_token")
        #expect(try input(#"{"return_secure_token":true}"#).flag("returnSecureToken") == true)
        let both = #"{"returnSecureToken":false,"return_secure_token":true}"#
        #expect(try input(both).flag("returnSecureToken") == false)
    }

    @Test("Null is absent, and an empty string is a value only to those who ask for it")
    func absence() throws {
        let input = try input(#"{"a":null,"b":""}"#)
        #expect(try input.text("a") == nil)
        #expect(!input.has("a"))
        #expect(try input.text("b") == "")
        #expect(try input.given("b") == nil)
        #expect(try input.text("c") == nil)
    }

    @Test("Numbers and strings stand for one another; other types are refused as unreadable")
    func types() throws {
        let input = try input(#"{"n":5,"s":"5","x":"5x","o":{},"t":"true","l":[1,"2"]}"#)
        #expect(try input.text("n") == "5")
        #expect(try input.number("s") == 5)
        #expect(try input.flag("t") == true)
        #expect(try input.texts("l") == ["1", "2"])
        #expect(try input.texts("s") == ["5"])
        #expect(throws: WireError.self) { try input.number("x") }
        #expect(throws: WireError.self) { try input.text("o") }
        #expect(throws: WireError.self) { try input.flag("n") }
        do {
            _ = try input.text("o")
        } catch {
            #expect(error.status.code == 400 && error.reason == "parseError")
        }
    }

    @Test("An enumeration's case goes by its name, its number, and its number in a string")
    func enumerations() throws {
        for text in [#""PASSWORD_RESET""#, "1", #""1""#] {
            let value = try input(#"{"request_type":\#(text)}"#).enumeration("requestType", ActionMode.requestTypes)
            #expect(value == "PASSWORD_RESET", "\(text)")
        }
        for text in [#""reset""#, "99", "-1", "{}", "1.5", #""""#] {
            let input = try input(#"{"requestType":\#(text)}"#)
            #expect(throws: WireError.self, "\(text)") {
                try input.enumeration("requestType", ActionMode.requestTypes)
            }
        }
    }

    @Test("Values in URLs end neither the query nor the header they are in")
    func urls() {
        #expect(
            URLText.adding([("a b", "c&d=#\r\n")], to: "https://x/?q#f") == "https://x/?q&a%20b=c%26d%3D%23%0D%0A#f")
        #expect(URLText.adding([("a", "1")], to: "https://x/") == "https://x/?a=1")
    }

    @Test("Times have three digits of a fraction, whatever they are")
    func times() {
        #expect(Instant(microseconds: 1_780_000_000_000_000).rfc3339Milliseconds == "2026-05-28T20:26:40.000Z")
        #expect(Instant(microseconds: 1_780_000_000_007_999).rfc3339Milliseconds == "2026-05-28T20:26:40.007Z")
    }
}
