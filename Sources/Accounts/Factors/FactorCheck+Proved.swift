// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail

// What follows a right answer: it is noted, and what was set up by it counts from now on.
extension FactorCheck {
    /// - Parameter factor: `nil` for a backup code.
    func note(_ factor: Factor?, of user: User) throws -> ProvedFactor {
        guard var factor else {
            try step.record(.backupCodeUsed, user)
            try OwnerNotice(step).tell(.backupCodeUsed, of: user)
            return ProvedFactor(factor: nil, method: AuthenticationMethod(.backupCode, at: step.now), isNew: false)
        }
        // A code that was sent was wanted, and weighs on nothing any more.
        if let message = factor.codeMessage(for: user) {
            try step.ports.limits.answered(message, call: step.call, in: step.tx)
        }
        let isNew = !factor.isVerified
        factor.lastUsedAt = step.now
        if isNew {
            factor.verifiedAt = step.now
            factor.expiresAt = nil
            factor.updatedAt = step.now
            try step.record(.factorVerified, user, details: Self.details(factor))
            try OwnerNotice(step).tellAdded(factor, to: user)
        }
        switch factor.kind {
        // An authenticator has counted, too.
        case _ where isNew, .webAuthn: try step.tx.update(factor)
        // That it was used is written with its code.
        case .totp: break
        case .phone, .email: try step.tx.noteUse(of: factor)
        }
        if isNew {
            try deletePending(beside: factor)
            try FactorSessions(step).endWishes(of: user.id, before: factor.id)
        }
        return ProvedFactor(
            factor: factor, method: AuthenticationMethod(factor.method, at: step.now, factor: factor.id), isNew: isNew)
    }

    /// Removes the apps that a new one stands for from now on, which leaves its name free for it.
    func takePlace(_ proved: ProvedFactor, named name: String?, of user: User) throws -> ProvedFactor {
        guard var factor = proved.factor else { return proved }
        for other in try step.tx.factors(of: user.id, in: step.directory)
        where other.kind == .totp && other.id != factor.id {
            try FactorRemoval(step).remove(other, of: user)
        }
        guard let name else { return proved }
        factor.name = name
        try step.tx.update(factor)
        return ProvedFactor(factor: factor, method: proved.method, isNew: proved.isNew)
    }

    /// What else of the kind was being set up was for this.
    private func deletePending(beside factor: Factor) throws {
        for other in try step.tx.factors(of: factor.userID, in: factor.directoryID)
        where !other.isVerified && other.kind == factor.kind {
            _ = try step.tx.deleteFactor(other.id, in: factor.directoryID)
        }
    }

    static func details(_ factor: Factor) -> JSONObject {
        ["factor": .string(factor.id.rawValue), "kind": .string(factor.kind.rawValue)]
    }
}
