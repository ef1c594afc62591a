// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Signs in by a provider's own kit and an identity pool, without any page (H-1 to H-13). Who calls can't tell it from
/// the pages of a user pool: the same proofs, steps and errors (H-3).
///
/// The session's access token is the identity pool's own word on who the user is (`GetOpenIdToken`), unless a backend
/// is given that opens a session for the provider's token: then it is that one's. See docs/hybrid-sign-in.md.
public final class HybridBackend: IdentityBackend {
    private let configuration: HybridConfiguration
    let native: any NativeIdentityProvider
    private let pool: IdentityPool
    let session: (any IdentityBackend)?
    let clock: any ClientClock
    private let random: any RandomSource
    let record: @Sendable (HybridEvent) -> Void
    let memory = Guarded(HybridMemory())

    /// Synchronizations that wait: an app runs it while somebody is signed in.
    public let queue: UserSyncQueue
    /// What signs requests to other services, for whoever is signed in.
    public let credentials: IdentityPoolCredentials

    /// - Parameters:
    ///   - native: the provider's kit. One that is a `RenewableIdentityProvider` lets a session outlive the provider's
    ///     token, which lives an hour.
    ///   - session: a backend that takes `identityToken`, and whose sessions the app's server takes.
    ///   - store: where synchronizations wait.
    ///   - record: what an app logs and counts (H-11).
    public init(
        _ configuration: HybridConfiguration, native: any NativeIdentityProvider, session: (any IdentityBackend)? = nil,
        transport: any HTTPTransport, store: any SecureStore, clock: any ClientClock,
        random: any RandomSource = SystemRandomSource(), record: @escaping @Sendable (HybridEvent) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.native = native
        self.session = session
        self.clock = clock
        self.random = random
        self.record = record
        let pool = IdentityPool(configuration.identityPool, transport: transport)
        self.pool = pool
        queue = UserSyncQueue(
            UserSync(url: configuration.userSyncURL, headers: configuration.userSyncHeaders, transport: transport),
            store: store, clock: clock, random: random, record: record
        ) { [memory] subject in
            await HybridBackend.renewed(memory, native, of: subject)
        }
        let (memory, name) = (memory, configuration.loginName)
        credentials = IdentityPoolCredentials(
            pool, clock: clock,
            renewing: { refused throws(AuthError) in
                [name: try await HybridBackend.liveToken(memory, native, now: clock.now, refused: refused)]
            })
    }

    public var name: String {
        configuration.sessionName ?? "cognito-hybrid:\(configuration.identityPool.identityPoolID)"
    }

    /// Whatever fails, fails with its step (`AuthError.hybridStep`), and leaves nothing half done: the kit has
    /// forgotten who it was, unless it is who is signed in all along, no credentials are kept and no session is given
    /// (H-4).
    public func signIn(_ proof: SignInProof) async throws(AuthError) -> SignInStep {
        guard takes(proof) else {
            throw AuthError(.unsupported, reason: "signed in by \(native.provider) alone")
        }
        let identity = try await step(.provider) { () throws(AuthError) in try await asked(proof) }
        let signIn = Base64URL.encode(random.bytes(16))
        let begun = memory.withLock { memory in
            memory.hold(signIn)
            return memory.generation
        }
        let kept = await credentials.generation
        do {
            return try await open(for: identity, signIn, since: begun, keeping: kept)
        } catch {
            let subject = (try? IDTokenClaims(reading: identity.idToken))?.subject
            if memory.withLock({ $0.undo(signIn, of: subject) }) { await native.signOut() }
            throw error
        }
    }

    /// Whether the proof is one of the kit's provider.
    func takes(_ proof: SignInProof) -> Bool {
        switch proof {
        case .identityToken(let given): given.provider == native.provider
        case .browser(let provider, _): provider == nil || provider == native.provider
        default: false
        }
    }

    /// What the app has of the kit already, or what the kit gives for the user's yes.
    func asked(_ proof: SignInProof) async throws(AuthError) -> ProviderIdentity {
        if case .identityToken(let given) = proof { return given }
        return try await native.signIn(nonce: Secret(Base64URL.encode(random.bytes(32))))
    }

