// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Makes an operator's list the second factors of a user: those that it names stay, others come, and the rest of the
/// kinds that such lists tell of goes. An empty list takes every factor.
struct FactorReplacement {
    /// What such a list tells of. What it can't say is not taken away by it.
    private static let listed: Set<Factor.Kind> = [.totp, .phone]

    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    /// - Throws: ``AuthErrorCode/factorNotFound`` for one that the user does not have and that has no number, as for
    ///   one that is named twice; and what ``GivenFactor/factors(_:of:_:_:)`` throws.
    /// - Returns: the user as now stored.
    func put(_ given: [GivenFactor], of user: User) throws -> User {
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
            try FactorAddition(step).add(try each.factor(of: user, at: step.now, random: step.random), to: user)
        }
        // With a first factor goes what was wished for before it.
        return try step.tx.liveUser(user.id, in: step.directory)
    }

    private func change(_ factor: Factor, to given: GivenFactor, of user: User) throws {
        try FactorNames.require(given.name)
        var changed = factor
        if let phone = given.phone, case .phone = factor.credential { changed.credential = .phone(phone) }
        let isMoved = changed.recipient != factor.recipient
        guard isMoved || given.name.map({ $0 != factor.name }) ?? false else { return }
        if isMoved { try FactorRemoval(step).move(changed, of: user) }
        _ = try FactorRemoval(step).change(
            changed, of: user, name: given.name, isEnabled: nil, isPreferred: nil, sparing: nil)
    }
}
