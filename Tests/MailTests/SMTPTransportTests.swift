// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import TestSupport
import Testing

@testable import Mail

@Suite("SMTPTransport, against a server", .timeLimit(.minutes(10)))
struct SMTPTransportTests {
    private let now = Instant(seconds: 1_790_000_000)

    private func mail(_ id: String = "mail-1", text: String = "Hello", html: String? = "<p>Hello</p>") throws
        -> RenderedMail
    {
        RenderedMail(id: id, recipient: try EmailAddress("ada@example.org"), subject: "Hällo", text: text, html: html)
    }

    private func refusal(_ transport: SMTPTransport, _ mail: RenderedMail) async -> MailDeliveryError? {
        do {
            try await transport.send(mail, at: now)
            return nil
        } catch { return error }
    }

    @Test("The octets of the message arrive as they were written, from the sender and to the recipient alone")
    func delivery() async throws {
        try await SMTPServer.run { server in
            try await server.transport(senderName: "Beispiel").send(mail(), at: now)
            let session = try await server.session()
            #expect(session.commands.filter { $0.hasPrefix("MAIL") } == ["MAIL FROM:<auth@example.com>"])
            #expect(session.commands.filter { $0.hasPrefix("RCPT") } == ["RCPT TO:<ada@example.org>"])
            #expect(session.commands.last == "QUIT")
            let message = MIMEMessage(
                mail: try mail(), sender: try EmailAddress("auth@example.com"), senderName: "Beispiel", date: now)
            #expect(session.wire == message.bytes)
            #expect(!session.isEncrypted)
            #expect(session.username == nil)
        }
    }

    @Test("No text of a mail can end the message early or speak to the server, whatever its lines begin with")
    func dots() async throws {
        let text = ".\r\n..\r\n.\nQUIT\r\n\r\n.\r\nMAIL FROM:<eve@example.net>\r\n."
        try await SMTPServer.run { server in
            for html in [text, nil] {
                try await server.transport().send(mail(text: text, html: html), at: now)
                let session = try await server.session()
                let wire = try #require(session.wire)
                let lines = String(decoding: wire, as: UTF8.self).components(separatedBy: "\r\n")
                #expect(!lines.contains { $0.hasPrefix(".") })
                #expect(session.commands.count == 5)
            }
        }
    }

    @Test("It signs in with PLAIN or with LOGIN, whichever is offered", arguments: ["PLAIN", "LOGIN", "LOGIN PLAIN"])
    func signIn(_ mechanisms: String) async throws {
        try await SMTPServer.run(["--auth", mechanisms]) { server in
            try await server.transport(password: "pässword: \"1\"").send(mail(), at: now)
            let session = try await server.session()
            #expect(session.username == "mailer")
            #expect(session.password == "pässword: \"1\"")
            #expect(session.wire != nil)
        }
    }

