// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite struct AnonymousSignUpTests {
    private let anonymous: @Sendable (inout DirectorySettings) -> Void = { $0.signUp.anonymousEnabled = true }

    private func open(_ bench: PasswordBench, _ metadata: JSONObject = [:]) async throws -> IssuedSession {
        try await AnonymousSignUp(bench.ports)(userMetadata: metadata, call: bench.call()).session()
    }

    @Test("An anonymous user has a session and nothing else, and costs no hash")
    func opens() async throws {
        let bench = try await PasswordBench(anonymous)
        let issued = try await open(bench, ["theme": "dark", "none": .null])
        #expect(issued.user.isAnonymous && issued.identities.isEmpty)
        #expect(issued.user.email == nil && issued.user.phone == nil && issued.user.passwordHash == nil)
        #expect(issued.user.userMetadata == ["theme": "dark"] && issued.user.appMetadata.isEmpty)
        #expect(issued.session.methods.map(\.name) == [.anonymous])
        #expect(bench.passwords.all == 0)
        let next = try await bench.refresh(issued.refreshToken, at: bench.call(after: .hours(1)))
        #expect(next.user.isAnonymous)
        #expect(Set(try await bench.base.events().map(\.action)) == [.signedUp, .signedIn])
    }

    @Test("Anonymous users are let in where the Directory says so, and sign-up is on at all")
    func disabled() async throws {
        let bench = try await PasswordBench()
        await #expect(throws: AuthError(.anonymousDisabled)) { try await open(bench) }
        let off = try await PasswordBench {
            $0.signUp.anonymousEnabled = true
            $0.signUp.enabled = false
        }
        await #expect(throws: AuthError(.signUpDisabled)) { try await open(off) }
        #expect(try await bench.userCount() == 0)
    }

    @Test("Each anonymous sign-up is another user, also when they come at once")
    func distinct() async throws {
        let bench = try await PasswordBench(anonymous)
        let ids = try await withThrowingTaskGroup(of: UserID.self) { group in
            for _ in 0..<20 { group.addTask { try await open(bench).user.id } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 20)
        #expect(try await bench.userCount() == 20)
    }

    @Test("Nothing is left when the store fails")
    func storeFails() async throws {
        let bench = try await PasswordBench(anonymous)
        let store = CrashingStore(bench.store, random: SeededRandom(seed: 1), percent: 100)
        await #expect(throws: CrashingStore.Crash.self) {
            try await AnonymousSignUp(bench.ports(over: store))(userMetadata: [:], call: bench.call())
        }
        #expect(try await bench.userCount() == 0)
    }

    @Test("An anonymous user who confirms an address keeps their identifier, session and data, and has a name")
    func upgrade() async throws {
        let bench = try await PasswordBench(anonymous)
        let issued = try await open(bench, ["theme": "dark"])
        let asked = try await bench.update(issued) { $0.email = try EmailAddress("a@example.com") }
        #expect(asked.user.isAnonymous && asked.user.email == nil)
        let proof = try await link(bench, "a@example.com")
        // The password may be set while the link is on its way.
        try await bench.update(issued) { $0.password = Secret(PasswordBench.password) }
        await #expect(throws: AuthError(.invalidCredentials)) { try await bench.signIn() }
        _ = try await VerifyProof(bench.ports)(.link(token: proof), purposes: [.emailChangeNew], call: bench.call())
        let known = try await bench.signIn()
        #expect(known.user.id == issued.user.id && !known.user.isAnonymous)
        #expect(known.user.userMetadata == ["theme": "dark"])
        #expect(known.identities.map(\.provider) == ["email"])
        #expect(try await bench.authenticated(issued).user.isAnonymous == false)
    }

    @Test("Where addresses confirm themselves one call makes an anonymous user known")
    func upgradeAtOnce() async throws {
        let bench = try await PasswordBench {
            $0.signUp.anonymousEnabled = true
            $0.signUp.emailAutoConfirm = true
        }
        try await bench.user("taken@example.com")
        let issued = try await open(bench)
        await #expect(throws: AuthError(.emailExists)) {
            try await bench.update(issued) { $0.email = try EmailAddress("taken@example.com") }
        }
        let record = try await bench.update(issued) {
            $0.email = try EmailAddress("a@example.com")
            $0.password = Secret(PasswordBench.password)
        }
        #expect(!record.user.isAnonymous && record.user.emailVerifiedAt != nil)
        #expect(record.user.appMetadata["provider"] == "email")
        #expect(try await bench.signIn().user.id == issued.user.id)
    }

    @Test("A password alone is no use to an anonymous user, and is refused before it is hashed")
    func passwordAlone() async throws {
        let bench = try await PasswordBench(anonymous)
        let issued = try await open(bench)
        await #expect(throws: AuthError(.invalidRequest)) {
            try await bench.update(issued) { $0.password = Secret(PasswordBench.password) }
        }
        #expect(bench.passwords.all == 0)
    }

    private func link(_ bench: PasswordBench, _ address: String) async throws -> String {
        let text = try #require(try await bench.base.messages(to: address).first?.link)
        return String(try #require(text.split(separator: "token=").last?.prefix(56)))
    }
}
