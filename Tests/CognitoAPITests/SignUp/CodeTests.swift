// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("How long codes work, and how often they are sent") struct CodeTests {
    private static func signUp(_ bench: CognitoBench, _ client: String) async throws {
        _ = try await bench.done(
            "SignUp",
            [
                "ClientId": .string(client), "Username": "ada", "Password": .string(CognitoBench.password),
                "UserAttributes": [["Name": "email", "Value": "ada@example.com"]],
            ])
    }

    private static func confirm(
        _ bench: CognitoBench, _ client: String, _ code: String
    ) async throws -> CognitoBench.Reply {
        try await bench.send(
            "ConfirmSignUp",
            ["ClientId": .string(client), "Username": "ada", "ConfirmationCode": .string(code)], signed: false)
    }

    @Test(
        "R10.4 a sign-up's code works for a day, and for as long as the operator says",
        arguments: [(nil, 86_399, true), (nil, 86_401, false), (300, 299, true), (300, 301, false)]
            as [(
                Int?, Int64, Bool
            )])
    func signUps(setting: Int?, seconds: Int64, isGood: Bool) async throws {
        let bench = try await CognitoBench(directory: { $0.oneTime.codeLifetime = setting })
        let client = try await bench.clientID()
        try await Self.signUp(bench, client)
        let message = try #require(try await bench.message(to: "ada@example.com"))
        #expect(message.text.contains(setting == nil ? "24 h" : "5 min"), "\(message.text)")
        bench.advance(by: .seconds(seconds))
        let reply = try await Self.confirm(bench, client, message.code ?? "")
        #expect((reply.status == 200) == isGood, "\(reply.refusal)")
    }

    @Test("R10.4 a code for a forgotten password works for an hour", arguments: [(3599, true), (3601, false)])
    func recovery(seconds: Int64, isGood: Bool) async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID()
        try await bench.signedUp("ada", email: "ada@example.com", client: client)
        _ = try await bench.done("ForgotPassword", ["ClientId": .string(client), "Username": "ada"])
        let code = try await bench.code(to: "ada@example.com", kind: "recovery")
        bench.advance(by: .seconds(seconds))
        let reply = try await bench.send(
            "ConfirmForgotPassword",
            [
                "ClientId": .string(client), "Username": "ada", "ConfirmationCode": .string(code),
                "Password": "Another-horse-8-battery",
            ])
        #expect((reply.status == 200) == isGood, "\(reply.refusal)")
    }

    @Test("R10.4 whatever the clock says, a code that is asked for again is sent, and only the last one works")
    func again() async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID()
        try await Self.signUp(bench, client)
        let first = try await bench.code(to: "ada@example.com")
        // Only so that the messages have an order.
        bench.advance(by: .seconds(1))
        _ = try await bench.done("ResendConfirmationCode", ["ClientId": .string(client), "Username": "ada"])
        let second = try await bench.code(to: "ada@example.com")
        #expect(first != second)
        #expect(try await Self.confirm(bench, client, first).exception == "CodeMismatchException")
        #expect(try await Self.confirm(bench, client, second).status == 200)
        var codes: Set<String> = []
        for _ in 0..<3 {
            bench.advance(by: .seconds(1))
            _ = try await bench.done("ForgotPassword", ["ClientId": .string(client), "Username": "ada"])
            codes.insert(try await bench.code(to: "ada@example.com", kind: "recovery"))
        }
        #expect(codes.count == 3)
    }

    @Test(
        "R10.4 one message too many is said to be one, of a user as of nobody, to whoever asked and nobody else",
        arguments: ["ResendConfirmationCode", "ForgotPassword"])
    func limit(operation: String) async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID()
        try await Self.signUp(bench, client)
        let limit = bench.directory.settings.limits.messagesPerRecipient
        for (number, name) in ["ada", "nobody", "ada@example.com", "nobody@example.com"].enumerated() {
            let asked: JSONObject = ["ClientId": .string(client), "Username": .string(name)]
            var refusals: [CognitoBench.Reply] = []
            for _ in 0..<(limit.count + 2) {
                let reply = try await bench.send(operation, asked, from: "203.0.113.\(number)")
                if reply.status != 200 { refusals.append(reply) }
            }
            #expect(refusals.count == 2, "\(name)")
            #expect(
                refusals.allSatisfy {
                    $0.refusal == "LimitExceededException: Attempt limit exceeded, please try after some time."
                })
            #expect(try await bench.send(operation, asked, from: "198.51.100.9").status == 200, "\(name)")
        }
        // The mailbox had no more than anybody may have.
        let sent = try await bench.ports.store.read { [id = bench.directory.id] in
            try $0.outbox(in: id, recipient: "ada@example.com", limit: 50).count
        }
        #expect(sent <= limit.count + 1, "\(sent)")
    }

    @Test("R10.4 a client that asked to be told is told that nothing was sent, for which address ever it was")
    func told() async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID(["PreventUserExistenceErrors": "LEGACY"])
        try await bench.signedUp("ada", email: "ada@example.com", client: client)
        var replies: [CognitoBench.Reply] = []
        for host in 1...9 {
            replies.append(
                try await bench.send(
                    "ForgotPassword", ["ClientId": .string(client), "Username": "ada"], from: "203.0.\(host).7"))
        }
        let sent = replies.count { $0.status == 200 }
        #expect(sent == bench.directory.settings.limits.messagesPerRecipient.count)
        #expect(replies.dropFirst(sent).allSatisfy { $0.exception == "LimitExceededException" })
        let messages = try await bench.ports.store.read { [id = bench.directory.id] in
            try $0.outbox(in: id, recipient: "ada@example.com", limit: 50).count { $0.kind == "recovery" }
        }
        #expect(messages == sent)
    }
}
