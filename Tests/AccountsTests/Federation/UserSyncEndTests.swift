// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

/// What waits for a provider, and what ends meanwhile.
extension UserSyncTests {
    enum End: String, CaseIterable {
        case unlinkedByTheUser
        case unlinkedByAnOperator
        case replacedByAnOperator
        case deletedSoftly
        case deletedForGood
        case takenOver
        case consentRevoked
        case accountDeletedThere
        case sessionsRevoked
        case grantNotRenewed

        /// Whether the account is the user's still.
        var keepsAccount: Bool { self != .deletedSoftly && self != .deletedForGood }
    }

    private func owner(_ bench: FederationBench, _ end: End) async throws -> FederatedOutcome {
        // One that nobody vouches for is taken over; in the others there is another way in.
        if end != .takenOver { _ = try await bench.owner("ada@gmail.com") }
        return try await bench.signIn(
            bench.proof(
                "google", "ada", email: "ada@gmail.com", vouched: end != .takenOver,
                tokens: UpstreamTokens(refresh: Secret("grant"))))
    }

    private func bring(_ end: End, to owner: FederatedOutcome, _ bench: FederationBench, after: TimeSpan) async throws {
        var call = bench.call(after: after)
        let ports = bench.accounts.ports
        let user = owner.record.user
        func announce(_ kind: UpstreamEvent.Kind) async throws {
            bench.upstream.announce([
                UpstreamEvent(
                    kind: kind, issuer: FederationBench.issuer("google"), subject: "ada", id: "event", at: call.now)
            ])
            _ = try await EndFederatedSessions(ports)([], from: "google", call: call)
        }
        switch end {
        case .unlinkedByTheUser:
            let session = try owner.session()
            _ = try await UnlinkIdentity(ports)(
                owner.identity.id,
                of: AuthenticatedUser(user: session.user, identities: [], session: session.session), call: call)
        case .unlinkedByAnOperator:
            call.actor = .administrator("test")
            try await IdentityAdministration(ports).unlink("ada", of: "google", call: call)
        case .replacedByAnOperator:
            let other = try GivenIdentity(name: "google", subject: "another", data: [:])
            try await ports.write(call) { step in
                var user = try step.tx.liveUser(user.id, in: step.directory)
                try UserAdministration.give([other], to: &user, step)
                try step.tx.update(user)
            }
        case .deletedSoftly, .deletedForGood:
            try await ports.write(call) { step in
                let user = try step.tx.liveUser(user.id, in: step.directory)
                let ending = AccountEnding(step)
                _ = try end == .deletedSoftly ? ending.softDelete(user) : ending.delete(user)
            }
        case .takenOver:
            _ = try await bench.signIn(
                bench.proof("apple", "its-owner", email: "ada@gmail.com", vouched: true), call: call)
        case .consentRevoked: try await announce(.consentRevoked)
        case .accountDeletedThere: try await announce(.accountDeleted)
        case .sessionsRevoked: try await announce(.sessionsRevoked)
        case .grantNotRenewed:
            let grant = UpstreamGrant(
                identityID: owner.identity.id, directoryID: user.directoryID, refreshToken: Secret("grant"),
                updatedAt: bench.accounts.now)
            try await ports.store.write { try $0.put(grant) }
            bench.upstream.refuse(refresh: "grant", with: .identityProviderRefused)
            #expect(try await !EndFederatedSessions(ports).renew(grant, of: owner.identity, call: call))
        }
    }

    private func users(_ bench: FederationBench) async throws -> Int {
        try await bench.accounts.ports.store.read { try $0.userCount(in: bench.accounts.directory.id) }
    }

    @Test(
        "H-8 R12.8 what waited brings nothing back that has ended since; what is said afterwards does",
        arguments: End.allCases)
    func ended(end: End) async throws {
        let bench = try await FederationBench()
        let owner = try await owner(bench, end)
        bench.upstream.fail(with: .identityProviderUnavailable)
        let id = try await queued(bench, try token(bench, claims: ["name": "Waited"]), after: .seconds(10))
        bench.upstream.fail(with: nil)
        try await bring(end, to: owner, bench, after: .seconds(60))
        let before = (try await users(bench), try await bench.identities(of: owner.record.user))
        _ = await worker(bench).deliverDue(at: bench.accounts.now + .minutes(2))
        let over = try await standing(bench, id)
        #expect(over.state == .failed && over.error == "identity_not_found" && over.user == nil)
        let message = try #require(try await bench.accounts.ports.store.read { try $0.outboxMessage(id) })
        guard case .userSync(let kept) = message.content else { throw AuthError(.internalFailure) }
        #expect(kept.token.reveal().isEmpty, "it is not tried again")
        #expect(try await users(bench) == before.0)
        #expect(try await bench.identities(of: owner.record.user) == before.1)
        #expect(try await bench.reload(owner.record.user)?.userMetadata["name"] != "Waited")

        let fresh = try token(bench, "fresh.b.c", claims: ["name": "Fresh"])
        if end == .replacedByAnOperator {
            // Whose address it is has another identity of the provider now: nothing is linked beside it.
            let code = await bench.refusal { _ = try await done(bench, fresh, after: .minutes(3)) }
            #expect(code == .needsConfirmation)
            return
        }
        let again = try await done(bench, fresh, after: .minutes(3)).record.user
        #expect(again.userMetadata["name"] == "Fresh" && again.email?.rawValue == "ada@gmail.com")
        #expect(try await bench.identities(of: again).contains("google ada"))
        #expect((again.id == owner.record.user.id) == end.keepsAccount)
        let signedIn = try await bench.signIn(
            bench.proof("google", "ada", email: "ada@gmail.com", vouched: true), call: bench.call(after: .minutes(4)))
        #expect(signedIn.record.user.id == again.id)
    }

