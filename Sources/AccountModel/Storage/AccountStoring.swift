// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Where accounts are kept. `AccountStore` implements it over SQL; the domain decides, the store only remembers.
public protocol AccountStoring: Sendable {
    /// Runs `body` on a consistent snapshot. What it asks is found by an index and is little, so that no thread that
    /// requests need is held up for long; what is not goes through ``scan(in:_:)``.
    ///
    /// - Throws: What `body` throws, or ``AuthErrorCode/unavailable`` when the database can't be reached.
    func read<Value: Sendable>(_ body: @Sendable @escaping (any StoreReading) throws -> Value) async throws -> Value

    /// The answer as ``read(_:)`` would find it now. A store may remember it for as long as it knows that nothing was
    /// written since, by whomever: what has been revoked is revoked with the next question, in every process.
    ///
    /// - Throws: What the question throws, or ``AuthErrorCode/unavailable`` when the database can't be reached.
    func answer<Question: StoreQuestion>(_ question: Question) async throws -> Question.Answer

    /// Runs `body` on a consistent snapshot, as ``read(_:)``, where it may take its time: on a thread of the store's
    /// own, one at a time, the Directories in turns. When the caller's task is cancelled it stops, also in the middle
    /// of a statement.
    ///
    /// - Parameter directory: whose users or events are looked through; `nil` for those of all.
    /// - Throws: What `body` throws, `CancellationError`, ``AuthErrorCode/overloaded`` with a time to wait when too
    ///   many wait already, ``AuthErrorCode/unavailable`` when the database can't be reached.
    func scan<Value: Sendable>(
        in directory: DirectoryID?, _ body: @Sendable @escaping (any StoreScanning) throws -> Value
    ) async throws -> Value

    /// As ``scan(in:_:)``, for what nothing is decided by, and nobody asks for right after they have changed it: a
    /// store with a replica may answer from there, as it was some seconds before.
    func scanReplica<Value: Sendable>(
        in directory: DirectoryID?, _ body: @Sendable @escaping (any StoreScanning) throws -> Value
    ) async throws -> Value

    /// Runs `body` as one transaction, and returns once it is durable.
    ///
    /// Several callers' transactions may share one commit; each is still all or nothing by itself. When `body` throws,
    /// nothing it did stays behind. A ``StoreConflict`` that the store can resolve by running `body` again is retried
    /// by the store, so `body` must have no effect outside the transaction.
    func write<Value: Sendable>(_ body: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value

    /// As ``write(_:)``, for what is over soon: it looks at few rows by their keys, changes few, and computes next to
    /// nothing. A store may run it on the caller's thread, where nobody else writes and the disk is quick.
    func writeBriefly<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value
    ) async throws -> Value

    /// As ``write(_:)``, and does `work` while the transaction waits and is made durable.
    ///
    /// - Parameter work: has no effect, and is done on the caller's task. Nobody is to be given what came of it before
    ///   this returns: the transaction may fail yet.
    /// - Throws: as ``write(_:)``; where that was kept, what `work` throws.
    func write<Value: Sendable, Made>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value, while work: () async throws -> Made
    ) async throws -> (Value, Made)

    /// As ``write(_:)``, for one of many turns of work that can wait: a store in which one transaction at a time can
    /// write lets others go first, and rests after it for as long as keeps such work from slowing them down. Where
    /// nobody else writes or reads it costs no time. It is never kept waiting without end.
    func writeInTurn<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value
    ) async throws -> Value

    /// Does work of many rows in turns, as ``writeInTurn(_:)``, each of as many rows as keep others from waiting long
    /// for it: that is the store's to find out. It ends with the first turn that did fewer rows than it was given.
    ///
    /// - Parameters:
    ///   - most: rows of a turn; at least 1.
    ///   - body: does the rows of the range, which goes on where what the last turn did ended, and returns how many it
    ///     did.
    /// - Returns: how many rows all turns did.
    /// - Throws: as ``writeInTurn(_:)``, and `CancellationError` between two turns.
    func writeInTurns(
        of most: Int, _ body: @Sendable @escaping (any StoreWriting, Range<Int>) throws -> Int
    ) async throws -> Int

    /// Does what can be done for the insertion of many users while others write: one transaction at a time can, so what
    /// one of them need not do is done before.
    ///
    /// - Throws: What to insert them would throw of their contents.
    func prepared(_ users: [User], with identities: [Identity]) throws -> PreparedUsers

    /// After users were added to a Directory by an import: a store that plans by what it has counted of its tables has
    /// them counted anew where these are many. Nobody waits for it.
    func didImport(_ count: Int, into directory: DirectoryID)
}

