// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Looks up the user and the session that an access token names, whose signature the dialect has judged.
public struct SessionAuthentication: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameter user: the token's subject: what its dialect calls the user.
    /// - Throws: ``AuthErrorCode/userNotFound``, ``AuthErrorCode/userBanned``, ``AuthErrorCode/sessionNotFound`` for a
    ///   session that is not the user's or has been ended, ``AuthErrorCode/sessionExpired``.
    public func callAsFunction(
        user: UserID, session: SessionID, call: CallContext
    ) async throws -> AuthenticatedUser {
        try await ports.store.read { tx in
            guard let found = try tx.user(identifier: user.rawValue, in: call.directory.id) else {
                throw AuthError(.userNotFound)
            }
            try call.requireUsable(found)
            guard let live = try tx.session(session, in: call.directory.id), live.userID == found.id,
                live.revokedAt == nil
            else { throw AuthError(.sessionNotFound) }
            guard !live.hasEnded(call) else { throw AuthError(.sessionExpired) }
            return AuthenticatedUser(
                user: found, identities: try LocalIdentities.all(of: found, tx), session: live)
        }
    }

    /// As calling this, for a token that names no session: one that an operator's own program has signed.
    ///
    /// - Throws: ``AuthErrorCode/userNotFound``, ``AuthErrorCode/userBanned``.
    public func withoutSession(user: UserID, call: CallContext) async throws -> AuthenticatedUser {
        try await ports.store.read { tx in
            guard let found = try tx.user(identifier: user.rawValue, in: call.directory.id) else {
                throw AuthError(.userNotFound)
            }
            try call.requireUsable(found)
            return AuthenticatedUser(
                user: found, identities: try LocalIdentities.all(of: found, tx), session: nil)
        }
    }

    /// As calling this, in one statement, for a caller that needs no more than what the account shows; `nil` for whatever
    /// makes the token worth nothing.
    public func profile(
        of user: UserID, session: SessionID, in directory: Directory, at now: Instant
    ) async throws -> ProfileView? {
        let found = try await ports.store.read { tx -> Found? in
            try Self.holder(of: session, user, in: directory, at: now, tx).map {
                Found(ProfileView($0.account, $0.profile))
            }
        }
        return found?.view
    }

    static func holder(
        of session: SessionID, _ user: UserID, in directory: Directory, at now: Instant, _ tx: any StoreReading
    ) throws -> SessionHolder? {
        guard let holder = try tx.holder(of: session, in: directory.id), holder.isCalled(user.rawValue),
            holder.mayUse(at: now)
        else { return nil }
        return holder
    }

    /// What comes out of a transaction passes through several hands, and each would copy some twenty values.
    private final class Found: Sendable {
        let view: ProfileView

        init(_ view: ProfileView) {
            self.view = view
        }
    }
}
