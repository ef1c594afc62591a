// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The one place where any sign-in of any dialect ends. It alone decides whether a user who has proved who they are
/// may have a session: deleted, banned and unconfirmed accounts may not, nor may a temporary password open one.
public struct SessionIssuer {
    let step: FlowStep

    public init(_ step: FlowStep) {
        self.step = step
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
        for user: User, by method: AuthenticationMethod.Name, identifier: SignInIdentifier? = nil
    ) throws -> IssuedSession {
        let (call, tx) = (step.call, step.tx)
        if let refusal = refusal(of: user, by: method, identifier: identifier) { throw refusal }
        var signedIn = user
        signedIn.lastSignInAt = call.now
        signedIn.updatedAt = call.now
        signedIn = try tx.update(signedIn)
        let identities = try stampIdentity(of: signedIn, identifier)

        if call.settings.sessions.singlePerUser {
            try tx.revokeSessions(of: user.id, in: user.directoryID, except: nil, because: .replaced, at: call.now)
        }
        let id: SessionID = step.identifier()
        let (family, live) = RefreshTokenFamily.open(for: id, secret: step.random.bytes(RefreshToken.secretLength))
        let session = Session(
            id: id, directoryID: user.directoryID, userID: user.id, device: call.device,
            methods: [AuthenticationMethod(method, at: call.now)], assurance: .aal1, createdAt: call.now,
            lastActiveAt: call.now, notAfter: Self.notAfter(call), family: family, clientID: call.client?.id,
            rotates: call.rotates ?? call.client?.settings.rotatesRefreshTokens)
        try tx.insert(session)
        try step.record(
            .signedIn, user, details: ["method": .string(method.rawValue), "session": .string(id.rawValue)])
        return try IssuedSession(signedIn, identities, session, live, .signedIn, call, tx)
    }

    /// Why ``issue(for:by:identifier:)`` would refuse the user; `nil` when it would not. For callers that write a
    /// refusal down in the transaction that it ends.
    func refusal(
        of user: User, by method: AuthenticationMethod.Name, identifier: SignInIdentifier?
    ) -> AuthError? {
        guard user.deletedAt == nil, user.directoryID == step.directory else { return AuthError(.userNotFound) }
        guard !user.isBanned(at: step.now) else { return AuthError(.userBanned) }
        guard method == .password else { return nil }
        if let temporary = user.temporaryPassword {
            return AuthError(
                temporary.hasExpired(at: step.now) ? .temporaryPasswordExpired : .passwordChangeRequired)
        }
        guard !step.settings.signUp.allowUnverifiedSignIn else { return nil }
        switch identifier {
        case .email: return user.emailVerifiedAt == nil ? AuthError(.emailNotVerified) : nil
        case .phone: return user.phoneVerifiedAt == nil ? AuthError(.phoneNotVerified) : nil
        case .username, .user, nil:
            guard !user.isConfirmed else { return nil }
            return AuthError(user.email == nil ? .phoneNotVerified : .emailNotVerified)
        }
    }

    private func stampIdentity(of user: User, _ identifier: SignInIdentifier?) throws -> [Identity] {
        var identities = try step.tx.identities(of: user.id, in: user.directoryID)
        var provider = user.email == nil ? LocalIdentities.phone : LocalIdentities.email
        if case .phone = identifier { provider = LocalIdentities.phone }
        if let index = identities.firstIndex(where: { $0.provider == provider }) {
            identities[index].lastSignInAt = step.now
            try step.tx.update(identities[index])
        }
        return identities
    }

    /// When a session that begins now ends, whoever uses it: the earlier of what the Directory and the client say.
    private static func notAfter(_ call: CallContext) -> Instant? {
        let timebox = call.settings.sessions.timebox
        let ends = [timebox > 0 ? timebox : nil, call.client?.settings.refreshTokenLifetime].compactMap(\.self)
        return ends.min().map { call.now + .seconds($0) }
    }
}

extension IssuedSession {
    /// What a dialect is given of a session that this transaction opened or renewed.
    ///
    /// - Parameter live: the refresh token that the holder has from now on.
    init(
        _ user: User, _ identities: [Identity], _ session: Session, _ live: RefreshToken, _ renewal: Renewal,
        _ call: CallContext, _ tx: any StoreReading
    ) throws {
        let settings = call.settings.sessions
        let end = session.end(settings)
        func expiry(_ lifetime: Int64) -> Instant {
            let expiry = call.now + .seconds(lifetime)
            return end.map { min(expiry, $0) } ?? expiry
        }
        let access = call.client?.settings.accessTokenLifetime ?? settings.accessTokenLifetime
        let id = call.client?.settings.idTokenLifetime ?? settings.accessTokenLifetime
        self.init(
            user: user, identities: identities, groups: try tx.groups(of: user.id, in: user.directoryID),
            session: session, refreshToken: Secret(live.encoded(under: call.directory.tokenKey, for: call.dialect)),
            accessExpiresAt: expiry(access), idExpiresAt: expiry(id), renewal: renewal)
    }
}
