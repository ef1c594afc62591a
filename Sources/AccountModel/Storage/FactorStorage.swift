// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol FactorReading {
    /// The oldest first, those that are being set up too. What can't be read of one is in its ``Factor/damage``.
    func factors(of user: UserID, in directory: DirectoryID) throws -> [Factor]
    /// The oldest first, but for passkeys, as they are shown: nothing that proves one is unsealed for it.
    func secondFactors(of user: UserID, in directory: DirectoryID) throws -> [FactorSummary]
    /// As ``factors(of:in:)``, of several users; nobody without one is in it.
    func factors(of users: [UserID], in directory: DirectoryID) throws -> [UserID: [Factor]]
    func factor(_ id: FactorID, in directory: DirectoryID) throws -> Factor?
    /// By the identifier of a public key credential.
    func factor(credential: [UInt8], in directory: DirectoryID) throws -> Factor?
    func backupCodes(of user: UserID, in directory: DirectoryID) throws -> BackupCodes?
    /// Also one that has expired or was answered.
    func factorChallenge(_ id: FactorChallengeID, in directory: DirectoryID) throws -> FactorChallenge?
    /// The newest of a factor.
    func latestChallenge(of factor: FactorID, in directory: DirectoryID) throws -> FactorChallenge?
    /// The newest that a user was asked in a session or sign-in.
    func latestChallenge(of user: UserID, holder: String, in directory: DirectoryID) throws -> FactorChallenge?
}

public protocol FactorWriting: FactorReading {
    /// - Throws: ``StoreConflict/duplicate(_:)`` with `factor.name` or `factor.credential`.
    func insert(_ factor: Factor) throws
    /// Writes every field but whose it is and when it was made.
    /// - Throws: as above; ``StoreConflict/stale(_:)`` for one that is gone.
    func update(_ factor: Factor) throws
    /// Writes when it was last used, and nothing else.
    /// - Throws: ``StoreConflict/stale(_:)`` for one that is gone.
    func noteUse(of factor: Factor) throws
    /// Writes when its user was last asked for it, and nothing else.
    /// - Throws: ``StoreConflict/stale(_:)`` for one that is gone.
    func noteChallenge(of factor: Factor) throws
    /// Writes when an app was last used, and which of its codes were shown where `before` is what is stored of that: of
    /// two callers at once, one gets `true`.
    func noteUse(of factor: Factor, after before: SpentCodes) throws -> Bool
    /// Writes when a public key credential was last used and what it has told of itself then, where it is stored as
    /// `credential`, by which its answer was judged, and still counts. Whether it does: of two answers at once that
    /// were judged by one state of it, one is `true` where the credential counts its uses.
    func noteUse(of factor: Factor, provedBy credential: WebAuthnCredential) throws -> Bool
    /// Whether there was one. Its challenges go with it.
    func deleteFactor(_ id: FactorID, in directory: DirectoryID) throws -> Bool
    /// Deletes the user's factors, backup codes and challenges, and says how many factors there were.
    @discardableResult
    func deleteFactors(of user: UserID, in directory: DirectoryID) throws -> Int
    /// Deletes factors that were never proved and are over.
    func purgeFactors(expiredBefore instant: Instant, limit: Int) throws -> Int
    /// Writes the codes in place of the user's former ones.
    func replace(_ codes: BackupCodes) throws
    /// Uses a code. Whether it was one and unused: of two callers at once, in one process or two, one gets `true`.
    func useBackupCode(_ hash: [UInt8], of user: UserID, in directory: DirectoryID, at now: Instant) throws -> Bool
    /// Whether there were any.
    @discardableResult
    func deleteBackupCodes(of user: UserID, in directory: DirectoryID) throws -> Bool
    func insert(_ challenge: FactorChallenge) throws
    /// Deletes what was asked of a factor, answered or not.
    func deleteChallenges(of factor: FactorID, in directory: DirectoryID) throws
    /// Whether it was still to be answered: of two callers at once, one gets `true`.
    func use(_ id: FactorChallengeID, in directory: DirectoryID, at now: Instant) throws -> Bool
    /// Deletes the challenges that expired before `instant`.
    func purgeFactorChallenges(expiredBefore instant: Instant, limit: Int) throws -> Int
}
