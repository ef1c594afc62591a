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

    private func publish(_ bench: FirebaseBench) async throws {
        let draft = TermsDraft(
            reference: try #require(TermsReference(name: "terms", version: "1")), isDemanded: true,
            texts: ["en": Terms.Text(title: "Terms", url: "https://app.example/terms")])
        let call = CallContext(
            directory: bench.directory, now: bench.now, device: DeviceMetadata(), language: .en, links: PlainLinks(),
            actor: .commandLine)
        try await TermsAdministration(bench.ports).publish([draft], call: call)
    }

    /// A call whose app says what its user has agreed to.
    private func agreeing(
        _ operation: String, _ body: JSONObject, _ terms: String, _ bench: FirebaseBench
    ) async throws -> FirebaseBench.Reply {
        let name = try #require(HTTPField.Name("X-Agreed-Terms"))
        return try await bench.send(
            .post, "\(FirebaseBench.toolkit)/v1/accounts:\(operation)?key=\(bench.key)",
            body: JSONValue.object(body).text, headers: [name: terms])
    }

    private func said(_ name: SignInIdentifier, _ bench: FirebaseBench) async throws -> [Agreement] {
        let home = bench.directory.id
        return try await bench.ports.store.read { tx in
            let user: User? =
                switch name {
                case .email(let address): try tx.user(email: address, in: home)
                case .phone(let number): try tx.user(phone: number, in: home)
                case .username, .user: nil
                }
            return try user.map { try tx.agreements(of: $0.id, in: home, after: nil, limit: 10) } ?? []
        }
    }

    private static func linkRequest(_ email: String) -> JSONObject {
        [
            "requestType": "EMAIL_SIGNIN", "email": .string(email), "continueUrl": "https://app.example/in",
            "canHandleCodeInApp": true,
        ]
    }

    @Test(
        "G-11 what is agreed to with a link that signs up is its user's once it is answered, and nobody's before",
        arguments: [true, false])
    func link(agrees: Bool) async throws {
        let bench = try await FirebaseBench()
        try await publish(bench)
        let request = Self.linkRequest("new@example.com")
        let asked =
            agrees
            ? try await agreeing("sendOobCode", request, "terms=1", bench)
            : try await bench.call("sendOobCode", request)
        #expect(asked.status == 200, "\(asked.text)")
        let name = SignInIdentifier.email(try EmailAddress("new@example.com"))
        #expect(try await said(name, bench).isEmpty)
        let saidAt = bench.now
        bench.advance(.minutes(2))
        let link = try await bench.mail("new@example.com").link
        let code: JSONValue = .string(try #require(FirebaseBench.parameter("oobCode", of: link)))
        let reply = try await bench.call("signInWithEmailLink", ["email": "new@example.com", "oobCode": code])
        #expect((reply["idToken"] != nil) == agrees, "\(reply.text)")
        #expect(agrees || reply.code == "BLOCKING_FUNCTION_ERROR_RESPONSE")
        let words = try await said(name, bench)
        #expect(words.map(\.at) == (agrees ? [saidAt] : []))
        #expect(words.allSatisfy { $0.occasion == .signUp && $0.dialect == FirebaseDialect.name })
    }

    @Test("G-11 what is agreed to with a code for a number is its user's once it is answered")
    func number() async throws {
        let bench = try await FirebaseBench(development: true) { $0.signUp.phoneEnabled = true }
        try await publish(bench)
        let asked = try await agreeing(
            "sendVerificationCode", ["phoneNumber": "+4915112345678"], "terms=1", bench)
        #expect(asked.status == 200, "\(asked.text)")
        let name = SignInIdentifier.phone(try PhoneNumber("+4915112345678"))
        #expect(try await said(name, bench).isEmpty)
        let code = try #require(try await bench.mail("+4915112345678").code)
        let reply = try await bench.call(
            "signInWithPhoneNumber", ["sessionInfo": try #require(asked["sessionInfo"]), "code": .string(code)])
        #expect(reply["idToken"] != nil, "\(reply.text)")
        #expect(try await said(name, bench).map(\.occasion) == [.signUp])
    }

    @Test("G-11 terms that there are not are refused with a request for a link, and nothing is sent")
    func unknown() async throws {
        let bench = try await FirebaseBench()
        try await publish(bench)
        let reply = try await agreeing("sendOobCode", Self.linkRequest("new@example.com"), "terms=7", bench)
        #expect(reply.status == 400, "\(reply.text)")
        #expect(try await bench.mailCount("new@example.com") == 0)
    }

    @Test("G-11 a sign-in is refused as by a blocking function, with the page where to agree, in a form that apps read")
    func refused() async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser(Self.email)
        try await publish(bench)
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
        let body: JSONObject = [
            "email": .string(Self.email), "password": .string(FirebaseBench.password), "returnSecureToken": true,
        ]
        let taken = try await agreeing("signInWithPassword", body, "terms=1", bench)
        #expect(taken.status == 200 && taken["idToken"] != nil)
        #expect(try await bench.signIn(Self.email).status == 200)
    }
}
