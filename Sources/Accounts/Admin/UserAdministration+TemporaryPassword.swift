// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension UserAdministration {
    /// Mails a user the temporary password that was just set for them, and what they sign in as.
    ///
    /// - Parameters:
    ///   - password: as given to ``create(_:call:)`` or ``update(_:_:call:)``; only its hash is stored.
    ///   - name: what the user signs in as, in the caller's dialect.
    /// - Throws: `AuthErrorCode.userNotFound`; `.conflict` for a user who has replaced the password already;
    ///   `.invalidRequest` for one without an email address; `.forbidden`.
    public func mailTemporaryPassword(
        _ password: Secret<String>, name: String, to id: UserID, call: CallContext
    ) async throws {
        try call.requireAdministrator()
        try await ports.write(call) { step in
            let user = try step.tx.liveUser(id, in: step.directory)
            guard user.temporaryPassword != nil else {
                throw AuthError(.conflict, reason: "the password is the user's own", field: "password")
            }
            guard let email = user.email else {
                throw AuthError(.invalidRequest, reason: "the user has no address", field: "email")
            }
            try step.tx.enqueue(
                step.ports.messages.temporaryPassword(
                    password, name: name, to: email, user: user, call: step.addressing(user)))
            try step.record(.invited, user, details: ["by": "temporary_password"])
        }
    }
}
