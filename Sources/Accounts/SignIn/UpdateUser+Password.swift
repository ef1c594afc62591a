// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

extension UpdateUser {
    /// Whether the call shows the current password with what it changes of the ways in. Costs a comparison.
    func provesPassword(_ changes: UserChanges, _ authenticated: AuthenticatedUser) async throws -> Bool {
        guard let current = changes.currentPassword, let stored = authenticated.user.passwordHash,
            changes.password != nil || changes.email != nil || changes.phone != nil
        else { return false }
        guard case .match = try await ports.passwords.verify(current, against: stored) else {
            throw AuthError(.currentPasswordInvalid)
        }
        return true
    }

    /// Judges and hashes the new password outside any transaction.
    func newPassword(
        _ changes: UserChanges, _ authenticated: AuthenticatedUser, isProved: Bool, _ call: CallContext
    ) async throws -> NewPassword? {
        guard let password = changes.password else { return nil }
        let user = authenticated.user
        try call.requireAcceptable(password, email: changes.email ?? user.email)
        if user.isAnonymous, changes.email == nil, changes.phone == nil, user.pendingEmail == nil {
            throw AuthError(.invalidRequest, reason: "an anonymous user has nothing to sign in by", field: "password")
        }
        if !isProved, changes.nonce == nil,
            Reauthentication(authenticated, call: call).isNeeded(for: changes, of: user)
        {
            throw AuthError(.reauthenticationNeeded)
        }
        if let stored = user.passwordHash {
            let methods = authenticated.session?.methods ?? []
            let recovers = methods.contains { $0.name == .recovery || $0.name == .oneTimeCode }
            guard isProved || recovers || !call.settings.password.changeNeedsCurrentPassword else {
                throw AuthError(.currentPasswordRequired)
            }
            guard try await ports.passwords.verify(password, against: stored) == .mismatch else {
                throw AuthError(.samePassword)
            }
        }
        return try await NewPassword(password, for: user.id, call: call, ports: ports)
    }
}
