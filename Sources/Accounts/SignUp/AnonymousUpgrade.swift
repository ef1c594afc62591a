// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Gives a signed-in anonymous user an address and a password at once, and a session in place of theirs: for dialects
/// in which such an account is opened before its address is proved (ADR 0028). They keep their identifier. All of it is
/// done or nothing.
///
/// Where the Directory lets nobody in unproved, ``UpdateUser`` takes the address alone, and the password is set once
/// that was confirmed.
public struct AnonymousUpgrade: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Throws: ``AuthErrorCode/emailSignInDisabled``, ``AuthErrorCode/weakPassword``, ``AuthErrorCode/overloaded``;
    ///   ``AuthErrorCode/emailNotVerified`` where the address must be proved first; ``AuthErrorCode/emailExists``;
    ///   ``AuthErrorCode/conflict`` for a user who is not anonymous any more; ``AuthErrorCode/userNotFound``,
    ///   ``AuthErrorCode/userBanned``, ``AuthErrorCode/sessionNotFound``.
    public func callAsFunction(
        _ email: EmailAddress, password: Secret<String>, of authenticated: AuthenticatedUser, call: CallContext
    ) async throws -> IssuedSession {
        try call.requireEnabled(.email(email))
        let confirmsItself = call.settings.signUp.emailAutoConfirm
        guard confirmsItself || call.opensUnverified else { throw AuthError(.emailNotVerified) }
        try call.requireAcceptable(password, email: email)
        let new = try await NewPassword(password, for: authenticated.user.id, call: call, ports: ports)
        return try await ports.write(call) { step in
            var user = try authenticated.usable(call, step.tx)
            let former = user
            guard user.isAnonymous else { throw AuthError(.conflict, reason: "not anonymous", field: "email") }
            guard try step.tx.user(email: email, in: step.directory) == nil else {
                throw AuthError(.emailExists, field: "email")
            }
            try PasswordReplacement(step, by: .session(authenticated.session?.id)).apply(.new(new), to: &user)
            // An address that was asked for before is given up for this one.
            user.dropPendingChanges()
            try AccountEnding(step).endProofs(of: user)
            user.email = email
            if confirmsItself { user.emailVerifiedAt = step.now }
            user.isAnonymous = false
            user.updatedAt = step.now
            try LocalIdentities(step).align(&user)
            user = try step.tx.update(user)
            try step.record(.signedUp, user, details: ["by": "anonymous", "verified": .bool(confirmsItself)])
            step.followConfirmation(of: user, from: former)
            return try ReplaceSession.replace(authenticated.session, of: user, step)
        }
    }
}
