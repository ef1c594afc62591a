// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Whom an access token names that its dialect has judged, before anybody is looked up: for a flow that does so in the
/// transaction in which it does its work.
public struct TokenSubject: Sendable {
    /// What its dialect calls the user.
    public var user: UserID
    public var session: SessionID
    /// In whole seconds; `nil` where it does not say.
    public var issuedAt: Instant?

    public init(user: UserID, session: SessionID, issuedAt: Instant?) {
        self.user = user
        self.session = session
        self.issuedAt = issuedAt
    }

    /// The user and the session, where both may be used.
    ///
    /// - Throws: ``AuthErrorCode/userNotFound``, ``AuthErrorCode/userBanned``, ``AuthErrorCode/sessionNotFound`` for a
    ///   session that is not the user's or has been ended, ``AuthErrorCode/sessionExpired``.
    func found(_ call: CallContext, _ tx: any StoreReading) throws -> (user: User, session: Session) {
        guard let user = try tx.user(identifier: user.rawValue, in: call.directory.id) else {
            throw AuthError(.userNotFound)
        }
        try call.requireUsable(user)
        guard let live = try tx.session(session, in: call.directory.id), live.userID == user.id,
            live.revokedAt == nil
        else { throw AuthError(.sessionNotFound) }
        guard !live.hasEnded(call) else { throw AuthError(.sessionExpired) }
        return (user, live)
    }
}