    @Test(
        "H-8 R12.8 nor does it make the account anew that its address would have led to, or whom nobody knew",
        arguments: [true, false])
    func strangers(isOwner: Bool) async throws {
        let bench = try await FederationBench()
        let owner = isOwner ? try await bench.owner("ada@gmail.com") : nil
        bench.upstream.fail(with: .identityProviderUnavailable)
        let id = try await queued(bench, try token(bench), after: .seconds(10))
        bench.upstream.fail(with: nil)
        let call = bench.call(after: .seconds(60))
        if let owner {
            try await bench.accounts.ports.write(call) { step in
                _ = try AccountEnding(step).softDelete(try step.tx.liveUser(owner.id, in: step.directory))
            }
        } else {
            bench.upstream.announce([
                UpstreamEvent(
                    kind: .accountDeleted, issuer: FederationBench.issuer("google"), subject: "ada", id: "e",
                    at: call.now)
            ])
            #expect(try await EndFederatedSessions(bench.accounts.ports)([], from: "google", call: call).count == 0)
        }
        _ = await worker(bench).deliverDue(at: bench.accounts.now + .minutes(2))
        #expect(try await standing(bench, id).error == "identity_not_found")
        #expect(try await users(bench) == 0)
        #expect(try await done(bench, try token(bench, "fresh.b.c"), after: .minutes(3)).isNew)
    }

    @Test("H-8 R12.8 one that is judged while its user goes is refused as well, and one that is said after that is not")
    func judgedMeanwhile() async throws {
        let bench = try await FederationBench()
        let owner = try await owner(bench, .deletedSoftly)
        try await bring(.deletedSoftly, to: owner, bench, after: .seconds(10))
        let token = try token(bench)
        #expect(await bench.refusal { _ = try await sync(bench, token, after: .seconds(10)) } == .identityNotFound)
        #expect(try await users(bench) == 0)
        #expect(try await done(bench, token, after: .seconds(11)).isNew)
    }

    @Test("H-8 R12.8 a sync and a deletion at once leave nobody, whichever is first")
    func raceOfDeletion() async throws {
        for _ in 1...20 {
            let bench = try await FederationBench()
            let owner = try await owner(bench, .deletedSoftly)
            bench.upstream.fail(with: .identityProviderUnavailable)
            let id = try await queued(bench, try token(bench), after: .seconds(10))
            bench.upstream.fail(with: nil)
            let worker = worker(bench)
            try await withThrowingTaskGroup { group in
                group.addTask { _ = await worker.deliverDue(at: bench.accounts.now + .minutes(1)) }
                group.addTask { try await bring(.deletedSoftly, to: owner, bench, after: .minutes(1)) }
                try await group.waitForAll()
            }
            #expect(try await users(bench) == 0)
            #expect(try await standing(bench, id).state != .waiting)
            #expect(try await standing(bench, id).user == nil)
        }
    }

    @Test("H-8 R12.8 what has ended is remembered for longer than anything waits, and no longer")
    func remembered() async throws {
        let bench = try await FederationBench()
        let owner = try await owner(bench, .deletedSoftly)
        bench.upstream.fail(with: .identityProviderUnavailable)
        let id = try await queued(bench, try token(bench), after: .seconds(10))
        bench.upstream.fail(with: nil)
        try await bring(.deletedSoftly, to: owner, bench, after: .seconds(60))
        let store = bench.accounts.ports.store
        let patience = DeliveryPolicy.of(.userSync).patience
        #expect(try await Reaper(store: store).pass(at: bench.accounts.now + patience + .hours(2)).identityEnds == 0)
        // Its own, and that of the address.
        #expect(try await Reaper(store: store).pass(at: bench.accounts.now + .days(5)).identityEnds == 2)
        // Nobody has looked for so long: nothing is known of what has ended, and nothing is done.
        _ = await worker(bench).deliverDue(at: bench.accounts.now + .days(5))
        #expect(try await standing(bench, id).state == .failed)
        #expect(try await users(bench) == 0)
    }

    @Test("H-8 R9.4 R12.8 what no key would make good is refused at once, while the provider is down")
    func inspected() async throws {
        let bench = try await FederationBench()
        bench.upstream.refuse("expired.b.c", with: .identityTokenInvalid)
        bench.upstream.fail(with: .identityProviderUnavailable)
        #expect(await bench.refusal { _ = try await sync(bench, Secret("expired.b.c")) } == .identityTokenInvalid)
        let waiting = try await bench.accounts.ports.store.read {
            try $0.outbox(in: nil, recipient: "google", limit: 9)
        }
        #expect(waiting.isEmpty)
    }
}
