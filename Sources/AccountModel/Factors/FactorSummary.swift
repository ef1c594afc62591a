// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A second factor as it is shown to whoever has it: without what proves it.
public struct FactorSummary: Sendable, Hashable {
    public var id: FactorID
    public var kind: Factor.Kind
    /// Where the codes of one of that kind go; `nil` for another, and where the number can't be read.
    public var phone: PhoneNumber?
    public var name: String?
    public var isVerified: Bool
    public var isEnabled: Bool
    public var createdAt: Instant
    public var updatedAt: Instant
    public var lastChallengedAt: Instant?

    public init(
        id: FactorID, kind: Factor.Kind, phone: PhoneNumber?, name: String?, isVerified: Bool, isEnabled: Bool,
        createdAt: Instant, updatedAt: Instant, lastChallengedAt: Instant?
    ) {
        self.id = id
        self.kind = kind
        self.phone = phone
        self.name = name
        self.isVerified = isVerified
        self.isEnabled = isEnabled
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.lastChallengedAt = lastChallengedAt
    }

    public init(_ factor: Factor) {
        var phone: PhoneNumber?
        if case .phone(let number) = factor.credential { phone = number }
        self.init(
            id: factor.id, kind: factor.kind, phone: phone, name: factor.name, isVerified: factor.isVerified,
            isEnabled: factor.isEnabled, createdAt: factor.createdAt, updatedAt: factor.updatedAt,
            lastChallengedAt: factor.lastChallengedAt)
    }
}
