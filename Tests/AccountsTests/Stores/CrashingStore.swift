// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A real store behind a server that dies now and then: before a transaction, in its midst, at its end before the
/// commit, or after the commit when only the answer is lost.
final class CrashingStore: ForwardingStore {
    struct Crash: Error {}

    let base: any AccountStoring
    private let random: SeededRandom
    private let percent: Int64

    init(_ base: any AccountStoring, random: SeededRandom, percent: Int64) {
        self.base = base
        self.random = random
        self.percent = percent
    }

    func write<Value: Sendable>(_ body: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value {
        if random.happens(percent) { throw Crash() }
        let diesBeforeCommit = random.happens(percent)
        let value = try await base.write { tx in
            let value = try body(tx)
            if diesBeforeCommit { throw Crash() }
            return value
        }
        if random.happens(percent) { throw Crash() }
        return value
    }
}
