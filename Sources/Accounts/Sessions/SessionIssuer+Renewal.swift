// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SessionIssuer {
    /// What came of presenting a refresh token. A refusal is a value, not an error: it may end the session, and that
    /// must be committed.
    public enum Renewal: Sendable {
        case issued(IssuedSession)
        case refused(AuthError)
    }

    /// How exactly it is known when a session was last used.
    static let activityResolution = TimeSpan.minutes(1)

    /// Judges a refresh token and gives its holder what they are owed: see ``RefreshTokenFamily``.
    ///
    /// - Throws: ``StoreConflict/stale(_:)`` when another call moved the family on meanwhile; the store runs the
    ///   transaction again, and the token is then the parent of the live one.
    public func renew(_ token: RefreshToken) throws -> Renewal {
        let (call, tx) = (step.call, step.tx)
        var session: Session
        let user: User
        switch try Self.holder(of: token, call, tx) {
        case .success(let found): (session, user) = found
        case .failure(let refusal): return .refused(refusal)
        }
        let before = session.family
        let live: RefreshToken
        let renewal: IssuedSession.Renewal
        let rules = RefreshTokenFamily.Rules(of: session, call)
        switch session.family.present(token, nonce: step.random.bytes(16), at: call.now, rules: rules) {
        case .rotated(let successor): (live, renewal) = (successor, .rotated)
        case .repeated(let token, let cause): (live, renewal) = (token, .repeated(cause))
        case .kept(let token): (live, renewal) = (token, .kept)
        case .replayed: return .refused(try endReplayed(session, user))
        case .superseded: return .refused(AuthError(.refreshTokenNotFound))
        }
        // An answer given again is use of the session too. Only callers that race within the reuse interval, all with
        // one answer, cost no write.
        if session.family != before || renewal == .kept {
            session.lastActiveAt = call.now.orLater(session.lastActiveAt)
            guard try tx.advance(session, from: before.generation) else { throw StoreConflict.stale("session") }
        }
        let identities = try LocalIdentities.shown(of: user, call, tx)
        return .issued(try IssuedSession(user, identities, session, live, renewal, call, tx))
    }

    /// What ``renew(_:)`` would answer where there is nothing to keep of it: the token stays as it is, and that
    /// the session is in use was written down less than ``activityResolution`` ago. `nil` where only that can say.
    ///
    /// Clients whose tokens do not rotate ask often, and alike; this costs them no write.
    public static func renewal(
        of token: RefreshToken, call: CallContext, in tx: any StoreReading
    ) throws -> IssuedSession? {
        guard let kept = try kept(token, call: call, in: tx) else { return nil }
        let identities = try LocalIdentities.shown(of: kept.user, call, tx)
        return try IssuedSession(kept.user, identities, kept.session, kept.live, .kept, call, tx)
    }

    /// The session and user of ``renewal(of:call:in:)``, and the token that goes on as it is.
    static func kept(
        _ token: RefreshToken, call: CallContext, in tx: any StoreReading
    ) throws -> (session: Session, user: User, live: RefreshToken)? {
        guard case .success(let (session, user)) = try holder(of: token, call, tx),
            call.now.age(of: session.lastActiveAt) < activityResolution
        else { return nil }
        var family = session.family
        let rules = RefreshTokenFamily.Rules(of: session, call)
        guard case .kept(let live) = family.present(token, nonce: [], at: call.now, rules: rules) else { return nil }
        return (session, user, live)
    }

    /// Whether a refresh token would be taken if it were presented now. It is not thereby.
    static func wouldRenew(_ token: RefreshToken, call: CallContext, in tx: any StoreReading) throws -> Bool {
        guard case .success(let (session, _)) = try holder(of: token, call, tx) else { return false }
        var family = session.family
        let rules = RefreshTokenFamily.Rules(of: session, call)
        return switch family.present(token, nonce: [], at: call.now, rules: rules) {
        case .replayed, .superseded: false
        case .rotated, .repeated, .kept: true
        }
    }

    /// The session that a refresh token is of, and its user, where both may be used.
    private static func holder(
        of token: RefreshToken, _ call: CallContext, _ tx: any StoreReading
    ) throws -> Result<(Session, User), AuthError> {
        guard let session = try tx.session(token.session, in: call.directory.id),
            let user = try tx.user(session.userID, in: call.directory.id), user.deletedAt == nil
        else { return .failure(AuthError(.refreshTokenNotFound)) }
        // To another client the token is one that it was never given.
        guard session.clientID == call.client?.id else { return .failure(AuthError(.refreshTokenNotFound)) }
        if let refusal = call.refusal(of: user) { return .failure(AuthError(refusal)) }
        if let revocation = session.revocation, session.revokedAt != nil {
            return .failure(AuthError(revocation == .replay ? .refreshTokenReused : .refreshTokenNotFound))
        }
        guard !session.hasEnded(call) else { return .failure(AuthError(.sessionExpired)) }
        guard try isOnItsDevice(session, call, tx) else { return .failure(AuthError(.refreshTokenNotFound)) }
        if let refusal = try parentRefusal(of: session, call, tx) { return .failure(AuthError(refusal)) }
        return .success((session, user))
    }

    /// What a client was given in a browser's session lives as long as that does, also where its time is over and
    /// nothing has ended it; offline it goes on alone (OpenID Connect Core, section 11).
    private static func parentRefusal(
        of session: Session, _ call: CallContext, _ tx: any StoreReading
    ) throws -> AuthErrorCode? {
        guard let parentID = session.parentID, session.grant?.isOffline != true else { return nil }
        guard let parent = try tx.session(parentID, in: call.directory.id), parent.revokedAt == nil else {
            return .refreshTokenNotFound
        }
        return parent.hasEnded(call) ? .sessionExpired : nil
    }

    private func endReplayed(_ session: Session, _ user: User) throws -> AuthError {
        try SessionEnding(step).end(session.id, because: .replay)
        try step.record(.refreshTokenReplayed, user, details: ["session": .string(session.id.rawValue)])
        return AuthError(.refreshTokenReused)
    }
}

extension RefreshTokenFamily.Rules {
    fileprivate init(of session: Session, _ call: CallContext) {
        self.init(
            rotates: session.rotates ?? call.settings.sessions.rotationEnabled,
            reuseInterval: .seconds(call.client?.settings.rotationGrace ?? call.settings.sessions.reuseInterval))
    }
}
