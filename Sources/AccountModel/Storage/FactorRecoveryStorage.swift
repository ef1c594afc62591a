// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol FactorRecoveryReading {
    /// Also one that is over.
    func factorRecovery(of user: UserID, in directory: DirectoryID) throws -> FactorRecovery?
    /// When what was counted of two keys will be forgotten, as ``AttemptReading/attemptsEnds(_:_:in:)`` says, and
    /// whether there is a recovery of the user: every code that is shown asks both.
    func attemptsEnds(
        _ first: [UInt8], _ second: [UInt8], in directory: DirectoryID, andRecoveryOf user: UserID
    ) throws -> (ends: [[UInt8]: Instant], isRecovering: Bool)
    /// Those of all Directories whose wait was over at `instant` and whose owner was not told so: the first due first.
    func factorRecoveries(dueAt instant: Instant, limit: Int) throws -> [FactorRecovery]
}

public protocol FactorRecoveryWriting: FactorRecoveryReading {
    /// Takes the place of the one that its user has.
    func put(_ recovery: FactorRecovery) throws
    /// Whether there was one: of two callers at once, one gets `true`.
    func deleteFactorRecovery(of user: UserID, in directory: DirectoryID) throws -> Bool
    /// Deletes those that ended before `instant`.
    func purgeFactorRecoveries(endedBefore instant: Instant, limit: Int) throws -> Int
}
