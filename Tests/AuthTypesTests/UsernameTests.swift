// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@Suite struct UsernameTests {
    @Test(
        "A name keeps its spelling, and has one key whatever its case",
        arguments: ["ada", "Ada.Lovelace", "ЖЕНЯ", "a@b.example"])
    func spelling(text: String) throws {
        let name = try Username(text)
        #expect(name.rawValue == text)
        #expect(name.key == text.lowercased())
        #expect(try Username(text.uppercased()).key == name.key)
    }

    @Test(
        "White space, control characters and nothing at all are no names",
        arguments: ["", " ", "a b", "a\n", "\u{0}", "a\u{7F}", "a\u{A0}b", "a\u{200B}", "\u{202E}ada", "a\u{2028}"])
    func refused(text: String) {
        #expect(throws: AuthError(.invalidRequest)) { try Username(text) }
    }

    @Test("A name has at most 128 characters")
    func length() throws {
        _ = try Username(String(repeating: "é", count: 128))
        #expect(throws: AuthError(.invalidRequest)) { try Username(String(repeating: "e", count: 129)) }
        // A single grapheme of a thousand marks is no short name.
        #expect(throws: AuthError(.invalidRequest)) { try Username("e" + String(repeating: "\u{301}", count: 1000)) }
    }

    @Test("G-1 nobody takes another's identifier for a name")
    func identifiers() {
        #expect(throws: AuthError(.invalidRequest)) { try Username("0198a6b2-1111-7222-8333-123456789abc") }
        #expect(throws: AuthError(.invalidRequest)) { try Username("0198A6B2-1111-7222-8333-123456789ABC") }
    }

    @Test("Two spellings that the store keeps apart are two names")
    func composition() throws {
        #expect(try Username("\u{E9}") != Username("e\u{301}"))
        #expect(try Set([Username("ada"), Username("ada")]).count == 1)
    }
}
