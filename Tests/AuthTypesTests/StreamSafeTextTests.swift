// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

/// Each text here that is refused would take minutes to compare or hash: a test that hangs runs into its limit.
@Suite("R8.1 text from outside is bounded before any work that grows faster than it", .timeLimit(.minutes(5)))
struct StreamSafeTextTests {
    /// In the wrong order, which is what costs.
    static func marks(_ count: Int) -> String {
        String(String.UnicodeScalarView((0..<count).map { $0.isMultiple(of: 2) ? "\u{307}" : "\u{323}" }))
    }

    @Test("30 combining marks in a row are accepted wherever they stand, 31 are not")
    func boundary() {
        for (before, after) in [("", ""), ("e", "x"), ("漢", "字"), ("\u{1F1E9}", " ")] {
            #expect(StreamSafeText.accepts(before + Self.marks(30) + after))
            #expect(!StreamSafeText.accepts(before + Self.marks(31) + after))
        }
        #expect(StreamSafeText.accepts(String(repeating: "e" + Self.marks(30), count: 1000)))
        #expect(!StreamSafeText.accepts(String(repeating: "\u{344}", count: 31)))
    }

    @Test("Marks that are of class zero, and marks only once they are taken apart, count as marks")
    func hiddenMarks() {
        for mark in ["\u{F73}", "\u{F75}", "\u{F81}"] {
            #expect(!StreamSafeText.accepts(String(repeating: mark, count: 31)))
        }
    }

    @Test("Text of any language is accepted", arguments: ["", "Zoë", "Việt Nam", "हिन्दी", "עִבְרִית", "👨‍👩‍👧‍👦🇩🇪", "ཀྱཻ"])
    func languages(text: String) {
        #expect(StreamSafeText.accepts(String(repeating: text, count: 100)))
    }

    @Test("JSON with a longer run is refused, in a name among many and in a value, however it is written")
    func json() {
        let names = (0..<20).map { "\"k\($0)\":0" }.joined(separator: ",")
        let run = Self.marks(400_000)
        for text in ["{\(names),\"\(run)\":0}", "{\(names),\"e\(run)\":0}", "[\"\(run)\"]"] {
            let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text.utf8) }
            #expect(error?.code == .tooLarge)
        }
        let escaped = String(repeating: "\\u0307\\u0323", count: 16)
        #expect(throws: JSONError.self) { try JSONValue(parsing: "\"\(escaped)\"".utf8) }
        #expect(throws: Never.self) { try JSONValue(parsing: "\"\(escaped.dropLast(12))\"".utf8) }
    }

    @Test("A path with a longer run is not one that everyone reads alike")
    func path() {
        #expect(!PlainPath.accepts("/a" + Self.marks(31)))
        #expect(PlainPath.accepts("/a" + Self.marks(30)))
    }

    @Test("Blanks around an address and a number cost what any other byte costs")
    func blanks() throws {
        let blanks = String(repeating: " ", count: 2_000_000)
        #expect(try EmailAddress(blanks + "ada@example.com" + blanks).rawValue == "ada@example.com")
        #expect(try PhoneNumber(blanks + "+49170123456" + blanks).digits == "49170123456")
        #expect(throws: AuthError(.invalidEmail)) { try EmailAddress(blanks) }
    }
}
