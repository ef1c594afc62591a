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

    /// The account is thereby confirmed: an administrator made it, and gave its user the password. Its address is not:
    /// nobody knows which way the password came.
    ///
    /// - Parameters:
    ///   - ticket: given to whoever showed the password: see ``SignInStep/newPassword(_:)``. A password that is refused
    ///     leaves it as it was.
    ///   - userMetadata: laid over what there is.
    ///   - attributes: laid over what the call's dialect keeps of the user.
    /// - Throws: ``AuthErrorCode/weakPassword``, ``AuthErrorCode/temporaryPasswordExpired``,
    ///   ``AuthErrorCode/invalidCredentials`` for a ticket that was used or whose password is no longer the user's,
    ///   ``AuthErrorCode/userBanned``, ``AuthErrorCode/overloaded``.
    public func callAsFunction(
        _ ticket: SignInTicket, password: Secret<String>, userMetadata: JSONObject = [:],
        attributes: JSONObject = [:], call: CallContext
    ) async throws -> SignInStep {
        let found = try await ports.store.read { try ticket.holder(call, $0) }
        try call.requireAcceptable(password, email: found.email)
        let new = try await NewPassword(password, for: found.id, call: call, ports: ports)
        return try await ports.write(call) { step in
            let holder = try ticket.redeem(step)
            var user = holder.user
            try user.write(metadata: userMetadata, attributes: attributes, call: call)
            if !user.isConfirmed { user.confirmedAt = call.now }
            try PasswordReplacement(step, by: .temporaryPassword).apply(.new(new), to: &user)
            user.updatedAt = call.now
            try LocalIdentities(step).align(&user)
            user = try step.tx.update(user)
            return try SessionIssuer(step).conclude(holder.proof, of: user, .stored).get()
        }
    }
}