    /// - Parameters:
    ///   - signIn: a fresh random name.
    ///   - begun: how often it had become somebody else's before.
    ///   - kept: the same of the credentials.
    private func open(
        for identity: ProviderIdentity, _ signIn: String, since begun: Int, keeping kept: Int
    ) async throws(AuthError) -> SignInStep {
        // Read to tell people apart on this device; it is judged by those who are asked.
        let claims = try await step(.provider) { () throws(AuthError) in try IDTokenClaims(reading: identity.idToken) }
        let logins = [configuration.loginName: identity.idToken]
        let id = try await step(.federation) { () throws(AuthError) in try await pool.identity(logins) }
        let (given, lifetime) = try await step(.credentials) { () throws(AuthError) in
            try await pool.credentials(of: id, logins, now: clock.now)
        }
        let (subject, synced) = try await step(.synchronization) { () throws(AuthError) in
            try await queue.synchronize(identity, subject: claims.subject)
        }
        let login = HybridLogin(signIn: signIn, subject: claims.subject, token: identity.idToken)
        let isNew = synced?.isNew ?? false
        let opened = try await step(.session) { () throws(AuthError) in
            try await openSession(identity, of: given.identityID, login, isNewUser: isNew)
        }
        // Nobody is there yet: credentials are had once a session counts.
        guard case .session(let granted) = opened else { return opened }
        let isTheirs = memory.withLock { memory in
            memory.take(
                login, HybridMemory.Offer(signIn: signIn, credentials: given, lifetime: lifetime), since: begun)
        }
        if isTheirs { await credentials.keep(given, living: lifetime, since: kept) }
        var grant = granted
        var user = synced?.user ?? claims.user(provider: identity.provider)
        user.subject = subject
        if session == nil { grant.user = user }
        record(.signedIn(new: isNew))
        return .session(grant)
    }

    /// The session: the pool's own word, or that of the backend that the app named, which may want more of the user
    /// first.
    private func openSession(
        _ identity: ProviderIdentity, of id: String, _ login: HybridLogin, isNewUser: Bool
    ) async throws(AuthError) -> SignInStep {
        guard let session else { return .session(try await ownSession(identity, of: id, login)) }
        let mark = HybridMark(id: id, login, isNewUser: isNewUser)
        switch try await session.signIn(.identityToken(identity)) {
        case .session(let grant): return .session(mark.mark(grant))
        case .awaiting(let step): return .awaiting(mark.mark(step))
        }
    }

    func ownSession(
        _ identity: ProviderIdentity, of id: String, _ login: HybridLogin
    ) async throws(AuthError) -> SessionGrant {
        let (token, date) = try await pool.openIDToken(of: id, [configuration.loginName: identity.idToken])
        let attachments = ["identity": id, "providerSubject": login.subject, HybridLogin.signInName: login.signIn]
        return SessionGrant(
            tokens: TokenSet(
                accessToken: token, idToken: identity.idToken, refreshToken: identity.idToken,
                lifetime: Self.lifetime(of: token, date ?? clock.now), attachments: Secret(attachments)),
            user: nil, serverDate: date)
    }

    /// A session of the pool's own word, once its user has shown the provider that they are there.
    func renewedByUser(
        _ tokens: TokenSet, _ identity: ProviderIdentity, _ login: HybridLogin
    ) async throws(AuthError) -> SessionGrant {
        guard let id = tokens.attachments.reveal()["identity"] else { throw AuthError(.notSignedIn) }
        let (subject, synced) = try await step(.synchronization) { () throws(AuthError) in
            try await queue.synchronize(identity, subject: login.subject)
        }
        var grant = try await step(.session) { () throws(AuthError) in try await ownSession(identity, of: id, login) }
        let claims = try IDTokenClaims(reading: identity.idToken)
        var user = synced?.user ?? claims.user(provider: identity.provider)
        user.subject = subject
        grant.user = user
        return grant
    }

    /// The other backend's next tokens of the same session.
    func continued(_ tokens: TokenSet, _ grant: SessionGrant) -> SessionGrant {
        guard let mark = HybridMark(in: tokens.attachments), let login = HybridLogin(of: tokens) else { return grant }
        guard let present = memory.value.present, present.signIn == login.signIn else { return mark.mark(grant) }
        return mark.renewed(by: present).mark(grant)
    }

    /// By what the token says of itself; ten minutes, as they are given, where it says nothing.
    private static func lifetime(of token: Secret<String>, _ now: Instant) -> TimeSpan {
        guard let end = (try? IDTokenClaims(reading: token))?.expiresAt else { return .minutes(10) }
        return min(max(end - now, .zero), .days(1))
    }

    /// Brings the user up to date once more, by the provider's token.
    public func user(_ tokens: TokenSet) async throws(AuthError) -> SessionUser {
        let begun = memory.value.generation
        var found = HybridLogin(of: tokens)
        if let session {
            let user = try await session.user(tokens)
            if let login = found { memory.withLock { if $0.present == nil { $0.renew(login, since: begun) } } }
            return user
        }
        guard let login = found else { throw AuthError(.notSignedIn) }
        let identity = try await renewed(login.token, of: login.subject)
        // After a start of the app this is what the credentials are had by.
        found?.token = identity.idToken
        if let newer = found { memory.withLock { $0.renew(newer, since: begun) } }
        guard let user = try await queue.synchronize(identity, subject: login.subject).synced?.user else {
            throw AuthError(.unavailable, reason: "the user is brought up to date later")
        }
        return user
    }

    func step<Outcome: Sendable>(
        _ step: HybridStep, _ body: () async throws(AuthError) -> Outcome
    ) async throws(AuthError) -> Outcome {
        do {
            return try await body()
        } catch {
            // Who turned back has done nothing wrong (Y-US1).
            if error.code != .cancelled { record(.failed(step, error.code)) }
            throw error.at(step)
        }
    }
}
