// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import TestBench
import Testing

@testable import CognitoAPI

@Suite("G-11 Terms in this dialect") struct TermsTests {
    private func publish(_ bench: CognitoBench) async throws {
        let draft = TermsDraft(
            reference: try #require(TermsReference(name: "terms", version: "1")), isDemanded: true,
            texts: ["en": Terms.Text(title: "Terms", url: "https://app.example/terms")])
        let call = CallContext(
            directory: bench.directory, now: bench.now, device: DeviceMetadata(), language: .en, links: PlainLinks(),
            actor: .commandLine)
        try await TermsAdministration(bench.ports).publish([draft], call: call)
    }

    private func said(_ email: String, _ bench: CognitoBench) async throws -> [Agreement] {
        let (address, home) = (try EmailAddress(email), bench.directory.id)
        return try await bench.ports.store.read { tx in
            let user = try tx.user(email: address, in: home)
            return try user.map { try tx.agreements(of: $0.id, in: home, after: nil, limit: 10) } ?? []
        }
    }

    @Test(
        "G-11 what a SignUp agrees to is its user's once it is confirmed, as of when it was said; another's is not",
        arguments: [true, false])
    func signUp(agrees: Bool) async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID(["ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"]])
        try await publish(bench)
        var body: JSONObject = [
            "ClientId": .string(client), "Username": "ada", "Password": .string(CognitoBench.password),
            "UserAttributes": [["Name": "email", "Value": "ada@example.com"]],
        ]
        if agrees { body["ClientMetadata"] = ["agreedTerms": "terms=1"] }
        _ = try await bench.done("SignUp", body)
        #expect(try await said("ada@example.com", bench).isEmpty)
        let saidAt = bench.now
        bench.advance(by: .minutes(2))
        let code = try await bench.code(to: "ada@example.com", kind: "confirmation")
        _ = try await bench.done(
            "ConfirmSignUp",
            ["ClientId": .string(client), "Username": "ada", "ConfirmationCode": .string(code)])
        let words = try await said("ada@example.com", bench)
        #expect(words.map(\.at) == (agrees ? [saidAt] : []))
        #expect(words.allSatisfy { $0.occasion == .signUp && $0.dialect == CognitoDialect.name })
        let reply = try await bench.send(
            "InitiateAuth",
            [
                "ClientId": .string(client), "AuthFlow": "USER_PASSWORD_AUTH",
                "AuthParameters": ["USERNAME": "ada", "PASSWORD": .string(CognitoBench.password)],
            ])
        #expect((reply.json["AuthenticationResult"] != nil) == agrees, "\(reply.json)")
    }

    @Test("G-11 a sign-in is not authorized, in words that say where to agree; ClientMetadata says that a user does")
    func refused() async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID(["ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"]])
        try await bench.signedUp("ada", email: "ada@example.com", client: client)
        try await publish(bench)
        var body: JSONObject = [
            "ClientId": .string(client), "AuthFlow": "USER_PASSWORD_AUTH",
            "AuthParameters": ["USERNAME": "ada", "PASSWORD": .string(CognitoBench.password)],
        ]
        let refused = try await bench.send("InitiateAuth", body)
        #expect(refused.status == 400 && refused.exception == "NotAuthorizedException")
        #expect(refused.message?.contains("/account/terms?agreement=") == true, "\(refused.message ?? "")")
        body["ClientMetadata"] = ["agreedTerms": "terms"]
        #expect(try await bench.send("InitiateAuth", body).exception == "InvalidParameterException")
        body["ClientMetadata"] = ["agreedTerms": "terms=1"]
        let taken = try await bench.done("InitiateAuth", body)
        #expect(taken["AuthenticationResult"] != nil)
        body["ClientMetadata"] = nil
        #expect(try await bench.done("InitiateAuth", body)["AuthenticationResult"] != nil)
    }
}
