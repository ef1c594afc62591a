// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import CognitoAPI
import FirebaseAPI
import Foundation
import HTTPTypes
import OpenIDProvider
import ServerKit
import SupabaseAPI
import Testing

@testable import AppAPI

/// One table over all dialects: what each of the domain's errors is called in each of them, and what people are told.
@Suite struct ErrorTablesTests {
    /// What the server speaks. Each says for itself what it calls an error, and one more is a column more.
    private static let dialects: [(name: String, type: any Dialect.Type)] = [
        ("Supabase", SupabaseDialect.self), ("Cognito", CognitoDialect.self), ("Firebase", FirebaseDialect.self),
        ("OpenID", OpenIDProvider.self),
    ]
    /// What a server may say of itself, and of those whom it asks. Everything else is about the request.
    private static let faults: Set<AuthErrorCode> = [
        .overloaded, .unavailable, .internalFailure, .identityProviderUnavailable, .hookFailed,
    ]

    /// What a dialect calls the fault of the server where the status does not say it.
    private static let blaming = "InternalErrorException"

    /// Where a platform itself says that the server is at fault: one without a gateway for messages, and one whose
    /// database has rules of the app's own.
    private static func mayBlame(_ dialect: any Dialect.Type, for code: AuthErrorCode) -> Bool {
        dialect == SupabaseDialect.self && [.textMessagesUnavailable, .changeRefused].contains(code)
    }

    @Test("G-15.8 every error has an entry of its own in each dialect, and none that blames the server wrongly")
    func complete() {
        for code in AuthErrorCode.allKnown {
            for (name, dialect) in Self.dialects {
                guard let entry = dialect.errorEntry(for: code) else {
                    Issue.record("\(name) has no \(code.rawValue)")
                    continue
                }
                guard !Self.faults.contains(code), !Self.mayBlame(dialect, for: code) else { continue }
                #expect((entry.status ?? 400) < 500 && entry.code != Self.blaming, "\(name): \(code.rawValue)")
            }
            guard !Self.faults.contains(code) else { continue }
            #expect(AppErrorTable.entry(for: code).status.code < 500 || code == .unsupported, "\(code.rawValue)")
        }
    }

    @Test("G-15.7 every error has an English and a German text of its own")
    func texts() {
        for code in AuthErrorCode.allKnown {
            for language in MessageLanguage.allCases {
                #expect(MessageCatalog.text(code.messageKey, in: language)?.isEmpty == false, "\(code.rawValue)")
            }
            let texts = MessageLanguage.allCases.map { MessageCatalog.text(for: code, in: $0) }
            #expect(Set(texts).count == texts.count, "\(code.rawValue) is not translated: \(texts)")
        }
    }

    @Test(
        "G-15.7 G-15.8 R14.70 where the wire is ours, every error says its key, and its text in the reader's language")
    func onTheWire() {
        for code in AuthErrorCode.allKnown {
            for language in MessageLanguage.allCases {
                let body = AppErrorTable.body(for: AuthError(code), in: language)
                #expect(body["message_key"]?.stringValue == code.messageKey.rawValue, "\(code.rawValue)")
                #expect(
                    body["message"]?.stringValue == MessageCatalog.text(for: code, in: language), "\(code.rawValue)")
                #expect(body["message_key"]?.stringValue?.hasPrefix("auth.error_") == true)
            }
        }
    }

    /// Errors that a dialect says in the same words, in the order of the domain's.
    private static func alike(_ dialect: any Dialect.Type) -> [[AuthErrorCode]] {
        var groups: [(words: [String?], codes: [AuthErrorCode])] = []
        for code in AuthErrorCode.allKnown {
            guard let entry = dialect.errorEntry(for: code) else { continue }
            let words = [entry.status.map { String($0) }, entry.code, entry.words]
            if let index = groups.firstIndex(where: { $0.words == words }) {
                groups[index].codes.append(code)
            } else {
                groups.append((words, [code]))
            }
        }
        return groups.map(\.codes)
    }

    @Test(
        "G-15.8 R14.70 people are told no finer error than the vendor's words say: what goes out in the same words has one key"
    )
    func concealed() {
        for (name, dialect) in Self.dialects {
            for codes in Self.alike(dialect) {
                let keys = Set(codes.map { dialect.errorEntry(for: $0)?.told })
                #expect(keys.count == 1, "\(name): \(codes.map(\.rawValue)) are told apart")
                // What has words of its own loses nothing.
                if codes.count == 1 { #expect(keys == [codes[0].messageKey], "\(name): \(codes[0].rawValue)") }
            }
        }
    }

    @Test("docs/errors.md is this table. Run with LATCHKEY_WRITE_DOCS=1 to write it anew")
    func document() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/errors.md")
        let expected = Self.document
        if ProcessInfo.processInfo.environment["LATCHKEY_WRITE_DOCS"] != nil {
            try Data(expected.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == expected)
    }

    private static var document: String {
        var lines = [
            "# Errors", "",
            "Every error of the domain, what it is called in each dialect, and what people are told. This page is written",
            "by `LATCHKEY_WRITE_DOCS=1 swift test --filter ErrorTablesTests`; the same test compares it with the code.",
            "", readers, "",
            "| code | \(dialects.map(\.name).joined(separator: " | ")) | App API | English | German |",
            "| --- |" + String(repeating: " --- |", count: dialects.count + 3),
        ]
        for code in AuthErrorCode.allKnown {
            let app = AppErrorTable.entry(for: code)
            let told = AuthError(code, retryAfter: code == .accountLocked ? .minutes(15) : nil)
            let said = dialects.map { text($0.type.errorEntry(for: code)) }
            let cells =
                ["`\(code.rawValue)`"] + said + [
                    "\(app.status.code) `\(app.error)`", MessageCatalog.text(for: told, in: .en),
                    MessageCatalog.text(for: told, in: .de),
                ]
            lines.append("| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |")
        }
        lines += ["", folded, "", "| dialect | said in the same words | key |", "| --- | --- | --- |"]
        for (name, dialect) in dialects {
            for codes in alike(dialect) where Set(codes.map(\.messageKey)).count > 1 {
                let key = dialect.errorEntry(for: codes[0])?.told?.rawValue ?? ""
                lines.append("| \(name) | \(codes.map { "`\($0.rawValue)`" }.joined(separator: ", ")) | `\(key)` |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let folded = """
        Where a dialect says several errors in the same words, people are told the same of each: a finer key would tell a
        stranger what these words conceal.
        """

    private static let readers = """
        What people are told stands in every answer, with its key, in the language of `Accept-Language` (in Firebase's
        dialect the app's `X-Firebase-Locale` before it): beside the vendor's own words, which stay as they are, since apps
        and SDKs branch on them. An app that has texts of its own looks them up by the key; one that has none shows ours.

        | | key | text |
        | --- | --- | --- |
        | Supabase | `message_key` | `localized_message` |
        | Cognito | `messageKey` | `localizedMessage` |
        | Firebase, in `error.details` | `metadata.messageKey` of the `ErrorInfo` | `message` of the `LocalizedMessage` |
        | OpenID, OAuth, Cognito's hosted UI | `message_key` | `localized_message` |
        | App API | `message_key` | `message` |

        What a dialect refuses by itself has the key of what its code means, and no finer one: nothing is told beside a
        vendor's words that they conceal. The steps of a protocol (`authorization_pending`, `slow_down`, `use_dpop_nonce`)
        have neither.
        """

    private static func text(_ entry: ErrorEntry?) -> String {
        guard let entry else { return "" }
        return (entry.status.map { "\($0) " } ?? "") + "`\(entry.code)`"
    }
}
