// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail

/// Makes an operator's list the second factors of a user: those that it names stay, others come, and the rest of the kinds that
/// such lists tell of goes. An empty list takes every factor.
struct FactorReplacement {
    /// What such a list tells of. What it can't say is not taken away by it.
    private static let listed: Set<Factor.Kind> = [.totp, .phone]

    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    /// - Throws: ``AuthErrorCode/factorNotFound`` for one that the user does not have and that has no number, as for one that
    ///   is named twice; and what ``GivenFactor/factors(_:of:_:_:)`` throws.
    func put(_ given: [GivenFactor], of user: User) throws {
        try GivenFactor.requireDistinct(given, step.call)
        let known = try step.tx.factors(of: user.id, in: step.directory).filter(\.isVerified)
        var left = known
        var kept: [(GivenFactor, Factor)] = []
        var new: [GivenFactor] = []
        for each in given {
            if let index = left.firstIndex(where: { $0.id == each.id }) {
                kept.append((each, left.remove(at: index)))
            } else {
                new.append(each)
            }
        }
        // Before what is added, so that a name or number that goes may come anew.
        for factor in left where given.isEmpty || Self.listed.contains(factor.kind) {
            try FactorRemoval(step).remove(factor, of: user)
        }
        for (each, factor) in kept { try change(factor, to: each, of: user) }
        for each in new {
            try add(try each.factor(of: user, at: step.now, random: step.random), to: user)
        }
    }

    /// Gives the user a factor that counts at once. Sessions end that show none.
    func add(_ factor: Factor, to user: User) throws {
        try step.tx.insert(factor)
        try step.record(.factorVerified, user, details: FactorCheck.details(factor))
        try OwnerNotice(step).tellAdded(factor, to: user)
        try FactorSessions(step).endOthers(of: user, except: nil)
    }

    private func change(_ factor: Factor, to given: GivenFactor, of user: User) throws {
        try FactorNames.require(given.name)
        var changed = factor
        if let phone = given.phone, case .phone = factor.credential { changed.credential = .phone(phone) }
        changed.name = given.name ?? factor.name
        guard changed.name != factor.name || changed.recipient != factor.recipient else { return }
        changed.updatedAt = step.now
        try step.tx.update(changed)
        try step.record(.factorChanged, user, details: FactorCheck.details(factor))
        if changed.recipient != factor.recipient { try OwnerNotice(step).tell(.factorAdded, of: user) }
    }
}
