// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension AssuranceRule {
    /// What must hold where a factor is set up in a session: as ``require(_:)``, and of who has none yet that they have
    /// signed in of late. A stolen token must not set up the thief's, by which its owner is shut out.
    ///
    /// - Throws: as ``require(_:)``, ``AuthErrorCode/reauthenticationNeeded``.
    func requireForEnrolment(_ authenticated: AuthenticatedUser) throws {
        try require(authenticated)
        guard Reauthentication(authenticated, call: step.call).isNeededForFactor,
            try !FactorStanding(of: authenticated.user, step.settings, step.tx).isSet
        else { return }
        throw AuthError(.reauthenticationNeeded)
    }
}
