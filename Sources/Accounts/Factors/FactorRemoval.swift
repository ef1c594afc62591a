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
        try followLoss(of: user)
    }

    /// A factor counts no more, whether it went or was put aside.
    private func followLoss(of user: User) throws {
        if try !step.tx.factors(of: user.id, in: step.directory).secondFactors.contains(where: \.counts) {
            // They stand in for a factor, and there is none any more.
            if try step.tx.deleteBackupCodes(of: user.id, in: step.directory) {
                try step.record(.backupCodesRemoved, user)
            }
            try step.stopFactorRecovery(of: user.id, because: "removal")
        }
        try FactorSessions(step).lower(of: user)
    }

    /// One that is taken up again counts as one that is set up, and one that is put aside as little as one that is
    /// removed.
    ///
    /// - Parameter spared: of the sessions in which no factor was shown the one that goes on.
    func change(
        _ factor: Factor, of user: User, name: String?, isEnabled: Bool?, isPreferred: Bool?, sparing spared: Session?
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
            if changed.isEnabled {
                try FactorSessions(step).followGain(of: changed, of: user, except: spared)
            } else {
                try followLoss(of: user)
            }
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
