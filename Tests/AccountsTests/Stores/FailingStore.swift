// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

@testable import Accounts

/// A store in front of another one, that can be down, and counts.
final class FailingStore: AccountStoring {
    private struct State {
        var isDown = false
        var refusesWrites = false
        var writes = 0
    }

    private let inner: any AccountStoring
    private let state = Mutex(State())

    init(_ inner: any AccountStoring) {
        self.inner = inner
    }

    var isDown: Bool {
        get { state.withLock { $0.isDown } }
        set { state.withLock { $0.isDown = newValue } }
    }

    var refusesWrites: Bool {
        get { state.withLock { $0.refusesWrites } }
        set { state.withLock { $0.refusesWrites = newValue } }
    }

    var writes: Int { state.withLock { $0.writes } }

    func read<Value: Sendable>(_ body: @Sendable @escaping (any StoreReading) throws -> Value) async throws -> Value {
        if isDown { throw AuthError(.unavailable) }
        return try await inner.read(body)
    }

    func scan<Value: Sendable>(
        in directory: DirectoryID?, _ body: @Sendable @escaping (any StoreScanning) throws -> Value
    ) async throws -> Value {
        if isDown { throw AuthError(.unavailable) }
        return try await inner.scan(in: directory, body)
    }

    func write<Value: Sendable>(_ body: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value {
        if isDown || refusesWrites { throw AuthError(.unavailable) }
        state.withLock { $0.writes += 1 }
        return try await inner.write(body)
    }
}
