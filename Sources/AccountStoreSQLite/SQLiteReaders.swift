// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes

/// The connections that read. A read runs on its caller's thread and connection, beside the writer and other reads:
/// at some microseconds for most, a hop to another thread would cost more than the read itself. What takes longer is
/// for ``SQLiteScanner``.
///
/// There are as many connections as reads at once, so nobody waits for one: as many as the program has threads.
final class SQLiteReaders: Sendable {
    private struct State {
        var idle: [SQLiteReader] = []
        var count = 0
        var isClosed = false
    }

    private let file: DatabaseFile
    private let vault: Vault
    private let damages: DamageReports
    private let maximumIdle: Int
    private let state = Mutex(State())

    /// - Parameter maximumIdle: connections kept open for the next read.
    init(_ file: DatabaseFile, vault: Vault, maximumIdle: Int, damages: DamageReports) {
        self.file = file
        self.vault = vault
        self.damages = damages
        self.maximumIdle = max(1, maximumIdle)
    }

    /// Reads since the store was opened.
    var count: Int { state.withLock { $0.count } }

    /// - Throws: What `body` throws, `AuthErrorCode.unavailable` once closed.
    func read<Value>(_ body: (OpenTransaction) throws -> Value) throws -> Value {
        let reader = try take()
        defer { put(reader) }
        return try reader.read { try body(OpenTransaction(on: $0, vault: vault, damages: damages)) }
    }

    /// As a read of its own would find it, from what the connection remembers where nothing was committed since.
    ///
    /// - Throws: as ``read(_:)``.
    func answer<Question: StoreQuestion>(_ question: Question) throws -> Question.Answer {
        let reader = try take()
        defer { put(reader) }
        return try reader.answer(question) {
            try question.answer(in: OpenTransaction(on: $0, vault: vault, damages: damages).accounts)
        }
    }

    func close() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            state.isClosed = true
            return state.idle
        }
        // A reader that can't be closed now is closed when it is released.
        for reader in idle { try? reader.close() }
    }

    private func take() throws -> SQLiteReader {
        let idle = try state.withLock { state in
            guard !state.isClosed else { throw SQLiteWriter.closed }
            state.count += 1
            return state.idle.popLast()
        }
        return try idle ?? SQLiteReader(file)
    }

    private func put(_ reader: SQLiteReader) {
        let isKept = state.withLock { state in
            guard !state.isClosed, state.idle.count < maximumIdle else { return false }
            state.idle.append(reader)
            return true
        }
        if !isKept { try? reader.close() }
    }
}
