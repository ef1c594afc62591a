// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

extension CallContext {
    /// Holds a new password to the Directory's policy. The user's own words count as context.
    ///
    /// - Throws: ``AuthErrorCode/weakPassword`` with every rule it breaks.
    public func requireAcceptable(_ password: Secret<String>, email: EmailAddress?) throws(AuthError) {
        let violations = violations(of: password, email: email)
        guard violations.isEmpty else {
            throw AuthError(.weakPassword, field: "password", violations: violations)
        }
    }

    /// Every rule of the Directory's policy that a password breaks; none where it is acceptable.
    public func violations(of password: Secret<String>, email: EmailAddress?) -> [PasswordViolation] {
        let policy = PasswordPolicy(
            minimumLength: settings.password.minimumLength, requiredCharacters: settings.password.requiredCharacters,
            blocklist: settings.password.blocklist)
        let context = [settings.mail.siteName] + (email.map { [String($0.localPart)] } ?? [])
        return policy.violations(of: password, context: context)
    }
}
