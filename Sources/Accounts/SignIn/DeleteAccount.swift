// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Mail

/// Deletes a signed-in user's account at their own wish. A soft deletion: every session, link and code ends and the
/// addresses are free at once; what is left is purged later.
public struct DeleteAccount: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Tells the user by mail, where they have a proven address.
    ///
    /// - Throws: ``AuthErrorCode/userNotFound``, ``AuthErrorCode/userBanned``, ``AuthErrorCode/sessionNotFound``.
    public func callAsFunction(_ authenticated: AuthenticatedUser, call: CallContext) async throws {
        let ports = ports
        try await ports.store.administer { tx in
            let user = try authenticated.usable(call, tx)
            if let email = user.email, user.emailVerifiedAt != nil {
                try tx.enqueue(ports.messages.notice(.accountDeleted, to: email, user: user, call: call))
            }
            try AccountEnding(now: call.now).softDelete(user, in: tx)
            try tx.append(
                AuditEvent(
                    .userDeleted, user: user.id, email: user.email, details: ["soft": true, "by": "user"], call: call,
                    random: ports.random))
        }
    }
}
