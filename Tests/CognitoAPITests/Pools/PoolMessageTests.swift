// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("A pool's own words for its messages")
struct PoolMessageTests {
    @Test(
        "R14.70 a pool's placeholders are the Directory's values, and its other braces never are",
        arguments: [
            ("Hi {username}: {####}.", "Hi {{username}}: {{code}}."), ("{####}", "{{code}}"), ("{{link}}", "{ {link}}"),
            ("{{####}}", "{ {{code}}}"), ("a{b}{{{c", "a{b}{ { {c"), ("{###}", "{###}"), ("", ""),
        ])
    func placeholders(own: String, ours: String) {
        #expect(PoolMessages.template(own) == ours)
    }

    @Test("R14.70 the words of CreateUserPool and UpdateUserPool are those of the mails, until an update says none")
    func life() async throws {
        let bench = try await CognitoBench()
        let pool = try await bench.makePool([
            "UsernameAttributes": ["email"],
            "VerificationMessageTemplate": [
                "EmailSubject": "Your code", "EmailMessage": "<b>{####}</b> for {username}", "SmsMessage": "SMS {####}",
                "DefaultEmailOption": "CONFIRM_WITH_CODE",
            ],
            "SmsAuthenticationMessage": "2FA {####}",
            "AdminCreateUserConfig": [
                "InviteMessageTemplate": ["EmailSubject": "Welcome {username}", "EmailMessage": "{username}: {####}"]
            ],
        ])
        let mail = try await bench.directory(ofPool: pool).settings.mail
        #expect(mail.texts == ["sms": "SMS {{code}}", "factor_code": "2FA {{code}}"])
        #expect(mail.subjects["temporary_password"] == "Welcome {{username}}")
        #expect(mail.bodies["temporary_password"] == "{{username}}: {{code}}")
        let client = try await bench.clientID(pool: pool)
        let sent = try await bench.send(
            "SignUp",
            ["ClientId": .string(client), "Username": "ada@example.com", "Password": .string(CognitoBench.password)],
            signed: false)
        #expect(sent.status == 200)
        let outbox = try await bench.ports.store.read {
            try $0.outbox(in: nil, recipient: "ada@example.com", limit: 10)
        }
        let message = try #require(outbox.first)
        #expect(message.subject == "Your code")
        #expect(message.html == "<b>\(message.code ?? "?")</b> for ada@example.com")

        let described = try await bench.done("DescribeUserPool", ["UserPoolId": .string(pool)])
        let shown = described["UserPool"]?.objectValue?["VerificationMessageTemplate"]?.objectValue
        #expect(shown?["EmailMessage"] == "<b>{####}</b> for {username}")
        _ = try await bench.done("UpdateUserPool", ["UserPoolId": .string(pool)])
        let after = try await bench.directory(ofPool: pool).settings.mail
        #expect(after.bodies.isEmpty && after.subjects.isEmpty && after.texts.isEmpty)
    }

    @Test("R14.70 words that no mail can be sent in are refused as a parameter, and no pool is made")
    func refused() async throws {
        let bench = try await CognitoBench()
        let reply = try await bench.send(
            "CreateUserPool",
            [
                "PoolName": "x",
                "AdminCreateUserConfig": ["InviteMessageTemplate": ["EmailMessage": "no password in it"]],
            ])
        #expect(reply.status == 400 && reply.exception == "InvalidParameterException", "\(reply.exception ?? "")")
    }
}
