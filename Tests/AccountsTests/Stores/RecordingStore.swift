// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

@testable import AccountStore

/// A store that notes each statement that a flow runs, and how many rows each of those that write has changed.
final class RecordingStore: AccountStoring {
    struct Step: Hashable, Sendable, CustomStringConvertible {
        let sql: String
        /// `nil` for a query.
        let changed: Int?

        var description: String { (changed.map { "\($0): " } ?? "") + sql.prefix(60) }
    }

    private final class Connection: SQLConnection {
        private let base: any SQLConnection
        var steps: [Step] = []

        init(_ base: any SQLConnection) { self.base = base }

        func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
            let changed = try base.execute(sql, arguments)
            steps.append(Step(sql: sql, changed: changed))
            return changed
        }

        func forEachRow(_ sql: String, _ arguments: [SQLValue], _ read: (any SQLRow) throws -> Void) throws {
            steps.append(Step(sql: sql, changed: nil))
            try base.forEachRow(sql, arguments, read)
        }
    }

    private let base: any AccountStoring
    private let steps = Mutex<[Step]>([])

    init(_ base: any AccountStoring) { self.base = base }

    /// What was noted since the last time.
    func taken() -> [Step] {
        steps.withLock { steps in
            defer { steps = [] }
            return steps
        }
    }

    func read<Value: Sendable>(_ body: @Sendable @escaping (any StoreReading) throws -> Value) async throws -> Value {
        try await base.read { [self] tx in
            guard let transaction = tx as? SQLTransaction else { return try body(tx) }
            return try recorded(transaction) { try body($0) }
        }
    }

    func scan<Value: Sendable>(
        in directory: DirectoryID?, _ body: @Sendable @escaping (any StoreScanning) throws -> Value
    ) async throws -> Value {
        try await base.scan(in: directory) { [self] tx in
            guard let transaction = tx as? SQLTransaction else { return try body(tx) }
            return try recorded(transaction) { try body($0) }
        }
    }

    func write<Value: Sendable>(_ body: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value {
        try await base.write { [self] tx in
            guard let transaction = tx as? SQLTransaction else { return try body(tx) }
            return try recorded(transaction) { try body($0) }
        }
    }

    private func recorded<Value>(_ transaction: SQLTransaction, _ body: (SQLTransaction) throws -> Value) throws
        -> Value
    {
        let connection = Connection(transaction.connection)
        defer { steps.withLock { $0 += connection.steps } }
        return try body(SQLTransaction(connection: connection, vault: transaction.vault, damages: transaction.damages))
    }
}
