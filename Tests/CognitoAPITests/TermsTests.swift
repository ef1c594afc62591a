// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import TestBench
import Testing

@testable import CognitoAPI

@Suite("G-11 Terms in this dialect") struct TermsTests {
    @Test("G-11 a sign-in is not authorized, in words that say where to agree; ClientMetadata says that a user does")
    func refused() async throws {
        let bench = try await CognitoBench()
        let client = try await bench.clientID(["ExplicitAuthFlows": ["ALLOW_USER_PASSWORD_AUTH"]])
        try await bench.signedUp("ada", email: "ada@example.com", client: client)
        let draft = TermsDraft(
            reference: try #require(TermsReference(name: "terms", version: "1")), isDemanded: true,
            texts: ["en": Terms.Text(title: "Terms", url: "https://app.example/terms")])
        let call = CallContext(
            directory: bench.directory, now: bench.now, device: DeviceMetadata(), language: .en, links: PlainLinks(),
            actor: .commandLine)
        try await TermsAdministration(bench.ports).publish([draft], call: call)
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
