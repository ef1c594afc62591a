// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension FlowStep {
    /// Stops a recovery of the user's second factors (ADR 0075), with the link that was sent for it. One that was over
    /// anyway is not told of.
    ///
    /// - Parameter reason: as the audit log has it.
    /// - Returns: whether there was one to stop: of two callers at once, one stops it.
    @discardableResult
    func stopFactorRecovery(of user: UserID, because reason: String) throws -> Bool {
        guard let recovery = try tx.factorRecovery(of: user, in: directory),
            try tx.deleteFactorRecovery(of: user, in: directory)
        else { return false }
        try tx.deleteOneTimeTokens(of: user, in: directory, purposes: [.factorRecoveryStop])
        guard recovery.isOpen(at: now) else { return false }
        try record(.factorRecoveryStopped, user: user, details: ["by": .string(reason)])
        return true
    }
}
