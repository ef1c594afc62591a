// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

/// A browser's way to an identity provider and back, and an app's by an ID token.
@Suite struct FederatedSignInTests {
    private static let binding = Array(repeating: UInt8(7), count: 32)

    private func begin(
        _ bench: FederationBench, provider: String = "google", linksTo: AuthenticatedUser? = nil,
        lifetime: TimeSpan = .minutes(10), call: CallContext? = nil
    ) async throws -> String {
        let request = FederationRequest(
            provider: provider, redirectURI: "https://auth.example/callback", binding: Self.binding,
            continuation: ["to": "app"], linksTo: linksTo, lifetime: lifetime)
        return try await BeginFederatedSignIn(bench.accounts.ports)(request, call: call ?? bench.call()).state
    }

    private func complete(
        _ bench: FederationBench, _ state: String, _ answer: UpstreamReturn, binding: [UInt8]? = binding,
        policy: FederationPolicy = FederationPolicy(), call: CallContext? = nil
    ) async throws -> FederatedOutcome {
        let flow = CompleteFederatedSignIn(bench.accounts.ports)
        let call = call ?? bench.call()
        let pending = try await flow.pending(state: state, binding: binding, call: call)
        #expect(pending.continuation == ["to": "app"])
        return try await flow(answer, to: pending, policy: policy, call: call)
    }

    private func code(_ bench: FederationBench, _ proof: FederatedProof) -> UpstreamReturn {
        let code = "code of \(proof.subject)"
        bench.upstream.vouch(proof, by: code)
        return UpstreamReturn(code: Secret(code))
    }

    @Test("R12.2 who comes back is written once, and answered with what the provider says now")
    func writtenOnce() async throws {
        let bench = try await FederationBench()
        let policy = FederationPolicy { proof, _ in .init(metadata: ["nick": proof.claims["nick"] ?? .null]) }
        func come(_ nick: JSONValue, ending: FederationPolicy.Ending) async throws -> FederatedOutcome {
            var policy = policy
            policy.ending = ending
            return try await bench.signIn(
                bench.proof("google", "ada", email: "ada@example.com", vouched: true, claims: ["nick": nick]),
                policy: policy)
        }
        var version = try await come("a", ending: .session).record.user.version
        for (nick, ending) in [("b", FederationPolicy.Ending.session), ("c", .nothing), ("d", .session)] {
            let outcome = try await come(.string(nick), ending: ending)
            let user = try #require(try await bench.reload(outcome.record.user))
            #expect(user.version == version + 1 && outcome.record.user.version == user.version)
            #expect(user.userMetadata["nick"] == .string(nick) && outcome.record.user.userMetadata == user.userMetadata)
            let stored = try await bench.accounts.ports.store.read { try LocalIdentities.all(of: user, $0) }
            #expect(outcome.record.identities.map(\.id) == stored.map(\.id))
            #expect(outcome.record.identities.map(\.data) == stored.map(\.data))
            version = user.version
        }
    }

