// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite struct ExchangeCodeTests {
    private let verifier = String(repeating: "v", count: 64)

    private func code(_ bench: ProofBench, for user: User) async throws -> String {
        let proof = try await bench.proof(
            .magicLink, for: user, codeChallenge: PKCE.challenge(for: verifier))
        let outcome = try await VerifyProof(bench.ports)(
            .link(token: proof.linkToken), purposes: [.magicLink], call: bench.call())
        #expect(outcome.session == nil)
        return try #require(outcome.authorizationCode)
    }

    @Test("A link asked for with PKCE yields a code, and the code a session for whoever knows the verifier")
    func exchange() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let code = try await code(bench, for: user)
        #expect(try await bench.sessions(of: user).isEmpty)
        let issued = try await ExchangeCode(bench.ports)(code: code, verifier: verifier, call: bench.call()).session()
        #expect(issued.user.id == user.id)
        #expect(issued.session.methods.map(\.name) == [.magicLink])
    }

    @Test("R9.9 an authorization code is good for the client alone that asked for it, and for what it asked")
    func ofClient() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        var own = bench.call()
        own.client = Client(
            id: ClientID("own"), directoryID: user.directoryID, name: "", createdAt: bench.now, updatedAt: bench.now)
        var other = own
        other.client?.id = ClientID("other")
        for stranger in [other, bench.call()] {
            let proof = try await bench.proof(.magicLink, for: user, codeChallenge: PKCE.challenge(for: verifier))
            let outcome = try await VerifyProof(bench.ports)(
                .link(token: proof.linkToken), purposes: [.magicLink], call: own)
            let code = try #require(outcome.authorizationCode)
            await #expect(throws: AuthError(.flowStateNotFound)) {
                try await ExchangeCode(bench.ports)(code: code, verifier: verifier, call: stranger)
            }
            // Whoever tried has spent it.
            await #expect(throws: AuthError(.flowStateNotFound)) {
                try await ExchangeCode(bench.ports)(code: code, verifier: verifier, call: own)
            }
        }
        #expect(try await bench.sessions(of: user).isEmpty)
        for (given, isGood) in [(nil, false), ("https://app.example/back/", false), ("https://app.example/back", true)]
        {
            let request = AuthorizationRequest(
                clientID: ClientID("own"), redirectURI: "https://app.example/back",
                challenge: CodeChallenge(for: verifier))
            try await bench.store.write { [hash = OneTimeToken.hash(link: "code"), now = bench.now] tx in
                try tx.deleteAuthorizationCodes(of: user.id, in: user.directoryID)
                try tx.insert(
                    AuthorizationCode(
                        id: FlowStateID("flow"), directoryID: user.directoryID, userID: user.id, codeHash: hash,
                        request: request, methods: [AuthenticationMethod(.magicLink, at: now)],
                        createdAt: now, expiresAt: now + .minutes(1)))
            }
            let issued = try? await ExchangeCode(bench.ports)(
                code: "code", verifier: verifier, redirectURI: given, call: own
            ).session()
            #expect((issued != nil) == isGood, "\(given ?? "none")")
            if let issued { #expect(issued.session.clientID == ClientID("own")) }
        }
    }

    @Test("R8.9 the token hash of a PKCE request, which no link carries, gets the session at once")
    func tokenHandedOver() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let proof = try await bench.proof(.magicLink, for: user, codeChallenge: PKCE.challenge(for: verifier))
        #expect(!proof.link.contains(proof.tokenHash))
        #expect(OneTimeToken.linkToken(of: proof.linkToken) != proof.tokenHash)
        let outcome = try await VerifyProof(bench.ports)(
            .linkToken(proof.tokenHash), purposes: [.magicLink], call: bench.call())
        #expect(outcome.session != nil)
    }

    @Test(
        "R8.9 the link of a PKCE request, posted as a token hash, opens nothing, sets nothing, shows nothing and is not spent",
        arguments: [OneTimeToken.Purpose.magicLink, .recovery, .signUpConfirmation, .emailChangeNew])
    func linkPosted(purpose: OneTimeToken.Purpose) async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user {
            if purpose == .signUpConfirmation { $0.emailVerifiedAt = nil }
            if purpose == .emailChangeNew { $0.pendingEmail = try EmailAddress("new@example.com") }
        }
        let before = try await bench.base.reload(user)
        let recipient = Recipient.email(
            try EmailAddress(purpose == .emailChangeNew ? "new@example.com" : "a@example.com"))
        let proof = try await bench.base.proof(
            purpose, for: user, to: recipient, codeChallenge: PKCE.challenge(for: verifier))
        let stolen = Proof.linkToken(proof.linkToken)
        let all = OneTimeToken.Purpose.allCases
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await VerifyProof(bench.ports)(stolen, purposes: all, call: bench.call())
        }
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await ConfirmAddress(bench.ports)(stolen, purposes: all, call: bench.call())
        }
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await ResetPassword(bench.ports)(
                stolen, password: Secret(PasswordBench.newPassword), call: bench.call())
        }
        #expect(try await InspectProof(bench.ports)(stolen, purposes: all, call: bench.call()) == nil)
        let after = try await bench.base.reload(user)
        #expect(after.passwordHash == before.passwordHash && after.email == before.email)
        #expect(after.emailVerifiedAt == before.emailVerifiedAt)
        #expect(try await bench.base.sessions(of: user).isEmpty)
        let followed = try await VerifyProof(bench.ports)(
            .link(token: proof.linkToken), purposes: [purpose],
            call: bench.call { $0.oneTime.secureEmailChange = false })
        #expect(followed.session == nil && followed.authorizationCode != nil)
    }

    @Test("R8.9 a page of the operator's that links by the token hash gets a code, as by the link")
    func tokenHashInLink() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let proof = try await bench.proof(.magicLink, for: user, codeChallenge: PKCE.challenge(for: verifier))
        let outcome = try await VerifyProof(bench.ports)(
            .link(token: proof.tokenHash), purposes: [.magicLink], call: bench.call())
        #expect(outcome.authorizationCode != nil)
    }

    @Test("R26 a second use is refused, and ends the session that the first one got")
    func secondUse() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let code = try await code(bench, for: user)
        let exchange = ExchangeCode(bench.ports)
        _ = try await exchange(code: code, verifier: verifier, call: bench.call())
        await #expect(throws: AuthError(.flowStateNotFound)) {
            try await exchange(code: code, verifier: verifier, call: bench.call())
        }
        #expect(try await bench.sessions(of: user).isEmpty)
    }

    @Test("R25 of 50 parallel exchanges exactly one gets a session")
    func race() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let code = try await code(bench, for: user)
        let exchange = ExchangeCode(bench.ports)
        let verifier = verifier
        let successes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask { (try? await exchange(code: code, verifier: verifier, call: bench.call())) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(successes == 1)
    }

    @Test(
        "R49 a wrong, short, empty or odd verifier is refused, and the code is spent with it",
        arguments: [
            "", "v", String(repeating: "w", count: 64), String(repeating: "v", count: 200),
            String(repeating: "v", count: 63) + "=",
        ])
    func wrongVerifier(wrong: String) async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let code = try await code(bench, for: user)
        let exchange = ExchangeCode(bench.ports)
        await #expect(throws: AuthError(.codeVerifierMismatch)) {
            try await exchange(code: code, verifier: wrong, call: bench.call())
        }
        await #expect(throws: AuthError(.flowStateNotFound)) {
            try await exchange(code: code, verifier: verifier, call: bench.call())
        }
        #expect(try await bench.sessions(of: user).isEmpty)
    }

    @Test("An old code has expired; an unknown one is unknown")
    func expired() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let code = try await code(bench, for: user)
        let exchange = ExchangeCode(bench.ports)
        await #expect(throws: AuthError(.flowStateExpired)) {
            try await exchange(code: code, verifier: verifier, call: bench.call(after: .seconds(300)))
        }
        for unknown in ["", "unknown", String(repeating: "x", count: 1_000_000)] {
            await #expect(throws: AuthError(.flowStateNotFound)) {
                try await exchange(code: unknown, verifier: verifier, call: bench.call())
            }
        }
    }

    @Test("A user banned between the link and the exchange gets no session")
    func banned() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser("a@example.com")
        let code = try await code(bench, for: user)
        try await bench.store.write { tx in
            var banned = try #require(try tx.user(user.id, in: user.directoryID))
            banned.bannedUntil = Instant(seconds: 1_900_000_000)
            try tx.update(banned)
        }
        await #expect(throws: AuthError(.userBanned)) {
            try await ExchangeCode(bench.ports)(code: code, verifier: verifier, call: bench.call())
        }
        #expect(try await bench.sessions(of: user).isEmpty)
    }
}
