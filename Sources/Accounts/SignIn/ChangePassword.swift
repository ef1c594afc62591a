// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// Replaces a signed-in user's password by one they know the predecessor of.
public struct ChangePassword: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Costs one comparison, and one hash where the current password was right. Every other session ends, and every
    /// link and code under way; what was issued before is revoked.
    ///
    /// - Parameter current: `nil` only for a user who has no password, and then the session must be a fresh one where
    ///   the Directory asks for reauthentication.
    /// - Throws: ``AuthErrorCode/weakPassword``, ``AuthErrorCode/invalidCredentials``, ``AuthErrorCode/rateLimited``
    ///   after too many wrong ones,
    ///   ``AuthErrorCode/accountLocked`` where the Directory says so,
    ///   ``AuthErrorCode/currentPasswordRequired``, ``AuthErrorCode/reauthenticationNeeded``,
    ///   ``AuthErrorCode/userNotFound``, ``AuthErrorCode/userBanned``, ``AuthErrorCode/sessionNotFound``,
    ///   ``AuthErrorCode/insufficientAssurance``, ``AuthErrorCode/conflict`` for a password changed meanwhile,
    ///   ``AuthErrorCode/overloaded``.
    public func callAsFunction(
        _ authenticated: AuthenticatedUser, current: Secret<String>?, new password: Secret<String>, call: CallContext
    ) async throws -> UserRecord {
        let user = authenticated.user
        try call.requireAcceptable(password, email: user.email)
        // Before the current one is compared, of which it would tell.
        try await ports.requireAssurance(authenticated, call: call)
        guard let current else {
            guard user.passwordHash == nil else { throw AuthError(.currentPasswordRequired) }
            guard !Reauthentication(authenticated, call: call).isNeededForPassword else {
                throw AuthError(.reauthenticationNeeded)
            }
            return try await replace(authenticated, by: password, nil, call)
        }
        return try await ports.guessing(at: user.id, in: authenticated.session?.id, call: call) { guess in
            try await guess.requireOpen(current, else: .invalidCredentials, ports: ports, call: call)
            if case .mismatch = try await ports.passwords.verify(current, against: user.passwordHash) {
                try await guess.refuse(else: .invalidCredentials, ports: ports, call: call)
            }
            return try await replace(authenticated, by: password, guess, call)
        }
    }

    /// - Parameter guess: the right one at the current password, which is answered where there is still room for it.
    private func replace(
        _ authenticated: AuthenticatedUser, by password: Secret<String>, _ guess: PasswordGuess?, _ call: CallContext
    ) async throws -> UserRecord {
        let new = try await NewPassword(password, for: authenticated.user.id, call: call, ports: ports)
        let replaced: Result<UserRecord, AuthError> = try await ports.write(call) { step in
            switch try guess?.judge(true, step) {
            case .refused(let error, _): return .failure(error)
            case .right(let standing): try Lockouts(step).succeed(standing)
            case nil: break
            }
            var user = try authenticated.usable(call, step.tx)
            try AssuranceRule(step).require(authenticated)
            guard user.passwordHash == authenticated.user.passwordHash else {
                throw AuthError(.conflict, reason: "the password was changed meanwhile", field: "password")
            }
            try PasswordReplacement(step, by: .session(authenticated.session?.id)).apply(.new(new), to: &user)
            user.updatedAt = call.now
            return .success(try UserRecord(step.tx.update(user), step.tx))
        }
        return try replaced.get()
    }
}

extension AuthenticatedUser {
    /// The user as this transaction has them, where they and the session may still be used: what was judged before
    /// takes its time, and whoever was signed out or banned meanwhile must not finish what they began.
    ///
    /// - Throws: ``AuthErrorCode/userNotFound``, ``AuthErrorCode/userBanned``, ``AuthErrorCode/sessionNotFound``.
    func usable(_ call: CallContext, _ tx: any StoreReading) throws -> User {
        let current = try tx.liveUser(user.id, in: call.directory.id)
        try call.requireUsable(current)
        guard let session else { return current }
        guard let session = try tx.session(session.id, in: call.directory.id), session.userID == current.id,
            session.revokedAt == nil
        else { throw AuthError(.sessionNotFound) }
        return current
    }
}
