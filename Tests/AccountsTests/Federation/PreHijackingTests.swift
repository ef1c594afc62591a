// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import TestBench
import Testing

@testable import Accounts

/// Whoever opens an account in another's name has nothing of it once the owner comes by an identity provider
/// ("Pre-hijacking", USENIX Security 2022).
@Suite struct PreHijackingTests {
    private static let address = "victim@example.com"

    private func bench() async throws -> FederationBench { try await FederationBench() }

    /// An account with the victim's address that a stranger has opened and can use.
    private func strangers(_ bench: FederationBench) async throws -> (user: User, session: AuthenticatedUser) {
        let user = try await bench.user(email: Self.address) {
            $0.passwordHash = try PasswordHash(ProofBench.hash)
            $0.userMetadata = ["name": "Mallory"]
        }
        return (user, try await bench.session(of: user))
    }

    private func victim(_ bench: FederationBench) async throws -> FederatedOutcome {
        try await bench.signIn(
            bench.proof("google", "victim", email: Self.address, vouched: true, claims: ["name": "Vera"]))
    }

    @Test("R12.2 R47 R48 classic-federated merge: the stranger's password opens nothing any more")
    func password() async throws {
        let bench = try await bench()
        let (user, _) = try await strangers(bench)
        let outcome = try await victim(bench)
        #expect(outcome.record.user.id == user.id && outcome.moment == .tookOver)
        let taken = try #require(try await bench.reload(user))
        #expect(taken.passwordHash == nil && taken.srpVerifier == nil && taken.emailVerifiedAt != nil)
        #expect(taken.shared(.name) == "Vera")
        let providers = taken.appMetadata["providers"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(Set(providers) == ["email", "google"])
    }

    @Test("R12.2 R48 unexpired session: what the stranger has open ends, and their tokens with it")
    func session() async throws {
        let bench = try await bench()
        let (user, session) = try await strangers(bench)
        let outcome = try await bench.signIn(
            bench.proof("google", "victim", email: Self.address, vouched: true), call: bench.call(after: .seconds(5)))
        let id = try #require(session.session?.id)
        let ended = try await bench.accounts.ports.store.read { try $0.session(id, in: user.directoryID) }
        #expect(ended?.revokedAt != nil)
        #expect(try await bench.liveSessions(of: user) == 1)
        #expect(try !outcome.session().user.acceptsTokens(issuedAt: bench.accounts.now.seconds, at: bench.accounts.now))
    }

    @Test("R12.2 R48 trojan identifier: identities, numbers and consents that the stranger left lead nowhere")
    func trojan() async throws {
        let bench = try await bench()
        let (user, _) = try await strangers(bench)
        try await bench.insert("facebook", "stranger", for: user)
        let number = try PhoneNumber("+15555550100")
        try await bench.accounts.ports.store.write { tx in
            guard var stored = try tx.user(user.id, in: user.directoryID) else { return }
            stored.phone = number
            try tx.update(stored)
            try tx.insert(
                Client(
                    id: ClientID("trap"), directoryID: user.directoryID, name: "Trap", createdAt: bench.accounts.now,
                    updatedAt: bench.accounts.now))
            try tx.put(
                Consent(
                    directoryID: user.directoryID, userID: user.id, clientID: ClientID("trap"), scopes: ["openid"],
                    createdAt: bench.accounts.now, updatedAt: bench.accounts.now))
        }
        _ = try await victim(bench)
        #expect(try await bench.identities(of: user) == ["google victim"])
        #expect(try await bench.reload(user)?.phone == nil)
        let consents = try await bench.accounts.ports.store.read {
            try $0.consents(of: user.id, in: user.directoryID)
        }
        #expect(consents.isEmpty)
        let stranger = try await bench.signIn(
            bench.proof("facebook", "stranger"), policy: FederationPolicy(isEmailOptional: true))
        #expect(stranger.record.user.id != user.id)
    }

    @Test("R12.2 R48 a number that the stranger has proved: the owner gets an account of their own, with the address")
    func provedNumber() async throws {
        let bench = try await bench()
        let stranger = try await bench.user(email: Self.address, phone: "+15555550100") {
            $0.phoneVerifiedAt = bench.accounts.now
        }
        let outcome = try await victim(bench)
        #expect(outcome.record.user.id != stranger.id && outcome.record.user.emailVerifiedAt != nil)
        let left = try #require(try await bench.reload(stranger))
        #expect(left.email == nil && left.phone != nil)
    }

    @Test("R12.2 R48 unexpired change of address: what the stranger has asked for comes to nothing")
    func addressChange() async throws {
        let bench = try await bench()
        let (user, _) = try await strangers(bench)
        let token: OneTimeToken? = try await bench.accounts.ports.write(bench.call()) { step in
            guard var stored = try step.tx.user(user.id, in: step.directory) else { return nil }
            stored.pendingEmail = try EmailAddress("mallory@example.com")
            _ = try OneTimeIssuer(step).send(
                .emailChangeNew, to: &stored, recipient: .email(try EmailAddress("mallory@example.com")),
                redirectTo: nil, codeChallenge: nil)
            try step.tx.update(stored)
            return try step.tx.oneTimeToken(of: user.id, purpose: .emailChangeNew, in: step.directory)
        }
        #expect(token != nil)
        _ = try await victim(bench)
        #expect(try await bench.reload(user)?.pendingEmail == nil)
        let left = try await bench.accounts.ports.store.read {
            try $0.oneTimeToken(of: user.id, purpose: .emailChangeNew, in: user.directoryID)
        }
        #expect(left == nil)
    }

    @Test(
        "R12.2 R46 R48 non-verifying identity provider: the victim's address is not theirs who only says so",
        arguments: FederationDecision.Unvouched.allCases)
    func nonVerifying(unvouched: FederationDecision.Unvouched) async throws {
        let bench = try await bench()
        let owner = try await bench.owner(Self.address)
        let claim = try bench.proof("custom:acme", "mallory", email: Self.address)
        var stranger: FederatedOutcome?
        let refusal = await bench.refusal {
            stranger = try await bench.signIn(claim, policy: FederationPolicy(unvouched: unvouched))
        }
        #expect(refusal == (unvouched == .needsConfirmation ? .needsConfirmation : nil))
        #expect(stranger?.record.user.id != owner.id && stranger?.record.user.email == nil)
        #expect(try await bench.identities(of: owner).isEmpty)
        // And before the owner comes: an account with the address, which is the owner's when they do.
        let early = try bench.proof("custom:acme", "early", email: "late@example.com")
        let opened = try await bench.signIn(early)
        #expect(opened.record.user.email != nil && opened.record.user.isUnverified)
        let late = try await bench.signIn(
            bench.proof("apple", "owner", email: "late@example.com", vouched: true))
        #expect(late.record.user.id == opened.record.user.id && late.moment == .tookOver)
        #expect(try await bench.identities(of: opened.record.user) == ["apple owner"])
        #expect(try await bench.liveSessions(of: opened.record.user) == 1)
    }

    @Test(
        "R12.2 R48 whoever proves the address by a message takes such an account too, its identities with it",
        arguments: [OneTimeToken.Purpose.magicLink, .recovery])
    func byMessage(purpose: OneTimeToken.Purpose) async throws {
        let bench = try await bench()
        let opened = try await bench.signIn(bench.proof("facebook", "mallory", email: Self.address))
        let user = opened.record.user
        let link = try await bench.accounts.ports.write(bench.call()) { step in
            var current = try step.tx.liveUser(user.id, in: step.directory)
            let proof = try OneTimeIssuer(step).send(
                purpose, to: &current, recipient: .email(try EmailAddress(Self.address)), redirectTo: nil,
                codeChallenge: nil)
            try step.tx.update(current)
            return proof.linkToken
        }
        if purpose == .recovery {
            _ = try await ResetPassword(bench.accounts.ports)(
                .linkToken(link), password: Secret(AccountBench.password), call: bench.call())
        } else {
            _ = try await VerifyProof(bench.accounts.ports)(.linkToken(link), purposes: [purpose], call: bench.call())
        }
        #expect(try await bench.identities(of: user).isEmpty)
        #expect(try await bench.reload(user)?.emailVerifiedAt != nil)
        let again = await bench.refusal {
            _ = try await bench.signIn(bench.proof("facebook", "mallory", email: Self.address))
        }
        #expect(again == .needsConfirmation)
    }

    @Test("R12.2 R48 nobody signs up over an account that an identity provider knows somebody by")
    func signUpOver() async throws {
        let bench = try await bench()
        let opened = try await bench.signIn(bench.proof("facebook", "friend", email: Self.address))
        #expect(
            try await bench.accounts.ports.store.read { tx in
                try tx.user(opened.record.user.id, in: opened.record.user.directoryID)?.isClaimed(tx)
            } == true)
        // Yet it keeps the address from nobody who proves it.
        let user = try await bench.owner("other@example.com")
        try await bench.accounts.ports.write(bench.call()) { step in
            try AccountLinking(step).free(.email(try EmailAddress(Self.address)), for: user)
        }
        #expect(try await bench.reload(opened.record.user)?.email == nil)
    }
}
