// SPDX-License-Identifier: Apache-2.0

import AccountModel
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

    @Test("R10.4 a name may have the form of a UUID, whose key is then the UUID's own lower case")
    func identifiers() throws {
        let id = "0198a6b2-1111-7222-8333-123456789abc"
        #expect(try Username(id).key == id && Username(id.uppercased()).key == id)
    }

    @Test(
        "R8.18 a name is one name whatever keyboard composed it, in any case",
        arguments: [
            ["Zo\u{EB}", "Zoe\u{308}", "ZO\u{CB}", "ZOE\u{308}"], ["\u{1EC7}", "e\u{323}\u{302}", "\u{1EB9}\u{302}"],
            ["\u{AC01}", "\u{1100}\u{1161}\u{11A8}"], ["\u{212B}ke", "\u{C5}ke", "a\u{30A}ke"],
            ["\u{130}x", "I\u{307}x"],
        ])
    func composition(spellings: [String]) throws {
        let names = try spellings.map { try Username($0) }
        #expect(Set(names).count == 1 && Set(names.map { Array($0.key.utf8) }).count == 1)
        for (name, spelling) in zip(names, spellings) { #expect(name.rawValue.utf8.elementsEqual(spelling.utf8)) }
        #expect(try Username("zoe") != Username("zo\u{EB}"))
    }

    @Test("R10.4 where case tells names apart it does, and composition still does not")
    func caseSensitivity() throws {
        let names = try ["Zo\u{EB}", "Zoe\u{308}"].map { try Username($0, isCaseSensitive: true) }
        #expect(names[0] == names[1])
        #expect(try names[0] != Username("zo\u{EB}", isCaseSensitive: true))
        #expect(try names[0] != Username("Zo\u{EB}"))
    }
}
