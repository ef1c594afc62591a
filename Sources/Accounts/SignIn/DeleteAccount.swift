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
        try await ports.write(call) { step in
            let user = try authenticated.usable(call, step.tx)
            try AssuranceRule(step).require(authenticated)
            try AccountEnding(step).softDelete(user)
            // After what was owed to the address has gone, so that this stays.
            try OwnerNotice(step).tellDeleted(user)
            try step.withoutDevice.record(.userDeleted, user, details: ["soft": true, "by": "user"])
        }
    }
}
