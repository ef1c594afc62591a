// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Logging
import Mail
import TestBench
import Testing

@testable import CognitoAPI

@Suite("CustomMessage as a hook") struct CustomMessageTests {
    private final class Post: MailTransport {
        private let mails = Mutex<[RenderedMail]>([])

        var sent: [RenderedMail] { mails.withLock { $0 } }

        func send(_ mail: RenderedMail, at _: Instant) async throws(MailDeliveryError) {
            mails.withLock { $0.append(mail) }
        }
    }

    private static func bench(_ receiver: HookReceiver) async throws -> CognitoBench {
        let secret = try WebhookSecret("whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
        return try await CognitoBench(
            hooks: Hooks(blocking: [
                BlockingHook(
                    name: "CustomMessage", moment: .wording, dialect: CognitoDialect.name, directory: "default",
                    secrets: [secret], caller: receiver)
            ]))
    }

    private static func worker(_ bench: CognitoBench, mail: (any MailTransport)?) -> OutboxWorker {
        OutboxWorker(
            store: bench.ports.store, random: bench.ports.random,
            transports: OutboxTransports(
                mail: mail, texts: nil, letters: HookedLetters(bench.ports, links: PlainLinks())),
            keepsBodies: true, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private static func signUp(_ bench: CognitoBench) async throws -> String {
        let client = try await bench.clientID()
        _ = try await bench.done(
            "SignUp",
            [
                "ClientId": .string(client), "Username": "ada", "Password": .string(CognitoBench.password),
                "UserAttributes": [["Name": "email", "Value": "ada@example.com"]],
            ])
        return client
    }

    private static func answer(_ received: HookReceiver.Received, _ response: JSONObject) -> HookReply {
        var event = received.object
        event["response"] = .object(response)
        return HookReply(event)
    }

    @Test("R14.6 CustomMessage words a code that it never sees, and the call that asked for the code waits for nobody")
    func words() async throws {
        let receiver = HookReceiver { received throws(HookCallFailure) in
            Self.answer(
                received,
                [
                    "emailSubject": "Your code: {####}\r\nBcc: eve@example.com",
                    "emailMessage": "<b>{username}</b> types {####} {####} {other} {##here",
                ])
        }
        let bench = try await Self.bench(receiver)
        _ = try await Self.signUp(bench)
        #expect(receiver.received.isEmpty)
        let code = try await bench.code(to: "ada@example.com", kind: "confirmation")
        let post = Post()
        #expect(await Self.worker(bench, mail: post).deliverDue(at: bench.now) == nil)
        let event = try #require(receiver.received.first?.object)
        #expect(event["triggerSource"]?.stringValue == "CustomMessage_SignUp")
        let request = event["request"]?.objectValue
        #expect(request?["codeParameter"]?.stringValue == "{####}")
        #expect(request?["userAttributes"]?.objectValue?["email"]?.stringValue == "ada@example.com")
        #expect(
            event["response"] == ["smsMessage": .null, "emailMessage": .null, "emailSubject": .null] as JSONValue)
        #expect(!String(decoding: receiver.received[0].body, as: UTF8.self).contains(code))
        let mail = try #require(post.sent.first)
        #expect(mail.html == "<b>ada</b> types \(code) \(code) {other} {##here")
        #expect(mail.subject == "Your code: \(code)  Bcc: eve@example.com")
        #expect(mail.text.contains(code))
    }

    @Test(
        "R14.6 words without what the message is sent for, too many, or a no: nothing is sent, and the outbox says why",
        arguments: [
            (["emailMessage": "Welcome"], OutboxMessage.State.pending, "{####}"),
            (["emailMessage": .string("{####}" + String(repeating: "x", count: 20_000))], .pending, "20000"),
            (["emailSubject": 7], .pending, "emailSubject"), (nil, .failed, "refused"),
        ] as [(JSONObject?, OutboxMessage.State, String)])
    func unusable(_ response: JSONObject?, _ state: OutboxMessage.State, _ reason: String) async throws {
        let receiver = HookReceiver { received throws(HookCallFailure) in
            response.map { Self.answer(received, $0) } ?? HookReply(["errorMessage": "No"], status: 400)
        }
        let bench = try await Self.bench(receiver)
        _ = try await Self.signUp(bench)
        let post = Post()
        _ = await Self.worker(bench, mail: post).deliverDue(at: bench.now)
        #expect(post.sent.isEmpty)
        let message = try #require(try await bench.message(to: "ada@example.com", kind: "confirmation"))
        #expect(message.state == state && message.lastError?.contains(reason) == true)
        #expect(state == .failed || message.code?.isEmpty == false)
    }

    @Test("R14.6 an administrator's new user is worded with name and password, neither of which is markup")
    func invitation() async throws {
        let receiver = HookReceiver { received throws(HookCallFailure) in
            Self.answer(received, ["emailMessage": "{username}: {####}"])
        }
        let bench = try await Self.bench(receiver)
        _ = try await bench.done(
            "AdminCreateUser",
            [
                "UserPoolId": .string(bench.poolID), "Username": "a<i>da", "TemporaryPassword": "Ab1<{username}>{####}",
                "UserAttributes": [["Name": "email", "Value": "ada@example.com"]],
            ])
        let post = Post()
        _ = await Self.worker(bench, mail: post).deliverDue(at: bench.now)
        let event = try #require(receiver.received.first?.object)
        #expect(event["triggerSource"]?.stringValue == "CustomMessage_AdminCreateUser")
        #expect(event["request"]?.objectValue?["usernameParameter"]?.stringValue == "{username}")
        #expect(post.sent.first?.html == "a&lt;i&gt;da: Ab1&lt;{username}&gt;{####}")
    }

    @Test("R14.6 what nobody carries nobody words, and what has no code is not asked about")
    func unasked() async throws {
        let receiver = HookReceiver { _ throws(HookCallFailure) in HookReply(["errorMessage": "No"], status: 400) }
        let bench = try await Self.bench(receiver)
        _ = try await Self.signUp(bench)
        _ = await Self.worker(bench, mail: nil).deliverDue(at: bench.now)
        #expect(receiver.received.isEmpty)
        #expect(try await bench.message(to: "ada@example.com", kind: "confirmation")?.state == .kept)
        var user = User(id: UserID("u"), directoryID: bench.directory.id, createdAt: bench.now)
        user.username = try Username("ada")
        let notice = Letter(kind: "password_changed", recipient: "ada@example.com", text: "Changed")
        #expect(CustomMessage(notice, of: user, isText: false) == nil)
    }

    @Test(
        "R14.6 each kind of code has the service's source, and a message by link may have the link in place of the code"
    )
    func sources() throws {
        var user = User(id: UserID("u"), directoryID: DirectoryID("d"), createdAt: CognitoBench.now)
        func source(_ kind: String) -> String? {
            CustomMessage(Letter(kind: kind, recipient: "", text: "", code: "123456"), of: user, isText: false)?.source
        }
        #expect(source("confirmation") == "CustomMessage_SignUp" && source("phone_sign_in") == "CustomMessage_SignUp")
        user.confirmedAt = CognitoBench.now
        #expect(source("confirmation") == "CustomMessage_VerifyUserAttribute")
        #expect(source("phone_sign_in") == "CustomMessage_VerifyUserAttribute")
        user.phoneVerifiedAt = CognitoBench.now
        #expect(source("phone_sign_in") == "CustomMessage_Authentication")
        #expect(source("recovery") == "CustomMessage_ForgotPassword")
        #expect(source("email_change_new") == "CustomMessage_UpdateUserAttribute")
        #expect(source("factor_code") == "CustomMessage_Authentication" && source("invite") == nil)

        let letter = Letter(
            kind: "recovery", recipient: "", text: "", code: "123456", link: "https://a.example/?x=\"1\"&y=2")
        let message = try #require(CustomMessage(letter, of: user, isText: false))
        let worded = try message.worded(["emailMessage": "Press {##here##} or {##there##}."])
        let address = "https://a.example/?x=&quot;1&quot;&amp;y=2"
        #expect(worded.html == "Press <a href=\"\(address)\">here</a> or <a href=\"\(address)\">there</a>.")
        let text = try #require(CustomMessage(letter, of: user, isText: true))
        #expect(throws: AuthError.self) { try text.worded(["smsMessage": "Press {##here##}"]) }
        #expect(try text.worded(["smsMessage": "{####} is yours"]).text == "123456 is yours")
    }
}