    @Test(
        "R12.2 a browser is sent away with a state, a nonce and a challenge, and comes back signed in (RFC 9700, 2.1)")
    func redirect() async throws {
        let bench = try await FederationBench()
        let state = try await begin(bench)
        let request = try #require(bench.upstream.requests.last)
        #expect(request.state == state && state.utf8.count >= 22 && request.nonce.utf8.count >= 22)
        let proof = try bench.proof("google", "ada", email: "ada@example.com", vouched: true)
        let outcome = try await complete(bench, state, code(bench, proof))
        #expect(outcome.isNew && outcome.record.user.email?.rawValue == "ada@example.com")
        #expect(outcome.record.identities.map(\.provider).contains("google"))
        #expect(outcome.record.user.appMetadata["provider"] == "google")
        let answer = try #require(bench.upstream.answers.last)
        #expect(CodeChallenge(for: answer.verifier.reveal()) == request.challenge && answer.nonce == request.nonce)
        let stored = try await bench.accounts.ports.store.read {
            try $0.session(outcome.session().session.id, in: bench.accounts.directory.id)
        }
        #expect(stored?.methods.map(\.provider) == ["google"] && stored?.methods.map(\.name) == [.federated])
        // Used.
        #expect(
            await bench.refusal { _ = try await complete(bench, state, code(bench, proof)) } == .flowStateNotFound)
    }

    @Test("R12.2 a state is worth nothing in another browser, dialect or Directory, afterwards, or if nobody made it")
    func foreign() async throws {
        let bench = try await FederationBench()
        let state = try await begin(bench, lifetime: .minutes(5))
        let answer = code(bench, try bench.proof("google", "ada"))
        var otherDialect = bench.call()
        otherDialect.dialect = DialectName("another")
        let other = try await DirectoryAdministration(bench.accounts.ports).create(
            name: "other", settings: DirectorySettings(), at: bench.accounts.now)
        let elsewhere = CallContext(
            directory: other, now: bench.accounts.now, device: DeviceMetadata(), language: .en, links: PlainLinks(),
            dialect: FederationBench.dialect)
        let cases: [(String, [UInt8]?, CallContext, AuthErrorCode)] = [
            (state, Array(repeating: 8, count: 32), bench.call(), .flowStateNotFound),
            (state, [], bench.call(), .flowStateNotFound), (state, nil, bench.call(), .flowStateNotFound),
            (state, Self.binding, otherDialect, .flowStateNotFound),
            (state, Self.binding, elsewhere, .flowStateNotFound),
            (state, Self.binding, bench.call(after: .minutes(5)), .flowStateExpired),
            ("", Self.binding, bench.call(), .flowStateNotFound),
            (state + "x", Self.binding, bench.call(), .flowStateNotFound),
            (String(repeating: "a", count: 100_000), Self.binding, bench.call(), .flowStateNotFound),
        ]
        for (text, binding, call, wanted) in cases {
            let refusal = await bench.refusal {
                _ = try await complete(bench, text, answer, binding: binding, call: call)
            }
            #expect(refusal == wanted, "\(text.prefix(40))")
        }
        #expect(bench.upstream.answers.isEmpty, "the provider was asked")
    }

    @Test("R12.2 an answer that is no answer, a refusal and a provider that is down each leave nothing behind")
    func refusals() async throws {
        let bench = try await FederationBench()
        let good = code(bench, try bench.proof("google", "ada", email: "ada@example.com", vouched: true))
        bench.upstream.refuse("bad", with: .identityTokenInvalid)
        bench.upstream.refuse("down", with: .identityProviderUnavailable)
        let cases: [(UpstreamReturn, AuthErrorCode)] = [
            (UpstreamReturn(), .invalidRequest),
            (UpstreamReturn(code: good.code, error: "access_denied"), .invalidRequest),
            (UpstreamReturn(code: Secret("")), .invalidRequest),
            (UpstreamReturn(code: Secret(String(repeating: "a", count: 5000))), .invalidRequest),
            (UpstreamReturn(error: "access_denied"), .identityProviderRefused),
            (UpstreamReturn(error: "temporarily_unavailable"), .identityProviderUnavailable),
            (UpstreamReturn(code: Secret("unknown")), .identityProviderRefused),
            (UpstreamReturn(code: Secret("bad")), .identityTokenInvalid),
            (UpstreamReturn(code: Secret("down")), .identityProviderUnavailable),
        ]
        for (answer, wanted) in cases {
            let state = try await begin(bench)
            #expect(await bench.refusal { _ = try await complete(bench, state, answer) } == wanted)
            // Spent, whatever came of it.
            #expect(await bench.refusal { _ = try await complete(bench, state, good) } == .flowStateNotFound)
        }
        let users = try await bench.accounts.ports.store.read { try $0.userCount(in: bench.accounts.directory.id) }
        #expect(users == 0)
    }

    @Test(
        "R12.2 RFC 9207, section 2.4: an error of somebody else's is not told as the provider's, and ends the way too")
    func foreignError() async throws {
        let bench = try await FederationBench()
        let good = code(bench, try bench.proof("google", "ada", email: "ada@example.com", vouched: true))
        bench.upstream.disown(issuer: "https://evil.example")
        for error in ["access_denied", "temporarily_unavailable"] {
            let state = try await begin(bench)
            let answer = UpstreamReturn(error: error, issuer: "https://evil.example")
            #expect(await bench.refusal { _ = try await complete(bench, state, answer) } == .identityTokenInvalid)
            #expect(await bench.refusal { _ = try await complete(bench, state, good) } == .flowStateNotFound)
        }
        for issuer in ["https://google.example", nil] {
            let state = try await begin(bench)
            let own = UpstreamReturn(error: "access_denied", issuer: issuer)
            #expect(await bench.refusal { _ = try await complete(bench, state, own) } == .identityProviderRefused)
        }
    }

    @Test("R12.2 a provider that is configured anew, switched off or gone meanwhile answers nothing old")
    func reconfigured() async throws {
        let bench = try await FederationBench()
        let proof = try bench.proof("google", "ada", email: "ada@example.com", vouched: true)
        let states = [try await begin(bench), try await begin(bench), try await begin(bench)]
        try await bench.configure("google", .google) { $0.isEnabled = false }
        #expect(
            await bench.refusal { _ = try await complete(bench, states[0], code(bench, proof)) }
                == .identityProviderDisabled)
        #expect(await bench.refusal { _ = try await begin(bench) } == .identityProviderDisabled)
        try await bench.configure("google", .google)
        #expect(
            await bench.refusal { _ = try await complete(bench, states[1], code(bench, proof)) }
                == .identityProviderDisabled)
        try await bench.accounts.ports.store.write {
            _ = try $0.deleteIdentityProvider(named: "google", in: bench.accounts.directory.id)
        }
        #expect(
            await bench.refusal { _ = try await complete(bench, states[2], code(bench, proof)) }
                == .identityProviderNotFound)
        for name in ["google", "", "Google", "none", String(repeating: "g", count: 40)] {
            #expect(await bench.refusal { _ = try await begin(bench, provider: name) } == .identityProviderNotFound)
        }
    }

    @Test("R12.2 R26 of 50 answers at once with one state, one signs in, and the provider is asked once")
    func oneWinner() async throws {
        let bench = try await FederationBench()
        let state = try await begin(bench)
        let answer = code(bench, try bench.proof("google", "ada", email: "ada@example.com", vouched: true))
        let outcomes = await withTaskGroup(of: AuthErrorCode?.self) { group in
            for _ in 0..<50 {
                group.addTask { await bench.refusal { _ = try await complete(bench, state, answer) } }
            }
            return await group.reduce(into: [AuthErrorCode?]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(outcomes.count { $0 == .flowStateNotFound } == 49)
        #expect(bench.upstream.answers.count == 1)
    }

    @Test("R12.2 of many first sign-ins of one subject at once, one makes the account, and all are that user")
    func oneAccount() async throws {
        let bench = try await FederationBench()
        let proof = try bench.proof("apple", "ada", email: "ada@example.com", vouched: true)
        let outcomes = try await withThrowingTaskGroup(of: FederatedOutcome.self) { group in
            for _ in 0..<20 { group.addTask { try await bench.signIn(proof) } }
            return try await group.reduce(into: [FederatedOutcome]()) { $0.append($1) }
        }
        #expect(Set(outcomes.map(\.record.user.id)).count == 1)
        #expect(outcomes.count { $0.isNew } == 1)
        let users = try await bench.accounts.ports.store.read { try $0.userCount(in: bench.accounts.directory.id) }
        #expect(users == 1)
    }

    @Test("R12.2 an ID token signs in once, whoever shows it and however its signature is written")
    func replay() async throws {
        let bench = try await FederationBench()
        let proof = try bench.proof("google", "ada", email: "ada@example.com", vouched: true)
        for text in ["a.b.c", "a.b.d"] { bench.upstream.vouch(proof, by: text) }
        let outcomes = await withTaskGroup(of: AuthErrorCode?.self) { group in
            for index in 0..<20 {
                group.addTask {
                    await bench.refusal {
                        let token = UpstreamIDToken(text: Secret(index.isMultiple(of: 2) ? "a.b.c" : "a.b.d"))
                        _ = try await IDTokenSignIn(bench.accounts.ports)(
                            .idToken(token), of: "google", policy: FederationPolicy(), call: bench.call())
                    }
                }
            }
            return await group.reduce(into: [AuthErrorCode?]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(outcomes.count { $0 == .identityTokenInvalid } == 19)
    }

    @Test("R12.2 an ID token that was refused is not spent: its user may link by it once they have signed in")
    func refusedIsUnspent() async throws {
        let bench = try await FederationBench()
        let owner = try await bench.owner("ada@example.com")
        bench.upstream.vouch(try bench.proof("facebook", "ada", email: "ada@example.com"), by: "a.b.c")
        let flow = IDTokenSignIn(bench.accounts.ports)
        let token = UpstreamCredential.idToken(UpstreamIDToken(text: Secret("a.b.c")))
        #expect(
            await bench.refusal {
                _ = try await flow(token, of: "facebook", policy: FederationPolicy(), call: bench.call())
            } == .needsConfirmation)
        #expect(try await bench.events(.signInFailed).count == 1)
        let linked = try await flow(
            token, of: "facebook", linkingTo: try await bench.session(of: owner), policy: FederationPolicy(),
            call: bench.call())
        #expect(linked.moment == .linked && linked.record.user.id == owner.id)
        #expect(try await bench.identities(of: owner) == ["facebook ada"])
    }

    @Test("R12.2 a known identity of another issuer, of a banned or a deleted user is nobody's way in")
    func unusable() async throws {
        let bench = try await FederationBench()
        let policy = FederationPolicy(isEmailOptional: true)
        let user = try await bench.signIn(bench.proof("custom:acme", "ada"), policy: policy).record.user
        var other = try bench.proof("custom:acme", "ada")
        other.issuer = "https://bought.example"
        #expect(await bench.refusal { _ = try await bench.signIn(other, policy: policy) } == .identityTokenInvalid)
        try await bench.accounts.ports.store.write { tx in
            guard var stored = try tx.user(user.id, in: user.directoryID) else { return }
            stored.bannedUntil = bench.accounts.now + .days(1)
            try tx.update(stored)
        }
        let proof = try bench.proof("custom:acme", "ada")
        #expect(await bench.refusal { _ = try await bench.signIn(proof, policy: policy) } == .userBanned)
        #expect(try await bench.liveSessions(of: user) == 1, "the one from before")
        try await bench.accounts.ports.write(bench.call()) { step in
            _ = try AccountEnding(step).softDelete(try step.tx.liveUser(user.id, in: step.directory))
        }
        let again = try await bench.signIn(proof, policy: policy)
        #expect(again.isNew && again.record.user.id != user.id)
    }

    @Test("R12.2 where nobody may sign up, or not from this provider, whoever has no account gets none")
    func closed() async throws {
        let bench = try await FederationBench()
        let proof = try bench.proof("google", "ada", email: "ada@example.com", vouched: true)
        let call = bench.call { $0.signUp.enabled = false }
        #expect(await bench.refusal { _ = try await bench.signIn(proof, call: call) } == .signUpDisabled)
        #expect(
            await bench.refusal {
                _ = try await bench.signIn(proof, policy: FederationPolicy(createsAccounts: false))
            } == .userNotFound)
        #expect(
            await bench.refusal { _ = try await bench.signIn(bench.proof("google", "noone")) } == .identityEmailMissing)
        try await bench.configure("google", .google) { $0.signUpAllowed = false }
        #expect(await bench.refusal { _ = try await bench.signIn(proof) } == .signUpDisabled)
        _ = try await bench.owner("ada@example.com")
        #expect(try await bench.signIn(proof, call: call).moment == .linked)
    }

    @Test("R12.2 a sign-in may end in a code, which whoever knows the verifier exchanges for the session")
    func code() async throws {
        let bench = try await FederationBench()
        let verifier = String(repeating: "v", count: 50)
        let policy = FederationPolicy(
            ending: .code(AuthorizationRequest(clientID: nil, challenge: CodeChallenge(for: verifier))))
        let state = try await begin(bench)
        let outcome = try await complete(
            bench, state, code(bench, try bench.proof("google", "ada", email: "ada@example.com", vouched: true)),
            policy: policy)
        guard case .code(let code) = outcome.ending else { return #expect(Bool(false), "no code") }
        #expect(try await bench.liveSessions(of: outcome.record.user) == 0)
        let step = try await ExchangeCode(bench.accounts.ports)(code: code, verifier: verifier, call: bench.call())
        #expect(try step.session().session.methods.map(\.provider) == ["google"])
    }

    @Test("R12.2 a proof that an app carries to its next call is worth nothing once another issuer has the name")
    func carriedProof() async throws {
        let bench = try await FederationBench()
        let ports = bench.accounts.ports
        bench.upstream.vouch(try bench.proof("custom:acme", "ada"), by: "a.b.c")
        let judged = try await IDTokenSignIn(ports).judged(
            .idToken(UpstreamIDToken(text: Secret("a.b.c"))), of: "custom:acme", call: bench.call())
        let flow = FederatedSignIn(ports)
        let carried = try flow.sealed(judged, call: bench.call())
        #expect(try await flow.opened(carried, call: bench.call()).proof.subject == "ada")
        let operatorCall = bench.accounts.call()
        _ = try await IdentityProviderAdministration(ports).update("custom:acme", call: operatorCall) {
            $0.issuer = "https://bought.example"
        }
        #expect(await bench.refusal { _ = try await flow.opened(carried, call: bench.call()) } == .flowStateNotFound)
    }

    @Test("R12.2 a newcomer is called by their subject, unless that is an address, or what somebody is called already")
    func namesOfNewcomers() async throws {
        let bench = try await FederationBench()
        let taken = try await bench.user { $0.username = try Username("acme_taken") }
        for (subject, name) in [
            ("17", "acme_17"), ("ada@example.com", nil), ("taken", nil), ("TAKEN", nil),
        ] as [(String, String?)] {
            let user = try await bench.signIn(
                try bench.proof("google", subject),
                policy: FederationPolicy(isEmailOptional: true, schema: NamingSchema())
            ).record.user
            #expect(user.id != taken.id && user.username?.rawValue == name, "\(subject)")
        }
    }

    @Test(
        "R10.4 R12.2 where names are told apart by their case, a newcomer is called by one that another's differs from in it"
    )
    func namesInAnotherCase() async throws {
        let bench = try await FederationBench { $0.signUp.caseSensitiveNames = true }
        _ = try await bench.user { $0.username = try Username("acme_taken", isCaseSensitive: true) }
        for (subject, name) in [("TAKEN", "acme_TAKEN"), ("taken", nil)] as [(String, String?)] {
            let user = try await bench.signIn(
                try bench.proof("google", subject),
                policy: FederationPolicy(isEmailOptional: true, schema: NamingSchema(isCaseSensitive: true))
            ).record.user
            #expect(user.username?.rawValue == name, "\(subject)")
        }
    }

    // MARK: Links

    @Test("R12.2 whoever is signed in links an identity by a browser, while that session lives and is theirs")
    func link() async throws {
        let bench = try await FederationBench()
        let owner = try await bench.owner("ada@example.com")
        let session = try await bench.session(of: owner)
        let linked = try await complete(
            bench, try await begin(bench, provider: "github", linksTo: session),
            code(bench, try bench.proof("github", "17")))
        #expect(linked.moment == .linked && linked.record.user.id == owner.id)
        #expect(try await bench.identities(of: owner) == ["github 17"])
        // The same again, and another user's.
        let state = try await begin(bench, provider: "github", linksTo: session)
        #expect(
            await bench.refusal {
                _ = try await complete(bench, state, code(bench, try bench.proof("github", "17")))
            } == .identityAlreadyLinked)
        let stranger = try await bench.session(of: try await bench.owner("eve@example.com"))
        let theirs = try await begin(bench, provider: "github", linksTo: stranger)
        #expect(
            await bench.refusal {
                _ = try await complete(bench, theirs, code(bench, try bench.proof("github", "17")))
            } == .identityAlreadyLinked)
        // A session that has ended since.
        let late = try await begin(bench, provider: "github", linksTo: session)
        let id = try #require(session.session?.id)
        try await bench.accounts.ports.write(bench.call()) { step in
            _ = try SessionEnding(step).end(id, because: .signedOut)
        }
        #expect(
            await bench.refusal {
                _ = try await complete(bench, late, code(bench, try bench.proof("github", "18")))
            } == .sessionNotFound)
        #expect(try await bench.identities(of: owner) == ["github 17"])
    }

    @Test("R14.2 a factor that was set up while the browser was away is asked for when it comes back")
    func factorMeanwhile() async throws {
        let bench = try await FederationBench()
        let owner = try await bench.owner("ada@example.com")
        let state = try await begin(bench, provider: "github", linksTo: try await bench.session(of: owner))
        let now = bench.accounts.now
        try await bench.accounts.ports.store.write {
            try $0.insert(
                Factor(
                    id: FactorID("f"), directoryID: owner.directoryID, userID: owner.id,
                    credential: .totp(Secret([UInt8](repeating: 7, count: 20))), verifiedAt: now, createdAt: now))
        }
        #expect(
            await bench.refusal {
                _ = try await complete(bench, state, code(bench, try bench.proof("github", "17")))
            } == .insufficientAssurance)
        #expect(try await bench.identities(of: owner).isEmpty)
    }

    @Test("R12.2 a session that ends while the provider is asked links nothing, by a browser or by an app's token")
    func linkingSessionEnds() async throws {
        let ending = Deferred()
        let bench = try await FederationBench(delay: { await ending.run() })
        let owner = try await bench.owner("ada@example.com")
        let session = try await bench.session(of: owner)
        let id = try #require(session.session?.id)
        let state = try await begin(bench, provider: "github", linksTo: session)
        bench.upstream.vouch(try bench.proof("google", "eve"), by: "a.b.c")
        // As a new password does, while whoever took the session waits for the provider's answer.
        ending.set {
            try? await bench.accounts.ports.write(bench.call()) { step in
                _ = try SessionEnding(step).end(id, because: .signedOut)
            }
        }
        #expect(
            await bench.refusal {
                _ = try await IDTokenSignIn(bench.accounts.ports)(
                    .idToken(UpstreamIDToken(text: Secret("a.b.c"))), of: "google", linkingTo: session,
                    policy: FederationPolicy(), call: bench.call())
            } == .sessionNotFound)
        #expect(
            await bench.refusal {
                _ = try await complete(bench, state, code(bench, try bench.proof("github", "17")))
            } == .sessionNotFound)
        #expect(try await bench.identities(of: owner).isEmpty)
    }

    @Test("R12.2 R10.2 an account that nobody has proved, and a session that is too old, link nothing")
    func mayNotLink() async throws {
        let bench = try await FederationBench()
        let unproved = try await bench.session(of: try await bench.user(email: "eve@example.com"))
        #expect(await bench.refusal { _ = try await begin(bench, linksTo: unproved) } == .emailNotVerified)
        let old = try await bench.session(of: try await bench.owner("ada@example.com"))
        let later = bench.call(after: .hours(2))
        #expect(
            await bench.refusal { _ = try await begin(bench, linksTo: old, call: later) } == .reauthenticationNeeded)
        let unasked = bench.call(after: .hours(2)) { $0.oneTime.addressChangeNeedsReauthentication = false }
        #expect(await bench.refusal { _ = try await begin(bench, linksTo: old, call: unasked) } == nil)
        #expect(
            await bench.refusal {
                bench.upstream.vouch(try bench.proof("google", "ada"), by: "a.b.c")
                _ = try await IDTokenSignIn(bench.accounts.ports)(
                    .idToken(UpstreamIDToken(text: Secret("a.b.c"))), of: "google", linkingTo: old,
                    policy: FederationPolicy(), call: later)
            } == .reauthenticationNeeded)
    }

    @Test(
        "R12.2 an anonymous user who links an identity is known by it from then on, and by the address it vouches for")
    func anonymous() async throws {
        let bench = try await FederationBench()
        let guest = try await bench.user { $0.isAnonymous = true }
        let linked = try await complete(
            bench, try await begin(bench, linksTo: try await bench.session(of: guest)),
            code(bench, try bench.proof("google", "ada", email: "ada@example.com", vouched: true)))
        let user = linked.record.user
        #expect(user.id == guest.id && !user.isAnonymous && user.emailVerifiedAt != nil)
        let again = try await bench.signIn(
            bench.proof("google", "ada", email: "new@example.com", vouched: true))
        #expect(again.record.user.id == guest.id && again.record.user.email?.rawValue == "ada@example.com")
    }
}

/// Work that a test names once it has what the work is about.
private final class Deferred: Sendable {
    private let work = Mutex<(@Sendable () async -> Void)?>(nil)

    func set(_ work: @escaping @Sendable () async -> Void) { self.work.withLock { $0 = work } }
    func run() async { await work.withLock(\.self)?() }
}

/// A dialect that calls newcomers by their provider's word, and wants nothing else.
private struct NamingSchema: AccountSchema {
    let dialect = FederationBench.dialect
    let fields: [AccountField] = []
    let admitsProvidersUsers = false
    var isCaseSensitive = false

    func read(_: [String: String]) throws(AccountFieldRefusals) -> AccountDescription { AccountDescription() }
    func attributes(
        of _: MappedAttributes, at _: FederationPolicy.Moment
    ) -> (byUser: JSONObject, byOperator: JSONObject) { ([:], [:]) }
    func missing(from _: MappedAttributes, email _: EmailAddress?) -> [String] { [] }
    func username(of subject: String, at _: IdentityProvider) -> Username? {
        try? Username("acme_" + subject, isCaseSensitive: isCaseSensitive)
    }
    func group(of _: IdentityProvider) -> (name: String, description: String)? { nil }
}
