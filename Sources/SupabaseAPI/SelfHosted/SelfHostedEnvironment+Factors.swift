// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SelfHostedEnvironment {
    /// Second factors. A kind that may not be verified is not asked for, whatever may be enrolled.
    static let factors: [SelfHostedVariable] =
        [
            .duration("GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION", "factors.challengeLifetime"),
            .duration("GOTRUE_MFA_FACTOR_EXPIRY_DURATION", "factors.enrolmentLifetime"),
            .whole("GOTRUE_MFA_MAX_ENROLLED_FACTORS", "factors.maximum"),
        ] + use("TOTP", "factors.totp", \.factors.totp) + use("PHONE", "factors.phone", \.factors.phone)

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
