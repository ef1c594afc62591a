// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import Mail

@Suite("HeaderText")
struct HeaderTextTests {
    /// What the encoded words say (RFC 2047, section 2), read without the code that wrote them.
    private func decoded(_ field: String) throws -> String {
        guard field.hasPrefix("=?") else { return field }
        return try field.replacing("\r\n ", with: "\n").split(separator: "\n").map { word in
            let parts = word.split(separator: "?", omittingEmptySubsequences: false)
            try #require(parts.count == 5 && parts[0] == "=" && parts[4] == "=")
            try #require(parts[1] == "UTF-8" && parts[2] == "B")
            // Each word has whole characters.
            let octets = try #require(Base64.decode(String(parts[3])))
            return try #require(String(strictUTF8: octets))
        }.joined()
    }

    @Test(
        "Short ASCII stays as it is; all else, and what could be taken for an encoded word, is encoded",
        arguments: [
            ("Reset your password", "Reset your password"), ("", ""), ("  a  ", "a"), ("a\r\nBcc: b", "a  Bcc: b"),
            ("Grüße", "=?UTF-8?B?R3LDvMOfZQ==?="), ("=?x", "=?UTF-8?B?PT94?="),
            ("a\u{2028}b\u{85}c\0d\te", "a b c d e"),
        ])
    func encoded(_ text: String, _ expected: String) {
        #expect(HeaderText.encoded(text) == expected)
    }

    @Test(
        "A display name is quoted, or encoded where a quoted one would not do",
        arguments: [
            ("Beispiel", "\"Beispiel\""), ("a \"b\" \\ c", #""a \"b\" \\ c""#),
            ("Eve <eve@example.net>,", "\"Eve <eve@example.net>,\""),
            ("Bücher", "=?UTF-8?B?QsO8Y2hlcg==?="), ("=?utf-8?q?x?=", "=?UTF-8?B?PT91dGYtOD9xP3g/PQ==?="),
        ])
    func displayName(_ name: String, _ expected: String) {
        #expect(HeaderText.displayName(name) == expected)
    }

    @Test("A name of sixty marks that need a backslash is encoded rather than doubled in length")
    func manyMarks() {
        #expect(HeaderText.displayName(String(repeating: "\"", count: 30)).utf8.count == 62)
        #expect(HeaderText.displayName(String(repeating: "\"", count: 31)).hasPrefix("=?"))
    }

    @Test("No naughty string is lost, adds a line of its own, or makes a line too long")
    func naughty() throws {
        for text in try VectorFiles.naughtyStrings() {
            for candidate in [text, "\r\nBcc: eve@example.net\r\n\r\n" + text, text + "\n" + text, text + "\r."] {
                let field = HeaderText.encoded(candidate)
                #expect(try decoded(field) == HeaderText.oneLine(candidate))
                for text in [field, HeaderText.displayName(candidate)] {
                    let lines = text.replacing("\r\n ", with: "\n").split(
                        separator: "\n", omittingEmptySubsequences: false)
                    for line in lines {
                        #expect(line.utf8.count <= 64)
                        #expect(line.utf8.allSatisfy { (32...126).contains($0) })
                    }
                    #expect(lines.count == 1 || lines.allSatisfy { $0.hasPrefix("=?") && $0.hasSuffix("?=") })
                }
            }
        }
    }

    @Test("An endless text ends after 400 code points")
    func endless() throws {
        let line = try decoded(HeaderText.encoded(String(repeating: "ä", count: 1_000_000)))
        #expect(line == String(repeating: "ä", count: HeaderText.longest))
        #expect(HeaderText.encoded(String(repeating: "\n", count: 1_000_000)) == "")
    }
}
