// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What wrong passwords have locked, or will: what holds after a restart, and in every process over the same store (ADR
/// 0055). Whoever writes has read in the same transaction: of two transactions that count at once, the second sees the
/// first.
public protocol LockoutReading {
    func lockout(_ key: [UInt8], in directory: DirectoryID) throws -> Lockout?
    /// Those of everybody's that were locked last, the newest first, also where the time is over; without those of an
    /// owner's own places.
    ///
    /// - Parameter position: of the last one of the page before.
    func lockouts(in directory: DirectoryID, after position: LockoutPosition?, limit: Int) throws -> [Lockout]
    /// All of one user: of everybody's, and of their own places.
    func lockouts(of user: UserID, in directory: DirectoryID) throws -> [Lockout]
}

public protocol LockoutWriting: LockoutReading {
    /// Takes the place of the one with its key.
    ///
    /// - Parameter end: when it may be purged.
    func put(_ lockout: Lockout, until end: Instant) throws
    /// Whether there was one.
    func deleteLockout(_ key: [UInt8], in directory: DirectoryID) throws -> Bool
    /// Deletes those that ended before `instant`.
    func purgeLockouts(endedBefore instant: Instant, limit: Int) throws -> Int
}

/// Where a list of lockouts goes on.
public struct LockoutPosition: Sendable, Hashable {
    public var lockedAt: Instant
    public var key: [UInt8]

    public init(lockedAt: Instant, key: [UInt8]) {
        self.lockedAt = lockedAt
        self.key = key
    }
}
