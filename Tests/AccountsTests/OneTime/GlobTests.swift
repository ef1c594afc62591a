// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Accounts

@Suite struct GlobTests {
    @Test(
        "Wildcards match what they say",
        arguments: [
            ("abc", "abc", true), ("abc", "abd", false), ("abc", "ab", false), ("", "", true), ("", "a", false),
            ("*", "", true), ("*", "abc", true), ("*", "a.b", false), ("*", "a/b", false),
            ("**", "", true), ("**", "a/b.c", true), ("a**", "a", true), ("***", "a/b", true),
            ("a*c", "abbbc", true), ("a*c", "ab/c", false), ("a**c", "ab/c", true), ("*.b", "a.b", true),
            ("*.b", ".b", true), ("*.*.b", "x.y.b", true), ("*.b", "x.y.b", false),
            ("?", "a", true), ("?", "", false), ("?", "/", false), ("?", ".", false), ("a?c", "abc", true),
            ("[abc]", "b", true), ("[abc]", "d", false), ("[!abc]", "d", true), ("[!abc]", "a", false),
            ("[a-c]x", "bx", true), ("[a-c]x", "dx", false), ("[!a]", "/", false), ("[a-]", "-", true),
            ("{ab,cd}", "cd", true), ("{ab,cd}", "ef", false), ("x{a,b*}y", "xbzzy", true), ("{a,}b", "b", true),
            ("\\*", "*", true), ("\\*", "a", false), ("\\[a", "[a", true),
        ])
    func matching(pattern: String, text: String, expected: Bool) throws {
        #expect(try #require(Glob(pattern)).matches(text) == expected, "\(pattern) on \(text)")
    }

    @Test(
        "A pattern that can't be read is none",
        arguments: ["[abc", "[]", "[!]", "[c-a]", "{a,b", "a}", "{a,{b}}", "\\", "{a,b\\"])
    func unreadable(pattern: String) {
        #expect(Glob(pattern) == nil)
    }

    @Test("Alternatives are bounded")
    func bounded() {
        #expect(Glob(String(repeating: "{a,b}", count: 6)) != nil)
        #expect(Glob(String(repeating: "{a,b}", count: 7)) == nil)
    }

    @Test("A pattern made to backtrack takes no exponential time")
    func noBacktracking() throws {
        let glob = try #require(Glob(String(repeating: "a*", count: 30) + "b"))
        #expect(!glob.matches(String(repeating: "a", count: 2000)))
    }
}
