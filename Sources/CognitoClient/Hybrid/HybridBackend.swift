// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Signs in by a provider's own kit and an identity pool, without any page (H-1 to H-13). Who calls can't tell it from the
/// pages of a user pool: the same proofs, steps and errors (H-3).
///
/// The session's access token is the identity pool's own word on who the user is (`GetOpenIdToken`), unless a backend is given
/// that opens a session for the provider's token: then it is that one's. See docs/hybrid-sign-in.md.
public final class HybridBackend: IdentityBackend {
    private let configuration: HybridConfiguration
    let native: any NativeIdentityProvider
    private let pool: IdentityPool
    let session: (any IdentityBackend)?
    private let clock: any ClientClock
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
            store: store, clock: clock, random: random, record: record)
        let (memory, name) = (memory, configuration.loginName)
        credentials = IdentityPoolCredentials(pool, clock: clock) { () throws(AuthError) in
            [name: try await HybridBackend.liveToken(memory, native, now: clock.now)]
        }
    }

    public var name: String { "cognito-hybrid:\(configuration.identityPool.identityPoolID)" }

    /// Whatever fails, fails with its step (`AuthError.hybridStep`), and leaves nothing half done: the kit has forgotten
    /// who it was, unless it is who is signed in all along, no credentials are kept and no session is given (H-4).
    public func signIn(_ proof: SignInProof) async throws(AuthError) -> SignInStep {
        let identity: ProviderIdentity
        switch proof {
        case .identityToken(let given): identity = given
        case .browser(let provider, _) where provider == nil || provider == native.provider:
            let nonce = Secret(Base64URL.encode(random.bytes(32)))
            identity = try await step(.provider) { () throws(AuthError) in try await native.signIn(nonce: nonce) }
        default: throw AuthError(.unsupported, reason: "signed in by \(native.provider) alone")
        }
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

    /// The session: the pool's own word, or that of the backend that the app named, which may want more of the user first.
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

    private func ownSession(
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

    /// The other backend's next tokens of the same session.
    func continued(_ tokens: TokenSet, _ grant: SessionGrant) -> SessionGrant {
        guard let mark = HybridMark(in: tokens.attachments), let login = HybridLogin(of: tokens) else { return grant }
        guard let present = memory.value.present, present.signIn == login.signIn else { return mark.mark(grant) }
        return mark.renewed(by: present).mark(grant)
    }

    /// By what the token says of itself; ten minutes, as they are given, where it says nothing.
    private static func lifetime(of token: Secret<String>, _ now: Instant) -> Span {
        guard let end = (try? IDTokenClaims(reading: token))?.expiresAt else { return .minutes(10) }
        return min(max(end - now, .zero), .days(1))
    }

    /// A new word of the identity pool, by a new token of the provider's kit where that can renew it unseen.
    public func refresh(_ tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        if let session {
            // Rotated tokens are stored before anything else is asked for: the provider's are renewed when credentials are.
            let grant = continued(tokens, try await session.refresh(tokens))
            record(.renewed)
            return grant
        }
        let begun = memory.value.generation
        guard let id = tokens.attachments.reveal()["identity"], var login = HybridLogin(of: tokens) else {
            throw AuthError(.sessionExpired, reason: "the session has nothing to be renewed by")
        }
        let identity = try await renewed(login.token, of: login.subject)
        login.token = identity.idToken
        do {
            let grant = try await ownSession(identity, of: id, login)
            memory.withLock { [login] in $0.renew(login, since: begun) }
            record(.renewed)
            return grant
        } catch {
            throw refusedRefresh(error, of: identity.idToken)
        }
    }

    /// - Throws: what ends the session only where the kit says that there is no more to be had.
    private func renewed(_ kept: Secret<String>, of subject: String) async throws(AuthError) -> ProviderIdentity {
        guard let renewable = native as? any RenewableIdentityProvider else {
            return ProviderIdentity(provider: native.provider, idToken: kept)
        }
        let identity: ProviderIdentity
        do {
            identity = try await renewable.renew()
        } catch {
            switch error.code {
            // Taken back at the provider (Y-E4), or forgotten by the kit.
            case .identityProviderRefused: throw AuthError(.sessionNotFound, reason: error.reason)
            case .notSignedIn: throw AuthError(.sessionExpired, reason: error.reason)
            default: throw error
            }
        }
        guard (try? IDTokenClaims(reading: identity.idToken))?.subject.utf8.elementsEqual(subject.utf8) == true else {
            throw AuthError(.sessionNotFound, reason: "somebody else is signed in at the provider")
        }
        return identity
    }

    /// What the pool says of a token that has run out, or of an identity that is gone, is the end of the session.
    ///
    /// Nothing else that it says of a token is: who has changed the provider's client, or a service that had the provider's newest
    /// keys not yet ("Couldn't verify signed token"), would sign everybody out who had done nothing.
    private func refusedRefresh(_ error: AuthError, of token: Secret<String>) -> AuthError {
        switch error.code {
        case .identityTokenInvalid where isOver(token, by: error):
            AuthError(.sessionExpired, reason: error.reason)
        // Not a pool that is not there, nor a firewall's `ForbiddenException`: those say nothing of this user.
        case .identityNotFound, .anonymousDisabled, .identityAlreadyLinked:
            AuthError(.sessionNotFound, reason: error.reason)
        default: error
        }
    }

    /// - Parameter refusal: says why the pool did not take it, for nobody can renew one of a kit that can't.
    private func isOver(_ token: Secret<String>, by refusal: AuthError) -> Bool {
        let words = refusal.reason?.lowercased() ?? ""
        if words.contains("expired") || words.contains("revoked") { return true }
        guard !(native is any RenewableIdentityProvider) else { return false }
        return (try? IDTokenClaims(reading: token))?.expiresAt.map { $0 <= clock.now } ?? true
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

    private func step<Outcome: Sendable>(
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
