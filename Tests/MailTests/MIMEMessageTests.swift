// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import TestSupport
import Testing

@testable import Mail

@Suite("MIMEMessage")
struct MIMEMessageTests {
    private static let fields = [
        "Date", "From", "To", "Message-ID", "Subject", "Auto-Submitted", "MIME-Version", "Content-Type",
    ]

    private func message(
        id: String = "mail-1", subject: String = "Hello", text: String = "Hello", html: String? = "<p>Hello</p>",
        senderName: String? = nil, sender: String = "auth@example.com", date: Instant = Instant(seconds: 1_790_000_000)
    ) throws -> MIMEMessage {
        let mail = RenderedMail(
            id: id, recipient: try EmailAddress("ada@example.org"), subject: subject, text: text, html: html)
        return MIMEMessage(mail: mail, sender: try EmailAddress(sender), senderName: senderName, date: date)
    }

    /// The lines before the first empty one.
    private func head(_ message: MIMEMessage) -> [String] {
        let lines = String(decoding: message.bytes, as: UTF8.self).components(separatedBy: "\r\n")
        return Array(lines.prefix { !$0.isEmpty })
    }

    /// What Python's parser finds.
    private func parsed(_ messages: [MIMEMessage]) async throws -> [JSONObject] {
        let file = FileManager.default.temporaryDirectory.appending(path: "mail-tests-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let texts = messages.map { "\"" + Base64.encode($0.bytes) + "\"" }
        try Data("[\(texts.joined(separator: ","))]".utf8).write(to: file)
        let line = try await ScriptProcess.run("Support/parse_mail.py", [file.path]) { try await $0.line() }
        return try #require(try JSONValue(parsing: Array(line.utf8)).arrayValue).compactMap(\.objectValue)
    }

    @Test("Another parser finds every field, both bodies with plain text first, and no defect")
    func structure() async throws {
        let message = try message(
            subject: "Bestätigen Sie Ihre Adresse für das große Beispiel der Müller & Söhne GmbH 🌱",
            text: "Grüße\n\näöü\r\n.\r\n" + String(repeating: "long ", count: 500),
            html: "<p>Grüße &amp; \u{1F331}</p>",
            senderName: "Müller, Söhne \"& Co.\"")
        let found = try #require(try await parsed([message]).first)
        #expect(found["fields"]?.arrayValue?.compactMap(\.stringValue) == Self.fields)
        #expect(found["subject"]?.stringValue == message.mail.subject)
        #expect(found["senderName"]?.stringValue == message.senderName)
        #expect(found["sender"]?.stringValue == "auth@example.com")
        #expect(found["date"]?.stringValue == "2026-09-21T14:13:20+00:00")
        #expect(found["type"]?.stringValue == "multipart/alternative")
        #expect(found["defects"]?.arrayValue == [])
        let parts = try #require(found["parts"]?.arrayValue).compactMap(\.objectValue)
        #expect(parts.map { $0["type"]?.stringValue } == ["text/plain", "text/html"])
        let texts = parts.map { $0["text"]?.stringValue?.replacing("\r\n", with: "\n") }
        #expect(texts == [message.mail.text.replacing("\r\n", with: "\n"), message.mail.html])
    }

    @Test("A mail without HTML is plain text, and an empty one is still whole")
    func plain() async throws {
        let found = try await parsed([
            message(text: "Grüße", html: nil), message(text: "", html: nil), message(text: "", html: ""),
        ])
        #expect(found.map { $0["type"]?.stringValue } == ["text/plain", "text/plain", "multipart/alternative"])
        #expect(found.map { $0["defects"]?.arrayValue } == [[], [], []])
        let texts = found.map { $0["parts"]?.arrayValue?.first?.objectValue?["text"]?.stringValue }
        #expect(texts == ["Grüße", "", ""])
    }

    @Test("No naughty string as subject, sender's name or body adds a field, is lost, or breaks the structure")
    func naughty() async throws {
        let strings = try VectorFiles.naughtyStrings()
        let messages = try strings.map { text in
            try message(
                id: text, subject: text + "\r\nBcc: eve@example.net", text: text, html: "<p>\(text)</p>",
                senderName: text + "\r\n\r\n<eve@example.net>")
        }
        let found = try await parsed(messages)
        #expect(found.count == strings.count)
        for (message, found) in zip(messages, found) {
            #expect(found["fields"]?.arrayValue?.compactMap(\.stringValue) == Self.fields)
            #expect(found["sender"]?.stringValue == "auth@example.com", "\(message.mail.id)")
            #expect(found["defects"]?.arrayValue == [], "\(message.mail.id)")
            let parts = found["parts"]?.arrayValue?.compactMap { $0.objectValue?["text"]?.stringValue }
            #expect(parts == [message.mail.text, message.mail.html ?? ""], "\(message.mail.id)")
        }
    }

    @Test("No line has more than 78 octets, and none of a field with encoded words more than 76, whatever the text")
    func lengths() throws {
        for text in try VectorFiles.naughtyStrings() + [
            String(repeating: "ä🌱", count: 500), String(repeating: "\"", count: 500),
        ] {
            let message = try message(subject: text, text: text, html: text, senderName: text)
            let lines = String(decoding: message.bytes, as: UTF8.self).components(separatedBy: "\r\n")
            for line in lines {
                #expect(line.utf8.count <= (line.contains("=?UTF-8") ? 76 : 78), "\(line)")
                #expect(line.utf8.allSatisfy { (32...126).contains($0) }, "\(line)")
            }
        }
        // An address can't be folded: it has a line of its own.
        let domain = String(repeating: "b", count: 60) + ".example"
        let sender = String(repeating: "a", count: 40) + "@" + domain
        let lines = head(try message(senderName: String(repeating: "ä", count: 100), sender: sender))
        #expect(lines.allSatisfy { $0.utf8.count <= 76 || ($0.contains(domain) && !$0.contains("=?")) })
        #expect(lines.contains(" <\(sender)>"))
    }

    @Test("A sender without a name, or with a blank one, is an address alone", arguments: [nil, "", " \r\n "])
    func nameless(_ name: String?) throws {
        #expect(head(try message(senderName: name)).contains("From: <auth@example.com>"))
    }

    @Test("The identifier is made of plain characters only, and so is the boundary, which no body can contain")
    func identifier() throws {
        let message = try message(
            id: "a\r\nBcc: é<b>-" + String(repeating: "x", count: 100), text: "--=_latchkey_aBccb-")
        let lines = head(message)
        #expect(lines.contains { $0.hasPrefix("Message-ID: <aBccb-x") && $0.hasSuffix("x@example.com>") })
        #expect(lines.count == 8)
        let text = String(decoding: message.bytes, as: UTF8.self)
        #expect(text.split(separator: "=_latchkey_").count == 5)
    }

    @Test(
        "The date is written as RFC 5322 has it, in UTC",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 +0000"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 +0000"),
            (1_790_000_000, "Mon, 21 Sep 2026 14:13:20 +0000"), (-1, "Wed, 31 Dec 1969 23:59:59 +0000"),
        ] as [(Int64, String)])
    func date(_ seconds: Int64, _ expected: String) throws {
        #expect(head(try message(date: Instant(seconds: seconds))).contains("Date: " + expected))
    }

    @Test("The ends of time trap nowhere")
    func oddDates() throws {
        for microseconds in [Int64.min, .max] {
            #expect(head(try message(date: Instant(microseconds: microseconds))).count == 8)
        }
    }
}
