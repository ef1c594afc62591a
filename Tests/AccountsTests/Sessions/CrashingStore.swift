// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A real store behind a server that dies now and then: before a transaction, in its midst, at its end before the
/// commit, or after the commit when only the answer is lost.
final class CrashingStore: AccountStoring {
    struct Crash: Error {}

    private let inner: any AccountStoring
    private let random: SeededRandom
    private let percent: Int64

    init(_ inner: any AccountStoring, random: SeededRandom, percent: Int64) {
        self.inner = inner
        self.random = random
        self.percent = percent
    }

    func read<Value: Sendable>(_ body: @Sendable @escaping (any StoreReading) throws -> Value) async throws -> Value {
        try await inner.read(body)
    }

    func scan<Value: Sendable>(
        in directory: DirectoryID?, _ body: @Sendable @escaping (any StoreScanning) throws -> Value
    ) async throws -> Value {
        try await inner.scan(in: directory, body)
    }

    func write<Value: Sendable>(_ body: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value {
        if random.happens(percent) { throw Crash() }
        let diesBeforeCommit = random.happens(percent)
        let value = try await inner.write { tx in
            let value = try body(tx)
            if diesBeforeCommit { throw Crash() }
            return value
        }
        if random.happens(percent) { throw Crash() }
        return value
    }
}
