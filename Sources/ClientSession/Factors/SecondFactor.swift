// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A second factor of the user's, as their service lists it.
public struct SecondFactor: Sendable, Hashable, Identifiable {
    /// The service's own word for it.
    public var id: String
    /// What it is.
    public var kind: FactorKind
    /// As its user called it.
    public var name: String?
    /// The number or address that codes go to, as far as the service shows it.
    public var destination: String?
    /// Whether a sign-in asks for it: one whose first code has not come yet is not asked for.
    public var isConfirmed: Bool
    /// Whether it is the one that is asked for first. `false` also where the service does not say.
    public var isPreferred: Bool
    /// When it was set up. `nil` where the service does not say.
    public var createdAt: Instant?

    /// Made by backends.
    public init(
        id: String, kind: FactorKind, name: String? = nil, destination: String? = nil, isConfirmed: Bool = true,
        isPreferred: Bool = false, createdAt: Instant? = nil
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.destination = destination
        self.isConfirmed = isConfirmed
        self.isPreferred = isPreferred
        self.createdAt = createdAt
    }
}

/// What a service says of a user's second factors.
public struct SecondFactors: Sendable, Hashable {
    /// In the service's order.
    public var factors: [SecondFactor]
    /// How many backup codes are left. `nil` where there are none, or the service has none.
    public var backupCodesLeft: Int?
    /// Whether the session has shown a second factor. `nil` where the service does not say.
    public var isRaised: Bool?

    /// Made by backends.
    public init(factors: [SecondFactor], backupCodesLeft: Int? = nil, isRaised: Bool? = nil) {
        self.factors = factors
        self.backupCodesLeft = backupCodesLeft
        self.isRaised = isRaised
    }
}
