// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import TestBench
import Testing

@testable import Accounts

/// A stranger opens an account with somebody's address, leaves all that they could come back by, and its owner comes by
/// a message (ADR 0089; "Pre-hijacking", USENIX Security 2022).
@Suite struct OpenedAccountTests {
    private static let address = "victim@example.com"
    private static let number = "+15555550100"

    private func opened(
        _ bench: FederationBench, _ change: (inout User) throws -> Void = { _ in }
    ) async throws -> (user: User, session: AuthenticatedUser) {
        let user = try await bench.user(email: Self.address, phone: Self.number) {
            $0.passwordHash = try PasswordHash(ProofBench.hash)
            $0.userMetadata = ["name": "Mallory"]
            try change(&$0)
        }
        try await bench.insert("facebook", "mallory", for: user)
        return (user, try await bench.session(of: user))
    }

    /// What the message has that is sent on the word of whoever names the address, or on the holder's.
    private func link(
        _ purpose: OneTimeToken.Purpose, to user: User, isHolders: Bool, _ bench: FederationBench
    ) async throws -> String {
        try await bench.accounts.ports.write(bench.call()) { step in
            var current = try step.tx.liveUser(user.id, in: step.directory)
            let proof = try OneTimeIssuer(step).send(
                purpose, to: &current, recipient: .email(try EmailAddress(Self.address)), redirectTo: nil,
                codeChallenge: nil, isHolders: isHolders)
            try step.tx.update(current)
            return proof.linkToken
        }
    }

    private func answer(_ link: String, _ bench: FederationBench) async throws -> IssuedSession {
        let outcome = try await VerifyProof(bench.accounts.ports)(
            .linkToken(link), purposes: OneTimeToken.Purpose.allCases, call: bench.call(after: .seconds(5)))
        return try #require(outcome.session)
    }

