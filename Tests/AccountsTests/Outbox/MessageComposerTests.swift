// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail
import Testing

@testable import Accounts

@Suite struct MessageComposerTests {
    private let proof = IssuedProof(
        link: "https://auth.example/verify?token=t", linkToken: "t", tokenHash: "h", code: "123456",
        redirectTo: "https://app.example")

    private func compose(
        _ bench: ProofBench, _ purpose: OneTimeToken.Purpose = .recovery, call: CallContext? = nil
    ) throws -> OutboxMessage {
        let user = User(id: UserID("u"), directoryID: bench.directory.id, createdAt: bench.now)
        return try bench.ports.messages.mail(
            for: purpose, to: EmailAddress("a@example.com"), proof: proof, user: user, call: call ?? bench.call())
    }

    @Test(
        "Every purpose has a mail with subject, bodies and code, but for one whose link alone is taken",
        arguments: OneTimeToken.Purpose.allCases)
    func everyPurpose(purpose: OneTimeToken.Purpose) async throws {
        let bench = try await ProofBench()
        for language in MessageLanguage.allCases {
            var call = bench.call()
            call.language = language
            let message = try compose(bench, purpose, call: call)
            #expect(!message.subject.isEmpty)
            #expect(message.text.contains("123456") == !purpose.opensOwnPage)
            #expect(message.html?.contains("123456") == !purpose.opensOwnPage)
            #expect(message.directoryID == bench.directory.id && message.recipient == "a@example.com")
        }
    }

    @Test(
        "Every notice has a mail without code or link",
        arguments: [
            MailKind.accountExists, .passwordChanged, .emailChanged, .phoneChanged, .emailRemoved, .phoneRemoved,
            .identityLinked, .identityUnlinked,
        ])
    func everyNotice(kind: MailKind) async throws {
        let bench = try await ProofBench()
        let user = User(id: UserID("u"), directoryID: bench.directory.id, createdAt: bench.now)
        let message = try bench.ports.messages.notice(
            kind, to: EmailAddress("a@example.com"), user: user, call: bench.call())
        #expect(message.kind == kind.rawValue && !message.subject.isEmpty && !message.text.isEmpty)
        #expect(message.code == nil && message.link == nil && message.tokenHash == nil)
    }

    @Test("G-15.7 mails and text messages are in the caller's language")
    func languages() async throws {
        let bench = try await ProofBench()
        var german = bench.call()
        german.language = .de
        #expect(try compose(bench).subject != compose(bench, call: german).subject)
        let number = try PhoneNumber("+491701234567")
        let user = User(id: UserID("ann"), directoryID: german.directory.id, createdAt: german.now)
        let texts = [bench.call(), german].map {
            bench.ports.messages.text(for: .phoneSignIn, to: number, code: "123456", user: user, call: $0).text
        }
        #expect(texts[0] != texts[1])
        #expect(texts.allSatisfy { $0.hasPrefix("123456") })
    }

    @Test("A Directory's own wording is used, and a changed one at once")
    func ownWording() async throws {
        let bench = try await ProofBench()
        var call = bench.call { $0.mail.subjects = ["recovery": "First {{ .Email }}"] }
        #expect(try compose(bench, call: call).subject == "First a@example.com")
        #expect(try compose(bench, call: call).subject == "First a@example.com")
        call.directory.settings.mail.subjects = ["recovery": "Second"]
        #expect(try compose(bench, call: call).subject == "Second")
        call.directory.settings.mail.subjects = [:]
        #expect(try compose(bench, call: call).subject == compose(bench).subject)
    }

    @Test("R14.70 a Directory's wording that can't be used breaks no message: the built-in words go out in its place")
    func brokenWording() async throws {
        let bench = try await ProofBench()
        let call = bench.call { $0.mail.bodies = ["recovery": "{{ if .Email }}x{{ end }}"] }
        #expect(try compose(bench, call: call).html == compose(bench).html)
    }

    @Test("R14.70 a Directory's own words for text messages are used, in the recipient's language")
    func ownTexts() async throws {
        let bench = try await ProofBench()
        var call = bench.call {
            $0.mail.texts = ["sms": "{{code}}!", "sms.de": "{{code}}?", "password_changed": "Hm."]
        }
        let number = try PhoneNumber("+491701234567")
        let user = User(id: UserID("ann"), directoryID: call.directory.id, createdAt: call.now)
        let messages = bench.ports.messages
        #expect(messages.text(for: .phoneSignIn, to: number, code: "1", user: user, call: call).text == "1!")
        #expect(messages.textNotice(.passwordChanged, to: number, user: user, call: call).text == "Hm.")
        call.language = .de
        #expect(messages.text(for: .recovery, to: number, code: "1", user: user, call: call).text == "1?")
    }
}
