// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Deletes a signed-in user's account at their own wish. A soft deletion: every session, link and code ends and the
/// addresses are free at once; what is left is purged later.
public struct DeleteAccount: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Tells the user by every way into the account.
    ///
    /// - Throws: ``AuthErrorCode/userNotFound``, ``AuthErrorCode/userBanned``, ``AuthErrorCode/sessionNotFound``.
    public func callAsFunction(_ authenticated: AuthenticatedUser, call: CallContext) async throws {
        let ports = ports
        try await ports.store.administer { tx in
            let user = try authenticated.usable(call, tx)
            try OwnerNotice(ports).tellDeleted(user, call: call, in: tx)
            try AccountEnding(now: call.now).softDelete(user, in: tx)
            try tx.append(
                AuditEvent(
                    .userDeleted, user: user.id, email: user.email, details: ["soft": true, "by": "user"], call: call,
                    random: ports.random))
        }
    }
}
