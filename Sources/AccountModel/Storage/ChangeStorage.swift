// SPDX-License-Identifier: Apache-2.0

/// What servers keep copies of in memory, and read again once it was changed (ADR 0079).
public enum StoreTopic: String, Sendable, CaseIterable {
    /// Directories, and the domains that lead to them.
    case directories
    case clients
    case signingKeys = "signing_keys"
    case identityProviders = "identity_providers"
}

public protocol ChangeReading {
    /// How often each topic was changed: counted up in the transaction of the change, whoever makes it. A topic that
    /// never was is not among them.
    func changeCounts() throws -> [StoreTopic: Int64]
}

/// ``ChangeReading/changeCounts()``, for whoever keeps copies.
public struct ChangeQuestion: StoreQuestion {
    public init() {}

    public func answer(in tx: any StoreReading) throws -> [StoreTopic: Int64] { try tx.changeCounts() }
}
