// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail

/// Sets a factor up that needs no proof any more: it counts at once.
struct FactorAddition {
    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    /// - Parameter spared: of the sessions in which no factor was shown the one that goes on.
    /// - Throws: ``AuthErrorCode/tooManyFactors``, ``AuthErrorCode/factorExists``.
    func add(
        _ credential: Factor.Credential, named name: String? = nil, to user: User, sparing spared: Session?
    ) throws -> Factor {
        let known = try step.tx.factors(of: user.id, in: step.directory)
        let maximum = step.settings.factors.maximum
        guard known.count < Factor.mostOfUser, known.secondFactors.count < maximum else {
            throw AuthError(.tooManyFactors)
        }
        let factor = Factor(
            id: step.random.identifier(), directoryID: step.directory, userID: user.id, credential: credential,
            name: name, verifiedAt: step.now, createdAt: step.now)
        if let recipient = factor.recipient,
            known.contains(where: { $0.isVerified && $0.kind == factor.kind && $0.recipient == recipient })
        {
            throw AuthError(.factorExists, field: factor.kind.rawValue)
        }
        try add(factor, to: user, sparing: spared)
        return factor
    }

    /// The same of one that was looked at.
    func add(_ factor: Factor, to user: User, sparing spared: Session? = nil) throws {
        try step.tx.insert(factor)
        try step.record(.factorVerified, user, details: FactorCheck.details(factor))
        try OwnerNotice(step).tellAdded(factor, to: user)
        try FactorSessions(step).followGain(of: factor, of: user, except: spared)
    }
}
