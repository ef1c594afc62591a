// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail

/// What follows when a factor is changed or goes, whoever wants it so.
struct FactorRemoval {
    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    func remove(_ factor: Factor, of user: User) throws {
        _ = try step.tx.deleteFactor(factor.id, in: step.directory)
        try step.record(.factorRemoved, user, details: FactorCheck.details(factor))
        guard factor.isVerified else { return }
        try OwnerNotice(step).tell(.factorRemoved, of: user)
        let left = try step.tx.factors(of: user.id, in: step.directory).secondFactors
        // They stand in for a factor, and there is none any more.
        if !left.contains(where: \.isVerified), try step.tx.deleteBackupCodes(of: user.id, in: step.directory) {
            try step.record(.backupCodesRemoved, user)
        }
        if !left.contains(where: \.isVerified) { try step.stopFactorRecovery(of: user.id, because: "removal") }
        try FactorSessions(step).lower(of: user)
    }

    func change(
        _ factor: Factor, of user: User, name: String?, isEnabled: Bool?, isPreferred: Bool?
    ) throws -> Factor {
        var changed = factor
        if let name { changed.name = name }
        if let isEnabled { changed.isEnabled = isEnabled }
        if let isPreferred {
            changed.isPreferred = isPreferred
            if isPreferred { try giveWay(to: factor) }
        }
        changed.updatedAt = step.now
        try step.tx.update(changed)
        try step.record(.factorChanged, user, details: FactorCheck.details(factor))
        if factor.isVerified, factor.isEnabled != changed.isEnabled {
            try OwnerNotice(step).tell(changed.isEnabled ? .factorAdded : .factorRemoved, of: user)
            if !changed.isEnabled { try FactorSessions(step).lower(of: user) }
        }
        return changed
    }

    /// What follows where codes go elsewhere from now on: those that went to the former number prove nothing any more.
    ///
    /// - Parameter factor: with the new number; the caller writes it.
    func move(_ factor: Factor, of user: User) throws {
        try step.tx.deleteChallenges(of: factor.id, in: step.directory)
        guard factor.isVerified else { return }
        try FactorSessions(step).lower(of: user, by: factor.id)
        try OwnerNotice(step).tell(.factorRemoved, of: user)
        try OwnerNotice(step).tell(.factorAdded, of: user)
    }

    /// One is preferred at most.
    private func giveWay(to factor: Factor) throws {
        for var other in try step.tx.factors(of: factor.userID, in: step.directory)
        where other.isPreferred && other.id != factor.id {
            other.isPreferred = false
            try step.tx.update(other)
        }
    }
}
