// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Testing

/// Messages as operators set them up: who carries them, and in which words.
@Suite(.timeLimit(.minutes(10))) struct MessageTests {
    @Test("R14.70 codes reach telephones and mails their readers by HTTP APIs, and what can't arrive says so")
    func walk() async throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Clients/message_walk.py")
        let result = try await Command.run(
            URL(filePath: "/usr/bin/env"), ["python3", script.path, Paths.latchkey.path], in: Paths.temporaryDirectory()
        )
        #expect(result.status == 0 && result.output.hasSuffix("ok\n"), "\(result.told)")
    }

    @Test(
        "R14.70 a gateway that can't be used is refused before the server starts, by its setting and without its secret"
    )
    func refused() async throws {
        let directory = try Paths.temporaryDirectory()
        let secret = directory.appending(path: "secret")
        try Data("hush-hush\n".utf8).write(to: secret)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: secret.path)
        let twilio = [
            "LATCHKEY_TEXTS_GATEWAY": "twilio", "LATCHKEY_TEXTS_ACCOUNT": "AC1", "LATCHKEY_TEXTS_SECRET": "hush-hush",
            "LATCHKEY_TEXTS_SENDER": "Acme",
        ]
        let resend = [
            "LATCHKEY_MAIL_API_FORM": "resend", "LATCHKEY_MAIL_API_KEY": "hush-hush",
            "LATCHKEY_MAIL_SENDER_ADDRESS": "auth@example.com",
        ]
        func check(_ variables: [String: String]) async throws -> CommandResult {
            try await Command.run(Paths.latchkey, ["check-config"], in: directory, environment: variables)
        }
        for (variables, says) in [
            (twilio, "text messages by twilio"), (resend, "mail by resend"), ([:], "not carried"),
        ] {
            let good = try await check(variables)
            #expect(good.status == 0 && good.output.contains(says) && !good.output.contains("hush"), "\(good)")
        }
        let rows: [([String: String], String)] = [
            (twilio.merging(["LATCHKEY_TEXTS_GATEWAY": "pigeon"]) { $1 }, "texts.gateway"),
            (twilio.merging(["LATCHKEY_TEXTS_SENDER": ""]) { $1 }, "texts.sender"),
            (twilio.merging(["LATCHKEY_TEXTS_URL": "http://sms.example"]) { $1 }, "texts.url"),
            (twilio.merging(["LATCHKEY_TEXTS_SECRET_FILE": secret.path]) { $1 }, "texts.secretFile"),
            (twilio.merging(["LATCHKEY_TEXTS_GATEWAY": "webhook"]) { $1 }, "texts.secret"),
            (resend.merging(["LATCHKEY_MAIL_API_FORM": "mailgun"]) { $1 }, "mail.api.domain"),
            (resend.merging(["LATCHKEY_MAIL_SMTP_HOST": "mail.example"]) { $1 }, "mail.smtp.host, mail.api.form"),
            (["LATCHKEY_MAIL_TEMPLATES": directory.path], "mail.templates"),
        ]
        for (variables, name) in rows {
            let bad = try await check(variables)
            #expect(bad.status == 78 && bad.errors.contains(name), "\(name): \(bad.errors)")
            #expect(!bad.errors.contains("hush") && !bad.output.contains("hush"), "\(bad.errors)")
        }
    }

    @Test("R14.70 an operator's words are set, shown and taken away by command, and judged before they are stored")
    func templates() async throws {
        let directory = try Paths.temporaryDirectory()
        func run(_ arguments: [String]) async throws -> CommandResult {
            try await Command.run(
                Paths.latchkey, arguments, in: directory, environment: ["LATCHKEY_DATABASE": "sqlite:test.sqlite"])
        }
        #expect(try await run(["directory", "create", "default"]).status == 0)
        try Data("<a href=\"{{ .ConfirmationURL }}\">Weiter</a>".utf8).write(to: directory.appending(path: "r.html"))
        try Data("<p>no link</p>".utf8).write(to: directory.appending(path: "bad.html"))
        let set = try await run([
            "template", "set", "recovery.de", "--subject", "Neu", "--html", "r.html",
        ])
        #expect(set.status == 0, "\(set.errors)")
        let bad = try await run(["template", "set", "recovery", "--html", "bad.html"])
        #expect(bad.status != 0 && bad.errors.contains("recovery"), "\(bad.errors)")
        let shown = try await run(["template", "show", "recovery.de", "--json"])
        let json = try JSONValue(parsing: shown.output.utf8).objectValue
        #expect(json?["subject"] == "Neu" && json?["html"]?.stringValue?.contains("Weiter") == true)
        #expect(try await run(["template", "list"]).output.contains("recovery.de"))
        #expect(try await run(["template", "reset", "recovery.de"]).status == 0)
        #expect(try await run(["template", "show", "recovery.de"]).status == 66)
    }
}
