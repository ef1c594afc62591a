// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import HTTPTypes
import Testing

@testable import AppAPI
@testable import CognitoAPI
@testable import FirebaseAPI
@testable import SupabaseAPI

/// One table over all dialects: what each of the domain's errors is called in each of them, and what people are told.
@Suite struct ErrorTablesTests {
    /// What a server may say of itself. Everything else is about the request.
    private static let faults: Set<AuthErrorCode> = [.overloaded, .unavailable, .internalFailure]

    @Test("G-15.8 every error has an entry of its own in each dialect, and none that blames the server wrongly")
    func complete() {
        for code in AuthErrorCode.allKnown {
            let supabase = SupabaseAPI.ErrorTable.entries[code]
            let cognito = CognitoAPI.ErrorTable.entries[code]
            let firebase = FirebaseAPI.ErrorTable.entries[code]
            #expect(supabase != nil && cognito != nil && firebase != nil, "\(code.rawValue)")
            guard !Self.faults.contains(code) else { continue }
            // Where the operator has configured no gateway, this platform says that it is the server's fault.
            #expect((supabase?.status.code ?? 500) < 500 || code == .textMessagesUnavailable, "\(code.rawValue)")
            #expect(cognito?.exception != "InternalErrorException", "\(code.rawValue)")
            // This platform's API says 501 of what it does not have.
            #expect((firebase?.status.code ?? 500) < 500 || code == .unsupported, "\(code.rawValue)")
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
            "",
            "| code | Supabase | Cognito | Firebase | App API | English | German |",
            "| --- | --- | --- | --- | --- | --- | --- |",
        ]
        for code in AuthErrorCode.allKnown {
            let supabase = SupabaseAPI.ErrorTable.entry(for: code)
            let firebase = FirebaseAPI.ErrorTable.entry(for: code)
            let app = AppErrorTable.entry(for: code)
            let cells = [
                "`\(code.rawValue)`", "\(supabase.status.code) `\(supabase.code)`",
                "`\(CognitoAPI.ErrorTable.entry(for: code).exception)`", "\(firebase.status.code) `\(firebase.code)`",
                "\(app.status.code) `\(app.error)`", MessageCatalog.text(for: code, in: .en),
                MessageCatalog.text(for: code, in: .de),
            ]
            lines.append("| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
