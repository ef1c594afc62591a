// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail
import Passwords

/// Lets a user who has shown a temporary password choose their own, and signs them in.
public struct ReplaceTemporaryPassword: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// A user is made by an administrator, who gave them the password by the address they typed in. So an account of
    /// which nothing was proved is thereby confirmed, as by an accepted invitation.
    ///
    /// - Parameters:
    ///   - user: who showed the password: see ``SignInOutcome/passwordChangeRequired(_:)``.
    ///   - version: the version of the user that was judged. Another change in between makes the judgement void, so one
    ///     judgement changes a password once.
    ///   - userMetadata: laid over what there is.
    ///   - attributes: laid over what the call's dialect keeps of the user.
    /// - Throws: ``AuthErrorCode/weakPassword``, ``AuthErrorCode/temporaryPasswordExpired``,
    ///   ``AuthErrorCode/invalidCredentials`` for a version that is no longer the user's, ``AuthErrorCode/userBanned``,
    ///   ``AuthErrorCode/overloaded``.
    public func callAsFunction(
        user id: UserID, version: Int64, password: Secret<String>, userMetadata: JSONObject = [:],
        attributes: JSONObject = [:], call: CallContext
    ) async throws -> IssuedSession {
        let found = try await ports.store.read { try $0.user(id, in: call.directory.id) }
        try Self.require(found, version, call)
        try call.requireAcceptable(password, email: found?.email)
        let new = try await NewPassword(password, for: id, call: call, ports: ports)
        return try await ports.write(call) { step in
            var user = try Self.require(try step.tx.user(id, in: step.directory), version, call)
            try user.write(metadata: userMetadata, attributes: attributes, call: call)
            if !user.isConfirmed {
                if user.email != nil { user.emailVerifiedAt = call.now } else { user.phoneVerifiedAt = call.now }
            }
            // The address that the administrator gave is thereby a way in.
            try PasswordReplacement(step, by: .temporaryPassword).apply(.new(new), to: &user)
            user.updatedAt = call.now
            try LocalIdentities(step).align(&user)
            user = try step.tx.update(user)
            return try SessionIssuer(step).issue(for: user, by: .password)
        }
    }

    @discardableResult
    private static func require(_ user: User?, _ version: Int64, _ call: CallContext) throws(AuthError) -> User {
        guard let user, user.deletedAt == nil, user.version == version, let temporary = user.temporaryPassword else {
            throw AuthError(.invalidCredentials)
        }
        guard !user.isBanned(at: call.now) else { throw AuthError(.userBanned) }
        guard !temporary.hasExpired(at: call.now) else { throw AuthError(.temporaryPasswordExpired) }
        return user
    }
}
