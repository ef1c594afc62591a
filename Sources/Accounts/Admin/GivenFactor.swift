// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A second factor as an operator's program says that a user has it.
public struct GivenFactor: Sendable {
    /// Of one that the user has; any other names none.
    public var id: FactorID?
    public var name: String?
    /// Where its codes go; `nil` for one that stays as it is.
    public var phone: PhoneNumber?
    /// When it was proved elsewhere; `nil` for now.
    public var enrolledAt: Instant?

    public init(id: FactorID? = nil, name: String? = nil, phone: PhoneNumber? = nil, enrolledAt: Instant? = nil) {
        self.id = id
        self.name = name
        self.phone = phone
        self.enrolledAt = enrolledAt
    }

    /// As a new factor of the user's, which counts at once.
    ///
    /// - Throws: ``AuthErrorCode/factorNotFound`` for one without a number, ``AuthErrorCode/invalidRequest`` for a
    ///   name.
    func factor(of user: User, at now: Instant, random: any RandomSource) throws(AuthError) -> Factor {
        guard let phone else { throw AuthError(.factorNotFound) }
        try FactorNames.require(name)
        let provedAt = min(enrolledAt ?? now, now)
        return Factor(
            id: random.identifier(), directoryID: user.directoryID, userID: user.id, credential: .phone(phone),
            name: name, verifiedAt: provedAt, createdAt: provedAt, updatedAt: now)
    }

    /// Those of a user who is new.
    ///
    /// - Throws: as ``factor(of:at:random:)``; ``AuthErrorCode/tooManyFactors``, ``AuthErrorCode/factorExists`` for a
    ///   number twice, ``AuthErrorCode/factorNameExists``.
    static func factors(
        _ given: [GivenFactor], of user: User, _ call: CallContext, _ random: any RandomSource
    ) throws(AuthError) -> [Factor] {
        guard !given.isEmpty else { return [] }
        try requireDistinct(given, call)
        var factors: [Factor] = []
        for each in given { factors.append(try each.factor(of: user, at: call.now, random: random)) }
        return factors
    }

    static func requireDistinct(_ given: [GivenFactor], _ call: CallContext) throws(AuthError) {
        guard given.count <= min(call.settings.factors.maximum, Factor.mostOfUser) else {
            throw AuthError(.tooManyFactors)
        }
        let (numbers, names) = (given.compactMap(\.phone), given.compactMap(\.name))
        guard Set(numbers).count == numbers.count else { throw AuthError(.factorExists, field: "phone") }
        guard Set(names).count == names.count else { throw AuthError(.factorNameExists, field: "name") }
    }
}
