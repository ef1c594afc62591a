// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SelfHostedEnvironment {
    /// Second factors. A kind that may not be verified is not asked for, whatever may be enrolled.
    static let factors: [SelfHostedVariable] =
        [
            SelfHostedVariable(name: "GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION", settings: ["factors.challengeLifetime"]) {
                environment, value throws(AuthError) in
                try SelfHostedVariable.set(
                    "factors.challengeLifetime", .integer(try challengeLifetime(value)), in: &environment)
            },
            .duration("GOTRUE_MFA_FACTOR_EXPIRY_DURATION", "factors.enrolmentLifetime"),
            .whole("GOTRUE_MFA_MAX_ENROLLED_FACTORS", "factors.maximum"),
            .text("GOTRUE_WEBAUTHN_RP_ID", "passkeys.relyingPartyID"),
            .text("GOTRUE_WEBAUTHN_RP_DISPLAY_NAME", "passkeys.relyingPartyName"),
            .list("GOTRUE_WEBAUTHN_RP_ORIGINS", "passkeys.origins"),
            .duration("GOTRUE_WEBAUTHN_CHALLENGE_EXPIRY_DURATION", "passkeys.challengeLifetime"),
            .flag("GOTRUE_PASSKEY_ENABLED", "passkeys.enabled"),
            .whole("GOTRUE_PASSKEY_MAX_PASSKEYS_PER_USER", "passkeys.maximum"),
        ] + use("TOTP", "factors.totp", \.factors.totp) + use("PHONE", "factors.phone", \.factors.phone)
        + use("WEB_AUTHN", "factors.webAuthn", \.factors.webAuthn)

    /// Alone among the lengths of time it is a number of seconds there, of which fewer than the usual are the usual.
    /// Written as the others are it says what it says.
    private static func challengeLifetime(_ text: String) throws(AuthError) -> Int64 {
        guard let value = Double(text) else { return try seconds(text) }
        guard value >= 0, value <= 1_000_000_000 else {
            throw AuthError(.invalidRequest, reason: "expected a number of seconds")
        }
        return max(Int64(value.rounded(.up)), 300)
    }

    /// Variables are read in the order of their names: what may be enrolled first.
    private static func use(
        _ kind: String, _ path: String, _ place: any KeyPath<DirectorySettings, DirectorySettings.FactorUse> & Sendable
    ) -> [SelfHostedVariable] {
        func variable(
            _ what: String,
            _ use: @escaping @Sendable (Bool, DirectorySettings.FactorUse) -> DirectorySettings.FactorUse
        ) -> SelfHostedVariable {
            SelfHostedVariable(name: "GOTRUE_MFA_\(kind)_\(what)_ENABLED", settings: [path]) {
                environment, value throws(AuthError) in
                let chosen = use(try flag(value), environment.settings[keyPath: place])
                try SelfHostedVariable.set(path, .string(chosen.rawValue), in: &environment)
            }
        }
        return [
            variable("ENROLL") { $0 ? .on : $1 == .on ? .verify : $1 },
            variable("VERIFY") { $0 ? $1 == .off ? .verify : $1 : .off },
        ]
    }
}
