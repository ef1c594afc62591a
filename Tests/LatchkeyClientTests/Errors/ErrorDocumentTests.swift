// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatchkeyClient
import Testing

/// What an app's users are told of each error, as a page.
@Suite struct ErrorDocumentTests {
    private static let codes = AuthErrorCode.allKnown + AuthErrorCode.allOfClient

    @Test("G-15.8 docs/client/errors.md is what the library says. Run with LATCHKEY_WRITE_DOCS=1 to write it anew")
    func document() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/client/errors.md")
        if ProcessInfo.processInfo.environment["LATCHKEY_WRITE_DOCS"] != nil {
            try Data(Self.document.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == Self.document)
    }

    private static var document: String {
        var lines = [
            "# Errors in an app", "",
            "Every error of every service is an `AuthError`; `ErrorPresentation` says it to the user: a text, and ways on, the",
            "likeliest first. Support is offered where the app names an address for it. A code that is not in this table reads",
            "\"\(MessageCatalog.text(.unknownError, in: .en, values: ["code": "its code"]) ?? "")\". An app with texts of its own",
            "looks them up by the key.",
            "",
            "This page is written by `LATCHKEY_WRITE_DOCS=1 swift test --filter ErrorDocumentTests`; the same test compares it",
            "with the code.", "",
            "| code | key | ways on | English | German |", "| --- | --- | --- | --- | --- |",
        ]
        for code in codes {
            let wait = code == .accountLocked ? TimeSpan.minutes(15) : nil
            let shown = ErrorPresentation(AuthError(code, retryAfter: wait), support: "(yours)")
            let ways = shown.isShown ? shown.suggestions.map { $0.message.text(in: .en) } : ["not shown"]
            let texts = MessageLanguage.allCases.map(shown.message.text)
            lines.append(
                "| `\(code.rawValue)` | `\(shown.message.key.rawValue)` | \(ways.joined(separator: "; ")) | "
                    + texts.joined(separator: " | ") + " |")
        }
        lines += [
            "", "## Why nobody is signed in", "", "| reason | key | English | German |", "| --- | --- | --- | --- |",
        ]
        for reason in SignOutReason.allCases {
            let texts = MessageLanguage.allCases.map(reason.message.text)
            lines.append(
                "| `\(reason.rawValue)` | `\(reason.message.key.rawValue)` | " + texts.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
