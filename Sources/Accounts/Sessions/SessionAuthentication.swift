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
        try await self(TokenSubject(user: user, session: session, issuedAt: nil), call: call)
    }

    /// The same of what a token says, with when it was issued.
    public func callAsFunction(_ subject: TokenSubject, call: CallContext) async throws -> AuthenticatedUser {
        try await ForeseenValues.$current.withValue(ForeseenValues(texts: [subject.session.rawValue])) {
            try await ports.store.read { tx in
                let (user, session) = try subject.found(call, tx)
                return AuthenticatedUser(
                    user: user, identities: try LocalIdentities.all(of: user, tx), session: session,
                    tokenIssuedAt: subject.issuedAt)
            }
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

    /// Whether whoever shows the token may do what only they may who have shown the user's second factor, where the
    /// user has one: administrate, above all. Asked with each call: a factor may have been set up after the session
    /// began.
    ///
    /// - Parameter tokenIssuedAt: the token's `iat`; `nil` where it says none.
    public func isAssured(
        user: UserID, session: SessionID?, tokenIssuedAt: Instant?, in directory: Directory, at now: Instant
    ) async throws -> Bool {
        try await ports.store.read {
            try AssuranceRule.holds(
                for: user, in: session, tokenIssuedAt: tokenIssuedAt, of: directory, at: now, $0)
        }
    }

    /// As calling this, in one statement, for a caller that needs no more than what the account shows; `nil` for
    /// whatever makes the token worth nothing.
    public func profile(
        of user: UserID, session: SessionID, in directory: Directory, at now: Instant
    ) async throws -> ProfileView? {
        let found = try await ports.store.answer(HolderQuestion(session: session, directory: directory.id))
        guard SessionQuestion(of: session, user: user, in: directory, at: now).isLive(found.holder) else { return nil }
        return found.view
    }

    /// Why ``profile(of:session:in:at:)`` has found nobody, for a caller whose token is good by itself. Of a session
    /// that is not the user's nothing is said but that the token is worth nothing.
    public func refusal(
        of user: UserID, session: SessionID, in directory: Directory, at now: Instant
    ) async throws -> AuthErrorCode {
        try await ports.store.read { tx in
            guard let found = try tx.session(session, in: directory.id),
                let holder = try tx.user(identifier: user.rawValue, in: directory.id), holder.id == found.userID
            else { return .tokenInvalid }
            if found.revokedAt != nil { return .sessionNotFound }
            return found.notAfter.map { $0 <= now } ?? false ? .sessionExpired : .tokenInvalid
        }
    }
}
