// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Where accounts are kept. `AccountStore` implements it over SQL; the domain decides, the store only remembers.
public protocol AccountStoring: Sendable {
    /// Runs `body` on a consistent snapshot.
    ///
    /// - Throws: What `body` throws, or ``AuthErrorCode/unavailable`` when the database can't be reached.
    func read<Value: Sendable>(_ body: @Sendable @escaping (any StoreReading) throws -> Value) async throws -> Value

    /// Runs `body` as one transaction, and returns once it is durable.
    ///
    /// Several callers' transactions may share one commit; each is still all or nothing by itself. When `body` throws,
    /// nothing it did stays behind. A ``StoreConflict`` that the store can resolve by running `body` again is retried
    /// by the store, so `body` must have no effect outside the transaction.
    func write<Value: Sendable>(_ body: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value
}

/// Everything that can be asked inside a transaction.
public protocol StoreReading: DirectoryReading, UserReading, SessionReading, OneTimeReading, KeyReading, AuditReading,
    OutboxReading, GroupReading, ProfileReading, ClientReading, MarkReading,
    SignUpReading, AttemptReading, NonceReading
{}

/// Everything that can be asked and changed inside a transaction.
public protocol StoreWriting: StoreReading, DirectoryWriting, UserWriting, SessionWriting, OneTimeWriting, KeyWriting,
    AuditWriting, OutboxWriting, GroupWriting, ProfileWriting, ClientWriting, RestoreWriting, MarkWriting,
    SignUpWriting, AttemptWriting, NonceWriting
{}

/// A change that the state of the store does not allow.
public enum StoreConflict: Error, Sendable, Hashable {
    /// Another row already has this value, named by what it is unique in, such as `user.email`.
    case duplicate(String)
    /// The row is no longer as the caller read it, or is gone.
    case stale(String)
}
