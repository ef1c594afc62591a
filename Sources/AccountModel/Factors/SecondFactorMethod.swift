// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension AuthenticationMethod.Name {
    /// What proves a second factor.
    private static let secondFactors: Set<Self> = [
        .totp, .phoneFactor, .emailFactor, .webAuthnFactor, .backupCode, .rememberedDevice,
    ]

    /// Whether it is shown beside something else, and raises a session to ``AssuranceLevel/aal2``.
    package var isSecondFactor: Bool { Self.secondFactors.contains(self) }
}
