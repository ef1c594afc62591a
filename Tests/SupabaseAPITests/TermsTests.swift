// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

@Suite("G-11 Terms in this dialect") struct TermsTests {
    private static let email = "ada@example.com"
    private static let header = ["X-Agreed-Terms": "terms=1"]

    private func bench(_ change: (inout DirectorySettings) -> Void = { _ in }) async throws -> SupabaseBench {
        let bench = try await SupabaseBench { change(&$0) }
        let draft = TermsDraft(
            reference: try #require(TermsReference(name: "terms", version: "1")), isDemanded: true,
            texts: ["en": Terms.Text(title: "Terms", url: "https://app.example/terms")])
        try await TermsAdministration(bench.accounts.ports).publish([draft], call: bench.accounts.call())
        return bench
    }

    @Test(
        "G-11 a sign-in is refused by a code of its own, with the page where to agree, and taken once the app says so")
    func password() async throws {
        let bench = try await bench()
        try await bench.addUser(Self.email)
        let refused = try await bench.signIn(Self.email)
        #expect(refused.outcome == "403 terms_not_agreed" && refused["access_token"] == nil)
        let text = refused["msg"]?.stringValue ?? ""
        #expect(text.contains(": https://auth.example/account/terms?agreement="), "\(text)")
        let body: JSONObject = ["email": .string(Self.email), "password": .string(SupabaseBench.password)]
        let wrong = try await bench.send(
            .post, "/token?grant_type=password", body, headers: ["X-Agreed-Terms": "terms"])
        #expect(wrong.outcome == "400 validation_failed")
        let taken = try await bench.send(.post, "/token?grant_type=password", body, headers: Self.header)
        #expect(taken.status == 200)
        #expect(try await bench.signIn(Self.email).status == 200)
    }

    @Test("G-11 a sign-up says what was agreed to, and opens the session that it could not open without")
    func signUp() async throws {
        let bench = try await bench { $0.signUp.emailAutoConfirm = true }
        let body: JSONObject = ["email": "new@example.com", "password": .string(SupabaseBench.password)]
        let reply = try await bench.send(.post, "/signup", body, headers: Self.header)
        #expect(reply.status == 200 && reply["access_token"] != nil)
        let other = try await bench.post("/signup", body.merging(["email": "other@example.com"]))
        #expect(other.outcome == "403 terms_not_agreed")
    }

