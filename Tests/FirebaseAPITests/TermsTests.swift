// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import Testing

@testable import FirebaseAPI

@Suite("G-11 Terms in this dialect") struct TermsTests {
    private static let email = "ada@example.com"

    @Test("G-11 a sign-in is refused as by a blocking function, with the page where to agree, in a form that apps read")
    func refused() async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser(Self.email)
        let draft = TermsDraft(
            reference: try #require(TermsReference(name: "terms", version: "1")), isDemanded: true,
            texts: ["en": Terms.Text(title: "Terms", url: "https://app.example/terms")])
        let call = CallContext(
            directory: bench.directory, now: bench.now, device: DeviceMetadata(), language: .en, links: PlainLinks(),
            actor: .commandLine)
        try await TermsAdministration(bench.ports).publish([draft], call: call)
        let refused = try await bench.signIn(Self.email)
        #expect(refused.status == 400 && refused.code == "BLOCKING_FUNCTION_ERROR_RESPONSE")
        #expect(refused["idToken"] == nil)
        let message = try #require(refused["error"]?.objectValue?["message"]?.stringValue)
        let object = try JSONObject(parsing: Array(message.drop { $0 != "{" }.utf8))
        let error = object["error"]?.objectValue
        let details = error?["details"]?.objectValue
        #expect(error?["status"] == "PERMISSION_DENIED" && details?["code"] == "terms_not_agreed")
        #expect(
            details?["page"]?.stringValue?.hasPrefix("https://auth.example/account/terms?agreement=") == true,
            "\(message)")
        let name = try #require(HTTPField.Name("X-Agreed-Terms"))
        let body: JSONObject = [
            "email": .string(Self.email), "password": .string(FirebaseBench.password), "returnSecureToken": true,
        ]
        let taken = try await bench.send(
            .post, "\(FirebaseBench.toolkit)/v1/accounts:signInWithPassword?key=\(bench.key)",
            body: JSONValue.object(body).text, headers: [name: "terms=1"])
        #expect(taken.status == 200 && taken["idToken"] != nil)
        #expect(try await bench.signIn(Self.email).status == 200)
    }
}
