// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The one place where any sign-in of any dialect ends. It alone decides whether a user who has proved who they are
/// may have a session: deleted, banned and unconfirmed accounts may not, nor may a temporary password open one.
public struct SessionIssuer: Sendable {
    /// What came of presenting a refresh token. A refusal is a value, not an error: it may end the session, and that
    /// must be committed.
    public enum Renewal: Sendable {
        case issued(IssuedSession)
        case refused(AuthError)
    }

    private let random: any RandomSource

    public init(random: any RandomSource) {
        self.random = random
    }

    /// Opens a session.
    ///
    /// - Parameters:
    ///   - user: as this transaction read it.
    ///   - identifier: what the user named themselves by, where they typed a password: that must be confirmed, or for a
    ///     name any of their addresses.
    /// - Throws: ``AuthErrorCode/userNotFound`` for a deleted user, ``AuthErrorCode/userBanned``,
    ///   ``AuthErrorCode/temporaryPasswordExpired``, ``AuthErrorCode/passwordChangeRequired``,
    ///   ``AuthErrorCode/emailNotVerified``, ``AuthErrorCode/phoneNotVerified``.
    public func issue(
        for user: User, by method: AuthenticationMethod.Name, identifier: SignInIdentifier? = nil, call: CallContext,
        in tx: any StoreWriting
    ) throws -> IssuedSession {
        if let refusal = refusal(of: user, by: method, identifier: identifier, call: call) { throw refusal }
        var signedIn = user
        signedIn.lastSignInAt = call.now
        signedIn.updatedAt = call.now
        signedIn = try tx.update(signedIn)
        let identities = try stampIdentity(of: signedIn, identifier, call, tx)

        let settings = call.settings.sessions
        if settings.singlePerUser {
            try tx.revokeSessions(of: user.id, in: user.directoryID, except: nil, because: .replaced, at: call.now)
        }
        let id: SessionID = random.identifier(at: call.now)
        let (family, live) = RefreshTokenFamily.open(for: id, secret: random.bytes(RefreshToken.secretLength))
        let session = Session(
            id: id, directoryID: user.directoryID, userID: user.id, device: call.device,
            methods: [AuthenticationMethod(method, at: call.now)], assurance: .aal1, createdAt: call.now,
            lastActiveAt: call.now, notAfter: Self.notAfter(call), family: family, clientID: call.client?.id,
            rotates: call.rotates ?? call.client?.settings.rotatesRefreshTokens)
        try tx.insert(session)
        try tx.append(
            AuditEvent(
                .signedIn, user: user.id, email: user.email,
                details: ["method": .string(method.rawValue), "session": .string(id.rawValue)], call: call,
                random: random))
        return try issued(signedIn, identities, session, live, .signedIn, call, tx)
    }

    /// Why ``issue(for:by:identifier:call:in:)`` would refuse the user; `nil` when it would not. For callers that write a
    /// refusal down in the transaction that it ends.
    func refusal(
        of user: User, by method: AuthenticationMethod.Name, identifier: SignInIdentifier?, call: CallContext
    ) -> AuthError? {
        guard user.deletedAt == nil, user.directoryID == call.directory.id else { return AuthError(.userNotFound) }
        guard !user.isBanned(at: call.now) else { return AuthError(.userBanned) }
        guard method == .password else { return nil }
        if let temporary = user.temporaryPassword {
            return AuthError(
                temporary.hasExpired(at: call.now) ? .temporaryPasswordExpired : .passwordChangeRequired)
        }
        guard !call.settings.signUp.allowUnverifiedSignIn else { return nil }
        switch identifier {
        case .email: return user.emailVerifiedAt == nil ? AuthError(.emailNotVerified) : nil
        case .phone: return user.phoneVerifiedAt == nil ? AuthError(.phoneNotVerified) : nil
        case .username, .user, nil:
            guard !user.isConfirmed else { return nil }
            return AuthError(user.email == nil ? .phoneNotVerified : .emailNotVerified)
        }
    }

    private func stampIdentity(
        of user: User, _ identifier: SignInIdentifier?, _ call: CallContext, _ tx: any StoreWriting
    ) throws -> [Identity] {
        var identities = try tx.identities(of: user.id, in: user.directoryID)
        var provider = user.email == nil ? LocalIdentities.phone : LocalIdentities.email
        if case .phone = identifier { provider = LocalIdentities.phone }
        if let index = identities.firstIndex(where: { $0.provider == provider }) {
            identities[index].lastSignInAt = call.now
            try tx.update(identities[index])
        }
        return identities
    }

    /// Judges a refresh token and gives its holder what they are owed: see ``RefreshTokenFamily``.
    ///
    /// - Throws: ``StoreConflict/stale(_:)`` when another call moved the family on meanwhile; the store runs the
    ///   transaction again, and the token is then the parent of the live one.
    public func renew(_ token: RefreshToken, call: CallContext, in tx: any StoreWriting) throws -> Renewal {
        var session: Session
        let user: User
        switch try holder(of: token, call, tx) {
        case .success(let found): (session, user) = found
        case .failure(let refusal): return .refused(refusal)
        }
        let before = session.family
        let live: RefreshToken
        let renewal: IssuedSession.Renewal
        switch session.family.present(token, nonce: random.bytes(16), at: call.now, rules: rules(of: session, call)) {
        case .rotated(let successor): (live, renewal) = (successor, .rotated)
        case .repeated(let token, let cause): (live, renewal) = (token, .repeated(cause))
        case .kept(let token): (live, renewal) = (token, .kept)
        case .replayed: return .refused(try endReplayed(session, user, call, tx))
        }
        // An answer given again is use of the session too. Only callers that race within the reuse interval, all with
        // one answer, cost no write.
        if session.family != before || renewal == .kept {
            session.lastActiveAt = call.now.orLater(session.lastActiveAt)
            guard try tx.advance(session, from: before.generation) else { throw StoreConflict.stale("session") }
        }
        let identities = try tx.identities(of: user.id, in: user.directoryID)
        return .issued(try issued(user, identities, session, live, renewal, call, tx))
    }