    @Test(
        "R14.8 what a sign-up agrees to is kept until its message is answered, and is then its user's; another's is not",
        arguments: [true, false])
    func awaited(isAgreed: Bool) async throws {
        let bench = try await bench()
        let body: JSONObject = ["email": "new@example.com", "password": .string(SupabaseBench.password)]
        // Two people who name one address: one of them agrees.
        var codes: [String] = []
        for isLast in [false, true] {
            bench.accounts.advance(by: .minutes(5))
            let reply = try await bench.send(
                .post, "/signup", body, headers: isLast == isAgreed ? Self.header : [:])
            #expect(reply.status == 200 && reply["access_token"] == nil)
            let sent = try await bench.accounts.messages(to: "new@example.com", kind: "confirmation")
            codes += sent.compactMap(\.code).filter { !codes.contains($0) }
        }
        #expect(codes.count == 2)
        let saidAt = bench.accounts.now
        bench.accounts.advance(by: .minutes(5))
        let verified = try await bench.post(
            "/verify", ["type": "signup", "email": "new@example.com", "token": .string(try #require(codes.last))])
        #expect(verified.outcome == (isAgreed ? "200 " : "403 terms_not_agreed"))
        #expect((verified["access_token"] != nil) == isAgreed)
        let (email, home) = (try EmailAddress("new@example.com"), bench.accounts.directory.id)
        let said = try await bench.accounts.ports.store.read { tx in
            let user = try tx.user(email: email, in: home)
            return try user.map { try tx.agreements(of: $0.id, in: home, after: nil, limit: 10) } ?? []
        }
        #expect(said.count == (isAgreed ? 1 : 0))
        #expect(
            said.allSatisfy { $0.occasion == .signUp && $0.at == saidAt && $0.dialect == DialectName("supabase") })
    }

    /// What is stored of the words of whoever has an address or a number.
    private func said(_ name: SignInIdentifier, _ bench: SupabaseBench) async throws -> [Agreement] {
        let home = bench.accounts.directory.id
        return try await bench.accounts.ports.store.read { tx in
            let user: User? =
                switch name {
                case .email(let address): try tx.user(email: address, in: home)
                case .phone(let number): try tx.user(phone: number, in: home)
                case .username, .user: nil
                }
            return try user.map { try tx.agreements(of: $0.id, in: home, after: nil, limit: 10) } ?? []
        }
    }

    @Test(
        "G-11 what a sign-up by /otp or /magiclink agrees to is its user's once the message is answered, as of when it was said",
        arguments: ["/otp", "/magiclink", "phone"])
    func passwordless(way: String) async throws {
        let bench = try await bench { $0.signUp.phoneEnabled = true }
        let isPhone = way == "phone"
        let body: JSONObject = isPhone ? ["phone": "4915112345678"] : ["email": "new@example.com"]
        let asked = try await bench.send(.post, isPhone ? "/otp" : way, body, headers: Self.header)
        #expect(asked.status == 200, "\(asked.text)")
        let name: SignInIdentifier =
            isPhone ? .phone(try PhoneNumber("+4915112345678")) : .email(try EmailAddress("new@example.com"))
        #expect(try await said(name, bench).isEmpty)
        let saidAt = bench.accounts.now
        bench.accounts.advance(by: .minutes(2))
        let sent = try await bench.accounts.message(to: isPhone ? "+4915112345678" : "new@example.com")
        let answer: JSONObject = ["type": isPhone ? "sms" : "email", "token": .string(try #require(sent.code))]
        let verified = try await bench.post("/verify", body.merging(answer))
        #expect(verified.outcome == "200 " && verified["access_token"] != nil, "\(verified.text)")
        let words = try await said(name, bench)
        #expect(words.map(\.terms.version) == ["1"] && words.first?.at == saidAt)
        #expect(words.first?.occasion == .signUp && words.first?.dialect == DialectName("supabase"))
    }

    @Test("G-11 a stranger's /otp with the address of an account has its owner agree to nothing")
    func stranger() async throws {
        let bench = try await bench()
        try await bench.addUser(Self.email)
        _ = try await bench.send(
            .post, "/otp", ["email": .string(Self.email)], from: "198.51.100.7", headers: Self.header)
        let code = try #require(try await bench.accounts.message(to: Self.email).code)
        let verified = try await bench.post(
            "/verify", ["type": "email", "email": .string(Self.email), "token": .string(code)])
        #expect(verified.outcome == "403 terms_not_agreed" && verified["access_token"] == nil)
        #expect(try await said(.email(EmailAddress(Self.email)), bench).isEmpty)
    }

    @Test("G-11 terms that there are not are refused with a sign-up by a message, and nothing is sent")
    func unknown() async throws {
        let bench = try await bench()
        for path in ["/otp", "/magiclink"] {
            let reply = try await bench.send(
                .post, path, ["email": "new@example.com"], headers: ["X-Agreed-Terms": "terms=7"])
            #expect(reply.outcome == "400 validation_failed", "\(reply.text)")
        }
        #expect(try await bench.accounts.messages(to: "new@example.com").isEmpty)
    }

    @Test("G-11 a session that there is goes on, and codes and links obey as passwords do")
    func others() async throws {
        let bench = try await SupabaseBench()
        try await bench.addUser(Self.email)
        let session = try await bench.session(of: Self.email)
        let draft = TermsDraft(
            reference: try #require(TermsReference(name: "terms", version: "1")), isDemanded: true,
            texts: ["en": Terms.Text(title: "Terms", url: "https://app.example/terms")])
        try await TermsAdministration(bench.accounts.ports).publish([draft], call: bench.accounts.call())
        #expect(try await bench.refresh(session.refresh).status == 200)
        _ = try await bench.post("/otp", ["email": .string(Self.email)])
        let code = try #require(try await bench.accounts.messages(to: Self.email).first?.code)
        let verified = try await bench.post(
            "/verify", ["type": "email", "email": .string(Self.email), "token": .string(code)])
        #expect(verified.outcome == "403 terms_not_agreed" && verified["access_token"] == nil)
    }
}
