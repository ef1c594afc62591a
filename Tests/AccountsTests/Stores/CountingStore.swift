// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench

/// A store that counts the transactions that write.
final class CountingStore: ForwardingStore {
    let base: any AccountStoring
    private let bench: AccountBench?
    private let count = Mutex(0)

    /// - Parameter bench: that is to live as long, since its store goes with it.
    init(_ base: any AccountStoring, keeping bench: AccountBench? = nil) {
        self.base = base
        self.bench = bench
    }

    var writes: Int { count.withLock { $0 } }

    func write<Value: Sendable>(_ body: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value {
        count.withLock { $0 += 1 }
        return try await base.write(body)
    }
}