    @Test("Five mails at once arrive once each")
    func atOnce() async throws {
        try await SMTPServer.run { server in
            let transport = try server.transport()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<5 { group.addTask { try await transport.send(mail("mail-\(index)"), at: now) } }
                try await group.waitForAll()
            }
            var identifiers: Set<String> = []
            for _ in 0..<5 {
                let lines = String(decoding: try await server.session().wire ?? [], as: UTF8.self).split(
                    separator: "\r\n")
                identifiers.formUnion(lines.filter { $0.hasPrefix("Message-ID") }.map(String.init))
            }
            #expect(identifiers == Set((0..<5).map { "Message-ID: <mail-\($0)@example.com>" }))
        }
    }

    @Test(
        "What the server says of the mail itself is final at 5yz and worth another try at 4yz",
        arguments: [
            ("RCPT=450 busy", .temporary, 450), ("RCPT=550 no such user", .permanent, 550),
            ("MAIL=451 later", .temporary, 451), ("MAIL=553 not yours", .permanent, 553),
            ("DATA=554 no", .permanent, 554), ("DATA=451 later", .temporary, 451),
            ("CONTENT=554 spam", .permanent, 554), ("CONTENT=452 full", .temporary, 452),
        ] as [(String, MailDeliveryError.Kind, Int)])
    func replies(_ reply: String, _ kind: MailDeliveryError.Kind, _ code: Int) async throws {
        try await SMTPServer.run(["--reply", reply]) { server in
            let failure = await refusal(try server.transport(), try mail())
            #expect(failure?.kind == kind)
            #expect(failure?.replyCode == code)
        }
    }

    @Test("A server that takes no one, or is not there, is worth another try")
    func noService() async throws {
        try await SMTPServer.run(["--reply", "CONNECT=554 go away"]) { server in
            let failure = await refusal(try server.transport(), try mail())
            #expect(failure?.kind == .temporary)
        }
        // No mail server has this port, and no test server gets it.
        let closed = try SMTPTransport(
            SMTPSettings(host: "127.0.0.1", port: 1, security: .none, senderAddress: "auth@example.com"))
        let failure = await refusal(closed, try mail())
        #expect(failure?.kind == .temporary)
        #expect(failure?.replyCode == nil)
    }

    @Test(
        "A refused password is the operator's to mend, so the mail waits; the error repeats neither it nor the server")
    func refusedPassword() async throws {
        let arguments = ["--auth", "PLAIN LOGIN", "--reply", "AUTH=535 PASSWORD is wrong, mailer"]
        try await SMTPServer.run(arguments) { server in
            let failure = try #require(await refusal(try server.transport(password: "geheim-4711"), try mail()))
            #expect(failure.kind == .temporary)
            #expect(failure.replyCode == 535)
            let session = try await server.session()
            #expect(session.password == "geheim-4711")
            #expect(session.wire == nil)
            let secrets = ["geheim-4711", "mailer", Base64.encode(Array("geheim-4711".utf8)), "ada@", "wrong"]
            for text in ["\(failure)", String(reflecting: failure), failure.reason] {
                for secret in secrets { #expect(!text.contains(secret)) }
            }
        }
    }

    @Test(
        "A server that wants a password or TLS first has said nothing of the mail, which waits for the operator",
        arguments: [
            ("MAIL=530 5.7.0 Authentication required", 530),
            ("MAIL=530 5.7.0 Must issue a STARTTLS command first", 530),
            ("RCPT=530 5.7.1 Authentication required", 530), ("MAIL=535 5.7.8 not accepted", 535),
            ("MAIL=538 5.7.11 Encryption required", 538), ("CONTENT=530 5.7.0 Authentication required", 530),
        ])
    func wantsAccess(_ reply: String, _ code: Int) async throws {
        try await SMTPServer.run(["--reply", reply]) { server in
            let failure = await refusal(try server.transport(), try mail())
            #expect(failure?.kind == .temporary)
            #expect(failure?.replyCode == code)
        }
    }

    @Test("A server that says nothing more is given up after the timeout", arguments: ["CONNECT", "MAIL", "CONTENT"])
    func silence(_ place: String) async throws {
        try await SMTPServer.run(["--hang", place]) { server in
            let transport = try server.transport(timeoutSeconds: 1)
            let mail = try mail()
            // Without the timeout this would wait for the suite's own limit.
            #expect(await refusal(transport, mail)?.kind == .temporary)
        }
    }

    @Test("Where TLS is asked for and not offered, or not spoken, nothing is sent: no password and no mail")
    func withoutTLS() async throws {
        for security in [SMTPSettings.Security.startTLS, .tls] {
            try await SMTPServer.run(["--auth", "PLAIN LOGIN"]) { server in
                let transport = try server.transport(security: security, password: "geheim-4711")
                let failure = try #require(await refusal(transport, try mail()))
                #expect(failure.kind == .temporary)
                let session = try await server.session()
                #expect(!session.commands.contains { $0.hasPrefix("AUTH") || $0.hasPrefix("MAIL") })
                #expect(session.password == nil && session.wire == nil)
            }
        }
    }

    @Test(
        "Over TLS the certificate is checked: with an unknown one nothing is sent, with a trusted one all is encrypted")
    func certificates() async throws {
        try await withCertificate { certificate in
            for (security, mode) in [(.startTLS, "offered"), (.opportunistic, "offered"), (.tls, "implicit")]
                as [(SMTPSettings.Security, String)]
            {
                let arguments = ["--auth", "PLAIN", "--certificate", certificate, "--tls", mode]
                try await SMTPServer.run(arguments) { server in
                    let trusting = try server.transport(
                        security: security, password: "geheim-4711", authorityFile: certificate)
                    try await trusting.send(mail(), at: now)
                    let session = try await server.session()
                    #expect(session.isEncrypted, "\(security)")
                    #expect(session.password == "geheim-4711" && session.wire != nil, "\(security)")

                    let doubting = try server.transport(security: security, password: "geheim-4711")
                    let failure = await refusal(doubting, try mail())
                    #expect(failure?.kind == .temporary, "\(security)")
                    let refused = try await server.session()
                    #expect(refused.password == nil && refused.wire == nil, "\(security)")
                }
            }
        }
    }

    @Test("Opportunistic security takes what there is")
    func opportunistic() async throws {
        try await SMTPServer.run(["--auth", "PLAIN"]) { server in
            try await server.transport(security: .opportunistic, password: "geheim-4711").send(mail(), at: now)
            let session = try await server.session()
            #expect(!session.isEncrypted && session.wire != nil)
        }
    }

    @Test("A sender that is no address makes no transport")
    func sender() {
        for address in ["", "auth", "auth@example.com>\r\nRCPT TO:<eve@example.net"] {
            #expect(throws: AuthError(.invalidEmail)) {
                try SMTPTransport(SMTPSettings(host: "127.0.0.1", port: 25, senderAddress: address))
            }
        }
    }
}