    /// What ``renew(_:call:in:)`` would answer where there is nothing to keep of it: the token stays as it is, and that
    /// the session is in use was written down less than ``activityResolution`` ago. `nil` where only that can say.
    ///
    /// Clients whose tokens do not rotate ask often, and alike; this costs them no write.
    public func renewal(of token: RefreshToken, call: CallContext, in tx: any StoreReading) throws -> IssuedSession? {
        guard case .success(let (session, user)) = try holder(of: token, call, tx),
            call.now.age(of: session.lastActiveAt) < Self.activityResolution
        else { return nil }
        var family = session.family
        guard
            case .kept(let live) = family.present(token, nonce: [], at: call.now, rules: rules(of: session, call))
        else { return nil }
        let identities = try tx.identities(of: user.id, in: user.directoryID)
        return try issued(user, identities, session, live, .kept, call, tx)
    }

    /// How exactly it is known when a session was last used.
    static let activityResolution = Span.minutes(1)

    /// The session that a refresh token is of, and its user, where both may be used.
    private func holder(
        of token: RefreshToken, _ call: CallContext, _ tx: any StoreReading
    ) throws -> Result<(Session, User), AuthError> {
        guard let session = try tx.session(token.session, in: call.directory.id),
            let user = try tx.user(session.userID, in: call.directory.id), user.deletedAt == nil
        else { return .failure(AuthError(.refreshTokenNotFound)) }
        // To another client the token is one that it was never given.
        guard session.clientID == call.client?.id else { return .failure(AuthError(.refreshTokenNotFound)) }
        guard !user.isBanned(at: call.now) else { return .failure(AuthError(.userBanned)) }
        if let revocation = session.revocation, session.revokedAt != nil {
            return .failure(AuthError(revocation == .replay ? .refreshTokenReused : .refreshTokenNotFound))
        }
        guard !hasEnded(session, call) else { return .failure(AuthError(.sessionExpired)) }
        return .success((session, user))
    }

    private func rules(of session: Session, _ call: CallContext) -> RefreshTokenFamily.Rules {
        RefreshTokenFamily.Rules(
            rotates: session.rotates ?? call.settings.sessions.rotationEnabled,
            reuseInterval: .seconds(call.client?.settings.rotationGrace ?? call.settings.sessions.reuseInterval))
    }

    private func endReplayed(
        _ session: Session, _ user: User, _ call: CallContext, _ tx: any StoreWriting
    ) throws -> AuthError {
        _ = try tx.revoke(session.id, in: session.directoryID, because: .replay, at: call.now)
        try tx.append(
            AuditEvent(
                .refreshTokenReplayed, user: user.id, email: user.email,
                details: ["session": .string(session.id.rawValue)], call: call, random: random))
        return AuthError(.refreshTokenReused)
    }

    /// Whether the session's time is over. The same rule judges access tokens: see ``SessionAuthentication``.
    func hasEnded(_ session: Session, _ call: CallContext) -> Bool {
        end(of: session, call.settings.sessions).map { $0 <= call.now } ?? false
    }

    /// When the session ends if nobody uses it again. Limits that the operator has tightened since it began count.
    private func end(of session: Session, _ settings: DirectorySettings.Sessions) -> Instant? {
        var ends = [session.notAfter].compactMap(\.self)
        if settings.timebox > 0 { ends.append(session.createdAt + .seconds(settings.timebox)) }
        if settings.inactivityTimeout > 0 { ends.append(session.lastActiveAt + .seconds(settings.inactivityTimeout)) }
        return ends.min()
    }

    /// When a session that begins now ends, whoever uses it: the earlier of what the Directory and the client say.
    private static func notAfter(_ call: CallContext) -> Instant? {
        let timebox = call.settings.sessions.timebox
        let ends = [timebox > 0 ? timebox : nil, call.client?.settings.refreshTokenLifetime].compactMap(\.self)
        return ends.min().map { call.now + .seconds($0) }
    }

    private func issued(
        _ user: User, _ identities: [Identity], _ session: Session, _ live: RefreshToken,
        _ renewal: IssuedSession.Renewal, _ call: CallContext, _ tx: any StoreReading
    ) throws -> IssuedSession {
        let settings = call.settings.sessions
        let end = end(of: session, settings)
        func expiry(_ lifetime: Int64) -> Instant {
            let expiry = call.now + .seconds(lifetime)
            return end.map { min(expiry, $0) } ?? expiry
        }
        let access = call.client?.settings.accessTokenLifetime ?? settings.accessTokenLifetime
        let id = call.client?.settings.idTokenLifetime ?? settings.accessTokenLifetime
        return IssuedSession(
            user: user, identities: identities, groups: try tx.groups(of: user.id, in: user.directoryID),
            session: session, refreshToken: Secret(live.encoded(under: call.directory.tokenKey, for: call.dialect)),
            accessExpiresAt: expiry(access), idExpiresAt: expiry(id), renewal: renewal)
    }
}
