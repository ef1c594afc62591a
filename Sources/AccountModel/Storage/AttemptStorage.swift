// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The ledger of counted attempts: what holds after a restart, and in every process over the same store (ADR 0022).
///
/// A key says what is counted by which limit, and nothing of whose it is: it is a keyed hash, since it may follow from
/// an address. Its rule is given with each call, so that a limit which is changed holds at once for what was counted
/// before.
public protocol AttemptReading {
    /// When all that was counted of the key will be forgotten; `nil` where nothing was.
    func attemptsEnd(_ key: [UInt8], in directory: DirectoryID) throws -> Instant?
    /// The same of two keys, by one look-up; one of which nothing was counted is not in it.
    func attemptsEnds(_ first: [UInt8], _ second: [UInt8], in directory: DirectoryID) throws -> [[UInt8]: Instant]
}

public protocol AttemptWriting: AttemptReading {
    /// Counts an attempt where the rule has room for it, as ``RateLimitRule/judge(_:pending:at:)`` says. Whether it
    /// had: a compare-and-swap in one statement.
    func takeAttempt(_ rule: RateLimitRule, key: [UInt8], in directory: DirectoryID, at now: Instant) throws -> Bool
    /// Counts attempts that were let through already, whether there is room or not.
    ///
    /// - Returns: of each key, when all that was counted of it will be forgotten: no later than its size from now, but
    ///   for what stood there.
    func addAttempts(_ additions: [AttemptAddition], at now: Instant) throws -> [[UInt8]: Instant]
    /// Takes back an attempt that turned out not to be one.
    func giveBackAttempt(_ rule: RateLimitRule, key: [UInt8], in directory: DirectoryID) throws
    /// Forgets every attempt of the key.
    func forgetAttempts(_ key: [UInt8], in directory: DirectoryID) throws
    /// Deletes the counts that ended before `instant`.
    func purgeAttempts(endedBefore instant: Instant, limit: Int) throws -> Int
}
