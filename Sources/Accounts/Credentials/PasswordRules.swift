// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

extension CallContext {
    /// Holds a new password to the Directory's policy. The user's own words count as context.
    ///
    /// - Throws: ``AuthErrorCode/weakPassword`` with every rule it breaks.
    func requireAcceptable(_ password: Secret<String>, email: EmailAddress?) throws(AuthError) {
        let policy = PasswordPolicy(
            minimumLength: settings.password.minimumLength, requiredCharacters: settings.password.requiredCharacters,
            blocklist: settings.password.blocklist)
        let context = [settings.mail.siteName] + (email.map { [String($0.localPart)] } ?? [])
        let violations = policy.violations(of: password, context: context)
        guard violations.isEmpty else {
            throw AuthError(.weakPassword, field: "password", violations: violations)
        }
    }
}
