// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

@testable import AccountStore
@testable import AccountStoreSQLite

/// A store that notes how SQLite goes about each statement that is not a scan's, once for each text.
final class PlannedStore: AccountStoring {
    private let base: SQLiteAccountStore
    private let noted = Mutex<[String: PlannedConnection.Plan]>([:])

    init(_ base: SQLiteAccountStore) { self.base = base }

    var plans: [PlannedConnection.Plan] { noted.withLock { Array($0.values) } }

    func read<Value: Sendable>(_ body: @Sendable @escaping (any StoreReading) throws -> Value) async throws -> Value {
        try await base.read { [self] tx in try run(tx) { try body($0) } }
    }

    func scan<Value: Sendable>(
        in directory: DirectoryID?, _ body: @Sendable @escaping (any StoreScanning) throws -> Value
    ) async throws -> Value {
        try await base.scan(in: directory, body)
    }

    func write<Value: Sendable>(_ body: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value {
        try await base.write { [self] tx in try run(tx) { try body($0) } }
    }

    private struct UnknownTransaction: Error {}

    private func run<Value>(_ tx: any StoreReading, _ body: (SQLTransaction) throws -> Value) throws -> Value {
        guard let transaction = tx as? SQLTransaction else { throw UnknownTransaction() }
        let known = noted.withLock { Set($0.keys) }
        let connection = PlannedConnection(transaction.connection, except: known)
        defer {
            noted.withLock { noted in for plan in connection.plans { noted[plan.statement] = plan } }
        }
        return try body(
            SQLTransaction(connection: connection, vault: transaction.vault, damages: transaction.damages))
    }
}
