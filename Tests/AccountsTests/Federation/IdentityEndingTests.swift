// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import TestBench
import Testing

@testable import Accounts

/// How identities end: by their user, by the provider, with the account.
@Suite struct IdentityEndingTests {
    private func identity(_ bench: FederationBench, _ provider: String, _ subject: String) async throws -> Identity {
        try #require(
            try await bench.accounts.ports.store.read {
                try $0.identity(provider: provider, subject: subject, in: bench.accounts.directory.id)
            })
    }

    // MARK: By the user

    @Test("R12.2 an identity is unlinked by its user alone, and what it opened ends, but the session that asks")
    func unlink() async throws {
        let bench = try await FederationBench()
        let owner = try await bench.owner("ada@example.com")
        try await bench.insert("google", "ada", for: owner)
        try await bench.insert("github", "17", for: owner)
        let proof = try bench.proof("google", "ada", email: "ada@example.com", vouched: true)
        _ = try await bench.signIn(proof)
        let byGoogle = try await bench.signIn(proof).session()
        let caller = AuthenticatedUser(user: byGoogle.user, identities: [], session: byGoogle.session)
        let other = try await bench.session(of: owner)
        let google = try await identity(bench, "google", "ada")
        let flow = UnlinkIdentity(bench.accounts.ports)
        let stranger = try await bench.session(of: try await bench.owner("eve@example.com"))
        #expect(
            await bench.refusal { _ = try await flow(google.id, of: stranger, call: bench.call()) } == .identityNotFound
        )
        #expect(
            await bench.refusal { _ = try await flow(google.id, of: caller, call: bench.call(after: .hours(2))) }
                == .reauthenticationNeeded)
        let local = try await bench.accounts.ports.store.read { try LocalIdentities.all(of: owner, $0) }
            .first { LocalIdentities.isLocal($0) }
        let address = try #require(local?.id)
        #expect(await bench.refusal { _ = try await flow(address, of: caller, call: bench.call()) } == .unsupported)
        #expect(try await bench.liveSessions(of: owner) == 3)

        let record = try await flow(google.id, of: caller, call: bench.call())
        let providers = record.user.appMetadata["providers"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(Set(providers) == ["email", "github"])
        #expect(try await bench.identities(of: owner) == ["github 17"])
        let live = try await bench.accounts.ports.store.read { try $0.sessions(of: owner.id, in: owner.directoryID) }
            .filter { $0.revokedAt == nil }.map(\.id)
        #expect(Set(live) == Set([caller.session?.id, other.session?.id].compactMap(\.self)))
        #expect(try await bench.events(.identityUnlinked).count == 1)
        #expect(
            await bench.refusal { _ = try await flow(google.id, of: caller, call: bench.call()) } == .identityNotFound)
    }

    /// What whoever came by the proof still has to exchange for a session.
    private func code(_ bench: FederationBench, _ proof: FederatedProof) async throws -> String {
        let policy = FederationPolicy(ending: .code(AuthorizationRequest(challenge: CodeChallenge(for: Self.verifier))))
        guard case .code(let code) = try await bench.signIn(proof, policy: policy).ending else {
            throw AuthError(.internalFailure)
        }
        return code
    }

    private static let verifier = String(repeating: "v", count: 50)

    private func exchange(_ bench: FederationBench, _ code: String) async -> AuthErrorCode? {
        await bench.refusal {
            _ = try await ExchangeCode(bench.accounts.ports)(code: code, verifier: Self.verifier, call: bench.call())
        }
    }

    @Test("R12.2 an unlinked identity leaves nothing that opens a session later, whatever else of its provider stays")
    func unlinkEndsCodes() async throws {
        let bench = try await FederationBench()
        let owner = try await bench.owner("ada@example.com")
        for subject in ["ada", "eve"] { try await bench.insert("google", subject, for: owner) }
        let proof = try bench.proof("google", "eve")
        let opened = try await bench.signIn(proof).session()
        let waiting = try await code(bench, proof)
        let caller = try await bench.session(of: owner)
        let eve = try await identity(bench, "google", "eve")
        _ = try await UnlinkIdentity(bench.accounts.ports)(eve.id, of: caller, call: bench.call())
        #expect(await exchange(bench, waiting) == .flowStateNotFound)
        let live = try await bench.accounts.ports.store.read { try $0.sessions(of: owner.id, in: owner.directoryID) }
            .filter { $0.revokedAt == nil }.map(\.id)
        #expect(live == [caller.session?.id] && live != [opened.session.id])
        #expect(try await bench.identities(of: owner) == ["google ada"])
    }

    @Test("Y-E4 R12.2 what a provider takes back leaves nothing that opens a session later")
    func eventsEndCodes() async throws {
        let bench = try await FederationBench()
        let proof = try bench.proof("apple", "ada", email: "ada@example.com", vouched: true)
        let waiting = try await code(bench, proof)
        bench.upstream.announce([event(.accountDisabled, "ada")])
        _ = try await EndFederatedSessions(bench.accounts.ports)([], from: "apple", call: bench.call())
        #expect(await exchange(bench, waiting) == .flowStateNotFound)
        // Of a provider that has taken nothing back, it would have opened one.
        #expect(await exchange(bench, try await code(bench, proof)) == nil)
    }

    @Test("R12.2 the last way in can't be removed, also not by two at once that each leave the other")
    func lastWayIn() async throws {
        let bench = try await FederationBench()
        let policy = FederationPolicy(isEmailOptional: true)
        let first = try await bench.signIn(bench.proof("github", "17"), policy: policy)
        let session = try first.session()
        let caller = AuthenticatedUser(user: session.user, identities: [], session: session.session)
        let flow = UnlinkIdentity(bench.accounts.ports)
        #expect(
            await bench.refusal { _ = try await flow(first.identity.id, of: caller, call: bench.call()) } == .lastWayIn)
        try await bench.insert("facebook", "18", for: session.user)
        let second = try await identity(bench, "facebook", "18")
        let outcomes = await withTaskGroup(of: AuthErrorCode?.self) { group in
            for id in [first.identity.id, second.id] {
                group.addTask { await bench.refusal { _ = try await flow(id, of: caller, call: bench.call()) } }
            }
            return await group.reduce(into: [AuthErrorCode?]()) { $0.append($1) }
        }
        #expect(Set(outcomes) == [nil, .lastWayIn])
        #expect(try await bench.identities(of: session.user).count == 1)
        // An unproved address is no way in; a password under a name is one.
        for (isNamed, wanted) in [(false, AuthErrorCode.lastWayIn), (true, nil)] {
            let user = try await bench.user {
                $0.confirmedAt = bench.accounts.now
                if isNamed {
                    $0.username = try Username("ada")
                    $0.passwordHash = try PasswordHash(ProofBench.hash)
                }
            }
            try await bench.insert("google", "of \(isNamed)", for: user)
            let identity = try await identity(bench, "google", "of \(isNamed)")
            let session = try await bench.session(of: user)
            #expect(
                await bench.refusal { _ = try await flow(identity.id, of: session, call: bench.call()) } == wanted)
        }
    }

    // MARK: By the provider

    private func event(_ kind: UpstreamEvent.Kind, _ subject: String, id: String = "1") -> UpstreamEvent {
        UpstreamEvent(
            kind: kind, issuer: FederationBench.issuer("apple"), subject: subject, id: id, at: AccountBench.start,
            reason: "hijacking")
    }

    @Test(
        "Y-E4 R12.2 what a provider takes back ends the user's sessions and tokens, and the log says why",
        arguments: UpstreamEvent.Kind.allCases)
    func events(kind: UpstreamEvent.Kind) async throws {
        let bench = try await FederationBench()
        let outcome = try await bench.signIn(
            bench.proof("apple", "ada", email: "ada@example.com", vouched: true))
        let user = outcome.record.user
        _ = try await bench.session(of: user)
        let bystander = try await bench.signIn(
            bench.proof("apple", "eve", email: "eve@example.com", vouched: true)
        ).record.user
        bench.upstream.announce([event(kind, "ada"), event(kind, "nobody", id: "2")])
        let flow = EndFederatedSessions(bench.accounts.ports)
        let call = bench.call(after: .seconds(5))
        let count = try await flow(Array("{}".utf8), from: "apple", call: call).count
        #expect(try await bench.liveSessions(of: user) == (kind.endsSessions ? 0 : 2))
        #expect(try await bench.liveSessions(of: bystander) == 1)
        let isTold = kind.endsSessions || kind == .emailDisabled
        #expect(count == (isTold ? 1 : 0))
        let events = try await bench.events(.identityRevoked)
        #expect(events.map(\.userID) == (isTold ? [user.id] : []))
        #expect(events.first?.details["event"] == (isTold ? .string(kind.rawValue) : nil))
        if kind.endsSessions {
            let stored = try #require(try await bench.reload(user))
            #expect(!stored.acceptsTokens(issuedAt: bench.accounts.now.seconds, at: bench.accounts.now))
            let sessions = try await bench.accounts.ports.store.read {
                try $0.sessions(of: user.id, in: user.directoryID)
            }
            #expect(sessions.allSatisfy { $0.revocation == .identityRevoked })
        }
        // The address is another way in: who takes their consent back is known by the provider no more.
        let isUnlinked = kind == .consentRevoked || kind == .accountDeleted
        #expect(try await bench.identities(of: user) == (isUnlinked ? [] : ["apple ada"]))
        // Said again, as providers do: nothing more happens.
        _ = try await bench.session(of: user, after: .seconds(10))
        #expect(try await flow(Array("{}".utf8), from: "apple", call: call).count == 0)
        #expect(try await bench.liveSessions(of: user) > 0)
    }

    @Test("Y-E4 R12.2 every event of one notification counts, and each once")
    func several() async throws {
        let bench = try await FederationBench()
        let (ada, eve) = (
            try await bench.signIn(bench.proof("google", "ada", email: "ada@gmail.com", vouched: true)).record.user,
            try await bench.signIn(bench.proof("google", "eve", email: "eve@gmail.com", vouched: true)).record.user
        )
        func said(_ kind: UpstreamEvent.Kind, _ subject: String) -> UpstreamEvent {
            UpstreamEvent(
                kind: kind, issuer: FederationBench.issuer("google"), subject: subject, id: "one",
                at: AccountBench.start)
        }
        bench.upstream.announce([
            said(.credentialChangeRequired, "ada"), said(.accountDisabled, "ada"), said(.sessionsRevoked, "eve"),
        ])
        let flow = EndFederatedSessions(bench.accounts.ports)
        #expect(try await flow([], from: "google", call: bench.call()).count == 3)
        #expect(try await bench.liveSessions(of: ada) + bench.liveSessions(of: eve) == 0)
        let told = try await bench.events(.identityRevoked).map { $0.details["event"]?.stringValue ?? "" }
        #expect(told.sorted() == ["account_credential_change_required", "account_disabled", "sessions_revoked"])
        #expect(try await flow([], from: "google", call: bench.call()).count == 0)
    }

    @Test("Y-E4 R12.2 an event of another issuer, a forged one and one that is too long end nothing")
    func badEvents() async throws {
        let bench = try await FederationBench()
        let user = try await bench.signIn(
            bench.proof("apple", "ada", email: "ada@example.com", vouched: true)
        ).record.user
        var foreign = event(.accountDisabled, "ada")
        foreign.issuer = "https://another.example"
        bench.upstream.announce([foreign])
        let flow = EndFederatedSessions(bench.accounts.ports)
        #expect(try await flow([], from: "apple", call: bench.call()).count == 0)
        let long = Array(repeating: UInt8(32), count: EndFederatedSessions.maximumLength + 1)
        #expect(
            await bench.refusal { _ = try await flow(long, from: "apple", call: bench.call()) } == .requestTooLarge)
        #expect(
            await bench.refusal { _ = try await flow([], from: "none", call: bench.call()) }
                == .identityProviderNotFound)
        bench.upstream.fail(with: .identityTokenInvalid)
        #expect(
            await bench.refusal { _ = try await flow([], from: "apple", call: bench.call()) } == .identityTokenInvalid)
        #expect(try await bench.liveSessions(of: user) == 1)
    }

    @Test("R12.2 whoever has no other way in keeps the identity whose consent they took back")
    func lastConsent() async throws {
        let bench = try await FederationBench()
        let proof = try bench.proof("apple", "ada")
        let policy = FederationPolicy(isEmailOptional: true)
        let user = try await bench.signIn(proof, policy: policy).record.user
        bench.upstream.announce([event(.consentRevoked, "ada")])
        _ = try await EndFederatedSessions(bench.accounts.ports)([], from: "apple", call: bench.call())
        #expect(try await bench.liveSessions(of: user) == 0)
        #expect(try await bench.signIn(proof, policy: policy).record.user.id == user.id)
    }

    @Test("Y-E4 R12.2 a grant that the provider renews no more ends the sessions; a provider that is down ends nothing")
    func refreshed() async throws {
        let bench = try await FederationBench()
        let outcome = try await bench.signIn(
            bench.proof(
                "apple", "ada", email: "ada@example.com", vouched: true,
                tokens: UpstreamTokens(refresh: Secret("grant"))))
        let (user, identity) = (outcome.record.user, outcome.identity)
        let grant = try #require(
            try await bench.accounts.ports.store.read {
                try $0.upstreamGrant(of: identity.id, in: user.directoryID)
            })
        #expect(grant.refreshToken.reveal() == "grant")
        #expect(!identity.data.text.contains("grant"), "no token is in what is shown")
        let flow = EndFederatedSessions(bench.accounts.ports)
        #expect(try await flow.renew(grant, of: identity, call: bench.call()))
        bench.upstream.refuse(refresh: "grant", with: .identityProviderUnavailable)
        #expect(
            await bench.refusal { _ = try await flow.renew(grant, of: identity, call: bench.call()) }
                == .identityProviderUnavailable)
        #expect(try await bench.liveSessions(of: user) == 1)
        bench.upstream.refuse(refresh: "grant", with: .identityProviderRefused)
        #expect(try await !flow.renew(grant, of: identity, call: bench.call()))
        #expect(try await bench.liveSessions(of: user) == 0)
        #expect(try await bench.events(.identityRevoked).first?.details["event"] == "refresh_refused")
    }

    @Test(
        "R12.2 R8.8 the owner is told when an identity is linked to their account and when it goes, and a newcomer is not",
        arguments: MessageLanguage.allCases)
    func told(language: MessageLanguage) async throws {
        let bench = try await FederationBench()
        var call = bench.call()
        call.language = language
        try await bench.configure("google", .google) { $0.displayName = "Google & Co." }
        let owner = try await bench.user(email: "ada@gmail.com", phone: "+491701234567") {
            ($0.emailVerifiedAt, $0.phoneVerifiedAt) = (bench.accounts.now, bench.accounts.now)
        }
        func messages(_ recipient: String) async throws -> [OutboxMessage] {
            try await bench.accounts.ports.store.read { try $0.outbox(in: nil, recipient: recipient, limit: 9) }
        }
        let linked = try await bench.signIn(
            bench.proof("google", "ada", email: "ada@gmail.com", vouched: true), call: call)
        #expect(linked.record.user.id == owner.id)
        _ = try await bench.signIn(bench.proof("google", "ada", email: "ada@gmail.com", vouched: true), call: call)
        for recipient in ["ada@gmail.com", "+491701234567"] {
            let told = try await messages(recipient)
            #expect(told.map(\.kind) == ["identity_linked"], "once, when it is linked")
            let text = told[0].subject + told[0].text
            #expect(text.contains("Google & Co."), "by what people call it")
            #expect(text.contains(language == .en ? "linked" : "verknüpft"))
        }
        let session = try linked.session()
        _ = try await UnlinkIdentity(bench.accounts.ports)(
            linked.identity.id,
            of: AuthenticatedUser(user: session.user, identities: [], session: session.session), call: call)
        #expect(try await messages("ada@gmail.com").map(\.kind).sorted() == ["identity_linked", "identity_unlinked"])
        _ = try await bench.signIn(bench.proof("google", "eve", email: "eve@gmail.com", vouched: true), call: call)
        #expect(try await messages("eve@gmail.com").isEmpty)
    }

    // MARK: With the account

    @Test(
        "R12.2 a grant is given back once its user is deleted, or known by it no more (App Store, 5.1.1)",
        arguments: ["soft", "for good", "unlinked", "taken over"])
    func givenBack(how: String) async throws {
        let bench = try await FederationBench()
        let isVouched = how != "taken over"
        let outcome = try await bench.signIn(
            bench.proof(
                "apple", "ada", email: "ada@example.com", vouched: isVouched,
                tokens: UpstreamTokens(refresh: Secret("grant"))))
        let session = try outcome.session()
        switch how {
        case "soft", "for good":
            try await bench.accounts.ports.write(bench.call()) { step in
                let user = try step.tx.liveUser(session.user.id, in: step.directory)
                let ending = AccountEnding(step)
                _ = try how == "soft" ? ending.softDelete(user) : ending.delete(user)
            }
        case "unlinked":
            _ = try await UnlinkIdentity(bench.accounts.ports)(
                outcome.identity.id,
                of: AuthenticatedUser(user: session.user, identities: [], session: session.session),
                call: bench.call())
        default:
            _ = try await bench.signIn(bench.proof("google", "owner", email: "ada@example.com", vouched: true))
        }
        let owed = try await bench.accounts.ports.store.read {
            try $0.outbox(in: bench.accounts.directory.id, recipient: "apple", limit: 9)
        }
        let message = try #require(owed.first { $0.channel == .upstreamRevocation })
        guard case .upstreamRevocation(let revocation) = message.content else { return }
        #expect(revocation.token.reveal() == "grant")
        let transport = UpstreamRevocations(bench.accounts.ports)
        bench.upstream.fail(with: .identityProviderUnavailable)
        await #expect(throws: ProgramTransportError.unavailable("identity_provider_unavailable")) {
            try await transport.deliver(revocation, id: message.id, at: bench.accounts.now)
        }
        bench.upstream.fail(with: nil)
        // Nor is it given up where the store has no place for the question.
        let ports = bench.accounts.ports
        let busy = UpstreamRevocations(
            AccountPorts(
                store: RefusingStore(.overloaded), passwords: ports.passwords, random: ports.random,
                messages: ports.messages))
        await #expect(throws: ProgramTransportError.unavailable("overloaded")) {
            try await busy.deliver(revocation, id: message.id, at: bench.accounts.now)
        }
        try await transport.deliver(revocation, id: message.id, at: bench.accounts.now)
        #expect(bench.upstream.revoked == ["grant"])
        try await bench.configure("apple", .apple) { $0.isEnabled = false }
        await #expect(throws: ProgramTransportError.refused("identity_provider_disabled")) {
            try await transport.deliver(revocation, id: message.id, at: bench.accounts.now)
        }
    }

    @Test(
        "Y-E4 R12.2 GitHub's grant is given back by its token, where one is kept, and Facebook's by who its user is",
        arguments: [("github", 24, "access"), ("github", 0, nil), ("facebook", 0, "all of ada")]
            as [(String, Int, String?)])
    func givenBackOtherwise(name: String, hours: Int, revoked: String?) async throws {
        let bench = try await FederationBench()
        let kind = try #require(IdentityProvider.Kind(rawValue: name))
        try await bench.configure(name, kind) { $0.grantCheckHours = hours }
        let outcome = try await bench.signIn(
            bench.proof(
                name, "ada", email: "ada@example.com", tokens: UpstreamTokens(access: Secret("access"))))
        let grant = try await bench.accounts.ports.store.read {
            try $0.upstreamGrant(of: outcome.identity.id, in: bench.accounts.directory.id)
        }
        #expect(grant?.refreshToken.reveal() == (hours > 0 ? "access" : nil))
        #expect((grant?.dueAt != nil) == (hours > 0), "it is asked about too")
        try await bench.accounts.ports.write(bench.call()) { step in
            _ = try AccountEnding(step).softDelete(try step.tx.liveUser(outcome.record.user.id, in: step.directory))
        }
        let owed = try await bench.accounts.ports.store.read {
            try $0.outbox(in: bench.accounts.directory.id, recipient: name, limit: 9)
        }
        for message in owed {
            guard case .upstreamRevocation(let revocation) = message.content else { continue }
            try await UpstreamRevocations(bench.accounts.ports).deliver(
                revocation, id: message.id, at: bench.accounts.now)
        }
        #expect(bench.upstream.revoked == [revoked].compactMap(\.self))
    }
}
