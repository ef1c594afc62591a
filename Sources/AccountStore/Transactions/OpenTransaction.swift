// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A transaction that a driver has begun on one of its connections and will end: what it hands to whoever asked for it.
package struct OpenTransaction {
    let statements: SQLTransaction

    package init(on connection: any SQLConnection, vault: Vault, damages: DamageReports) {
        statements = SQLTransaction(connection: connection, vault: vault, damages: damages)
    }

    /// For what a driver says besides.
    package var connection: any SQLConnection { statements.connection }

    /// What the domain sees of it.
    package var accounts: any StoreWriting & StoreScanning { statements }

    /// Takes the keys over that the store's values are sealed with, as a driver does when it opens a database.
    ///
    /// - Throws: `AuthErrorCode.unavailable` when the master key that wraps them is not given.
    package func takeDataKeys() throws { try statements.vault.take(statements.dataKeys()) }
}

/// A store over SQL, whichever driver it has: what is no business of the domain's, such as sealing, is written over
/// this.
package protocol SQLAccountStore: AccountStoring {
    var vault: Vault { get }

    /// As ``AccountStoring/read(_:)``, with the statements themselves.
    func readStatements<Value: Sendable>(
        _ body: @Sendable @escaping (OpenTransaction) throws -> Value
    ) async throws -> Value

    /// As ``AccountStoring/scan(in:_:)``, with the statements themselves.
    func scanStatements<Value: Sendable>(
        in directory: DirectoryID?, _ body: @Sendable @escaping (OpenTransaction) throws -> Value
    ) async throws -> Value

    /// As ``AccountStoring/write(_:)``, with the statements themselves.
    func writeStatements<Value: Sendable>(
        _ body: @Sendable @escaping (OpenTransaction) throws -> Value
    ) async throws -> Value

    /// When to look whether another process has changed what this one keeps copies of: soon after it did, where the
    /// database says so, and at every interval in any case.
    func changeSignals(every interval: Duration) -> any ChangeSignals

    /// Whether other servers may stand over the same database.
    var isShared: Bool { get }

    /// What of the work over this database is this process's. One for the whole program.
    func duties() -> any StoreDuties
}

extension SQLAccountStore {
    package func changeSignals(every interval: Duration) -> any ChangeSignals { IntervalSignals(every: interval) }

    package var isShared: Bool { false }

    package func duties() -> any StoreDuties { SoleDuties() }
}