extension AccountStoring {
    public func prepared(_ users: [User], with identities: [Identity]) throws -> PreparedUsers {
        PreparedUsers(users, with: identities)
    }

    public func didImport(_ count: Int, into directory: DirectoryID) {}

    /// From where all else is answered.
    public func scanReplica<Value: Sendable>(
        in directory: DirectoryID?, _ body: @Sendable @escaping (any StoreScanning) throws -> Value
    ) async throws -> Value {
        try await scan(in: directory, body)
    }

    public func writeBriefly<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value
    ) async throws -> Value {
        try await write(body)
    }

    public func writeInTurn<Value: Sendable>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value
    ) async throws -> Value {
        try await write(body)
    }

    /// All turns alike.
    public func writeInTurns(
        of most: Int, _ body: @Sendable @escaping (any StoreWriting, Range<Int>) throws -> Int
    ) async throws -> Int {
        var done = 0
        while true {
            try Task.checkCancellation()
            let rows = done..<(done + max(1, most))
            let count = try await writeInTurn { try body($0, rows) }
            done += count
            if count < rows.count { return done }
        }
    }

    /// One after the other.
    public func write<Value: Sendable, Made>(
        _ body: @Sendable @escaping (any StoreWriting) throws -> Value, while work: () async throws -> Made
    ) async throws -> (Value, Made) {
        let value = try await write(body)
        return (value, try await work())
    }
}

/// Everything that can be asked inside a transaction. Each answer is found by an index, and costs the same in a store
/// of a million users as in one of ten.
public protocol StoreReading: DirectoryReading, UserReading, SessionReading, OneTimeReading, KeyReading, AuditReading,
    OutboxReading, GroupReading, ProfileReading, ClientReading, MarkReading,
    SignUpReading, AttemptReading, LockoutReading, NonceReading, AuthorizationReading, ResourceServerReading,
    DomainReading, FederationReading, IdentityPoolReading, FactorReading, ErasureReading,
    FactorRecoveryReading, RememberedDeviceReading, TermsReading, ChangeReading, TakeOverReading
{}

/// Everything that can be asked where there is time (``AccountStoring/scan(in:_:)``): lists, filters, and looks through
/// the log, whose cost grows with what there is.
public protocol StoreScanning: StoreReading, UserScanning, AuditScanning, ExportScanning {}

/// Everything that can be asked and changed inside a transaction.
public protocol StoreWriting: StoreReading, DirectoryWriting, UserWriting, SessionWriting, OneTimeWriting, KeyWriting,
    AuditWriting, OutboxWriting, GroupWriting, ProfileWriting, ClientWriting, RestoreWriting, MarkWriting,
    SignUpWriting, AttemptWriting, LockoutWriting, NonceWriting, AuthorizationWriting, ResourceServerWriting,
    DomainWriting, FederationWriting, IdentityPoolWriting, FactorWriting, ErasureWriting,
    FactorRecoveryWriting, RememberedDeviceWriting, TermsWriting, TakeOverWriting
{}

/// A change that the state of the store does not allow.
public enum StoreConflict: Error, Sendable, Hashable {
    /// Another row already has this value, named by what it is unique in, such as `user.email`.
    case duplicate(String)
    /// The row is no longer as the caller read it, or is gone.
    case stale(String)
}