    /// The newest message to the address, answered as its reader would.
    private func answerMessage(_ bench: FederationBench) async throws -> IssuedSession {
        let id = bench.accounts.directory.id
        let messages = try await bench.accounts.ports.store.read {
            try $0.outbox(in: id, recipient: Self.address, limit: 10)
        }
        let message = try #require(messages.first { $0.tokenHash != nil })
        return try await answer(OneTimeToken.linkToken(of: try #require(message.tokenHash)), bench)
    }

    private func isAlive(_ session: AuthenticatedUser, _ bench: FederationBench) async throws -> Bool {
        let id = try #require(session.session?.id)
        let directory = bench.accounts.directory.id
        return try await bench.accounts.ports.store.read { try $0.session(id, in: directory) }?.revokedAt == nil
    }

    private func expectTaken(
        _ user: User, _ session: AuthenticatedUser, by owner: IssuedSession, _ bench: FederationBench
    ) async throws {
        let taken = try #require(try await bench.reload(user))
        #expect(owner.user.id == user.id && taken.emailVerifiedAt != nil)
        #expect(taken.passwordHash == nil && taken.srpVerifier == nil && taken.phone == nil)
        #expect(try await bench.identities(of: user).isEmpty)
        #expect(try await !isAlive(session, bench))
        #expect(try await bench.liveSessions(of: user) == 1)
    }

    @Test(
        "R12.2 R47 R48 a message that anybody may have asked for takes the account from whoever opened it",
        arguments: [OneTimeToken.Purpose.signUpConfirmation, .invitation, .magicLink, .recovery])
    func onTheWordOfTheAddress(purpose: OneTimeToken.Purpose) async throws {
        let bench = try await FederationBench()
        let (user, session) = try await opened(bench)
        let owner = try await answer(link(purpose, to: user, isHolders: false, bench), bench)
        try await expectTaken(user, session, by: owner, bench)
    }

    @Test("R47 the message of one's own sign-up confirms the account as it is")
    func holders() async throws {
        let bench = try await FederationBench()
        let (user, _) = try await opened(bench)
        let session = try await answer(link(.signUpConfirmation, to: user, isHolders: true, bench), bench)
        let kept = try #require(try await bench.reload(user))
        #expect(session.user.id == user.id && kept.emailVerifiedAt != nil)
        #expect(kept.passwordHash != nil && kept.phone != nil && kept.userMetadata == ["name": "Mallory"])
        #expect(try await bench.identities(of: user) == ["facebook mallory"])
    }

    @Test("R12.2 R47 R48 a confirmation that is sent again by the address alone is nobody's word but the address's")
    func resent() async throws {
        let bench = try await FederationBench()
        let (user, session) = try await opened(bench)
        try await ResendMessage(bench.accounts.ports)(
            .signUpConfirmation, to: .email(EmailAddress(Self.address)), call: bench.call())
        try await expectTaken(user, session, by: answerMessage(bench), bench)
    }

    @Test("R47 a confirmation that a session asks for is its holder's")
    func askedForBySession() async throws {
        let bench = try await FederationBench()
        let (user, session) = try await opened(bench)
        try await RequestVerification(bench.accounts.ports)(session, call: bench.call())
        _ = try await answerMessage(bench)
        let kept = try #require(try await bench.reload(user))
        #expect(kept.passwordHash != nil && kept.phone != nil)
        #expect(try await bench.identities(of: user) == ["facebook mallory"])
    }

    @Test("R12.2 R47 R48 whom an operator invites finds nothing of whoever opened an account with their address")
    func invited() async throws {
        let bench = try await FederationBench()
        let (user, session) = try await opened(bench)
        var call = bench.call()
        call.actor = .commandLine
        let record = try await UserAdministration(bench.accounts.ports).invite(
            email: EmailAddress(Self.address), call: call)
        #expect(record.user.id == user.id && record.user.userMetadata.isEmpty && record.user.origin == .invitation)
        try await expectTaken(user, session, by: answerMessage(bench), bench)
    }

    @Test("R12.2 R48 a proved number says nothing of the address beside it: its owner gets an account of their own")
    func provedNumber() async throws {
        let bench = try await FederationBench()
        let (user, session) = try await opened(bench) { $0.phoneVerifiedAt = bench.accounts.now }
        let owner = try await answer(link(.magicLink, to: user, isHolders: false, bench), bench)
        #expect(try owner.user.id != user.id && owner.user.email == EmailAddress(Self.address))
        #expect(owner.user.emailVerifiedAt != nil && owner.user.phone == nil && owner.user.passwordHash == nil)
        let left = try #require(try await bench.reload(user))
        #expect(left.email == nil && left.phone != nil && left.passwordHash != nil)
        #expect(try await isAlive(session, bench))
    }

    @Test("R12.2 R48 whom an operator invites gets an account of their own beside a number that is proved")
    func invitedBesideNumber() async throws {
        let bench = try await FederationBench()
        let (user, session) = try await opened(bench) { $0.phoneVerifiedAt = bench.accounts.now }
        var call = bench.call()
        call.actor = .commandLine
        let record = try await UserAdministration(bench.accounts.ports).invite(
            email: EmailAddress(Self.address), call: call)
        let owner = try await answerMessage(bench)
        #expect(owner.user.id == record.user.id && owner.user.id != user.id && owner.user.emailVerifiedAt != nil)
        let left = try #require(try await bench.reload(user))
        #expect(left.email == nil && left.phoneVerifiedAt != nil && left.passwordHash != nil)
        #expect(try await isAlive(session, bench))
    }

    @Test("R47 whoever has proved the number and asks in their session proves the address of the same account")
    func provedNumberInSession() async throws {
        let bench = try await FederationBench()
        let (user, session) = try await opened(bench) { $0.phoneVerifiedAt = bench.accounts.now }
        try await RequestVerification(bench.accounts.ports)(session, call: bench.call())
        let same = try await answerMessage(bench)
        #expect(same.user.id == user.id && same.user.emailVerifiedAt != nil && same.user.phoneVerifiedAt != nil)
    }

    @Test(
        "R12.2 R48 a provider's group is no operator's word: its account keeps an address from nobody who proves it",
        arguments: [true, false])
    func group(isProviders: Bool) async throws {
        let bench = try await FederationBench()
        let (user, _) = try await opened(bench)
        let owner = try await bench.owner("other@example.com")
        try await bench.accounts.ports.write(bench.call()) { step in
            let group = Group(
                id: step.random.identifier(), directoryID: step.directory, name: "pool_facebook", createdAt: step.now,
                updatedAt: step.now)
            try step.tx.insert(group)
            _ = try step.tx.addMember(
                user.id, to: group.id, in: step.directory, byProvider: true, at: step.now)
            // What an operator does stands over what the provider did.
            if !isProviders { _ = try step.tx.addMember(user.id, to: group.id, in: step.directory, at: step.now) }
            try AccountLinking(step).free(.email(try EmailAddress(Self.address)), for: owner)
        }
        #expect(try await (bench.reload(user)?.email == nil) == isProviders)
    }

    @Test("R12.2 R48 an operator takes an opened account into their hands by its password, where nothing else leads in")
    func adopted() async throws {
        for (password, hasIdentity) in [(false, false), (true, true), (true, false)] {
            let bench = try await FederationBench()
            let user = try await bench.user(email: Self.address) {
                $0.passwordHash = try PasswordHash(ProofBench.hash)
            }
            if hasIdentity { try await bench.insert("facebook", "mallory", for: user) }
            var call = bench.call()
            call.actor = .commandLine
            var attributes = UserAttributes()
            attributes.userMetadata = ["team": "blue"]
            if password { attributes.password = Secret(AccountBench.password) }
            _ = try await UserAdministration(bench.accounts.ports).update(user.id, attributes, call: call)
            let isAdopted = try await bench.reload(user)?.origin == .administrator
            #expect(isAdopted == (password && !hasIdentity), "password \(password), identity \(hasIdentity)")
        }
    }
}
