// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

/// A store of which one call in a hundred fails.
struct FaultyStore: SecureStore {
    let store: any SecureStore
    let dice: Dice
    let tally: Tally

    private func check() throws(SecureStoreError) {
        tally.add("storeCalls")
        let faults: [(String, SecureStoreError)] = [
            ("storeLocked", .locked), ("storeFull", .full), ("storeBroken", .unavailable(reason: "input/output error")),
        ]
        guard let (name, error) = dice.pick(faults, oneIn: 100) else { return }
        tally.add(name)
        throw error
    }

    func read(_ key: SecureStoreKey) async throws(SecureStoreError) -> [UInt8]? {
        try check()
        return try await store.read(key)
    }

    func write(_ value: [UInt8], for key: SecureStoreKey) async throws(SecureStoreError) {
        try check()
        try await store.write(value, for: key)
    }

    func remove(_ key: SecureStoreKey) async throws(SecureStoreError) {
        try check()
        try await store.remove(key)
    }

    func exclusively<Value: Sendable>(
        _ key: SecureStoreKey, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try check()
        return try await store.exclusively(key, body)
    }
}
