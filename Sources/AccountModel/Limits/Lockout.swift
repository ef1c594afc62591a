// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What is counted of wrong passwords in one place, and whether it is locked: a pure machine over times. Times are
/// judged by the rule of the day, so that a changed setting holds at once for what was counted before.
public struct Lockout: Sendable, Equatable {
    /// A keyed hash of whom and what it counts: no name is kept, and none can be tried out.
    public var key: [UInt8]
    public var directoryID: DirectoryID
    /// Whose password was guessed at; `nil` for a name that nobody has.
    public var userID: UserID?
    /// Whether it counts what came from one place that is the owner's own, beside the one that counts everybody.
    public var isOwn: Bool
    /// When wrong passwords came, the oldest first; as many as do not lock.
    public var failures: [Instant]
    /// `nil` while nothing was locked.
    public var lockedAt: Instant?
    /// From where the attempt came that locked.
    public var truncatedAddress: String?

    public init(
        key: [UInt8], directoryID: DirectoryID, userID: UserID?, isOwn: Bool = false, failures: [Instant] = [],
        lockedAt: Instant? = nil, truncatedAddress: String? = nil
    ) {
        self.key = key
        self.directoryID = directoryID
        self.userID = userID
        self.isOwn = isOwn
        self.failures = failures
        self.lockedAt = lockedAt
        self.truncatedAddress = truncatedAddress
    }

    /// How long it stays locked; `nil` where it is not. A clock that was set back frees: nobody is kept out for as long
    /// as it went back (ADR 0016).
    public func wait(_ rule: LockoutRule, at now: Instant) -> TimeSpan? {
        guard let lockedAt else { return nil }
        let age = now.age(of: lockedAt)
        return age < rule.duration ? TimeSpan(microseconds: rule.duration.microseconds - age.microseconds) : nil
    }

    /// Counts a wrong password where nothing is locked.
    ///
    /// - Returns: whether it locks.
    public mutating func fail(_ rule: LockoutRule, at now: Instant, from place: String?) -> Bool {
        lockedAt = nil
        truncatedAddress = nil
        failures = failures.filter { now.age(of: $0) < rule.window } + [now]
        guard failures.count >= rule.attempts else { return false }
        failures = []
        lockedAt = now
        truncatedAddress = place
        return true
    }

    /// When nothing of it counts any more.
    public func end(_ rule: LockoutRule) -> Instant {
        let ends = [failures.last.map { $0 + rule.window }, lockedAt.map { $0 + rule.duration }]
        return ends.compactMap(\.self).max() ?? Instant(seconds: 0)
    }
}
