// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What of a store is sealed, and with what.
public struct SealingStatus: Sendable {
    public struct Key: Sendable {
        public let id: UInt32
        /// The master key that it is wrapped by.
        public let masterKeyID: String
        /// Whether every value was found sealed with it.
        public let isComplete: Bool
    }

    public struct Count: Sendable {
        /// Such as `users.srp_verifier`.
        public let column: String
        /// What the values are sealed with; `nil` where they are in the clear.
        public let dataKey: UInt32?
        public let count: Int
    }

    /// Empty for a store that is not sealed.
    public let keys: [Key]
    public let counts: [Count]

    public var clear: [Count] { counts.filter { $0.dataKey == nil } }
}

/// What a pass over the sealed columns did.
public struct SealingReport: Sendable, Equatable {
    /// Values that were in the clear, or sealed with an older key.
    public var sealed = 0
    /// Values that no key opens. They are left as they are, and the older keys with them.
    public var damaged = 0
    /// Whether every value is sealed with the newest key now.
    public var isComplete = false
}
