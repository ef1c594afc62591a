// SPDX-License-Identifier: Apache-2.0

import ClientSession

/// Keeps everything in memory, as long as the process lives: for tests, previews, and apps that want to forget.
public actor MemoryStore: SecureStore {
    private var values: [SecureStoreKey: [UInt8]] = [:]
    private var turns: [SecureStoreKey: Turns] = [:]

    /// An empty store.
    public init() {}

    public func read(_ key: SecureStoreKey) async throws(SecureStoreError) -> [UInt8]? { values[key] }
    public func write(_ value: [UInt8], for key: SecureStoreKey) async throws(SecureStoreError) { values[key] = value }
    public func remove(_ key: SecureStoreKey) async throws(SecureStoreError) { values[key] = nil }

    /// In the order of asking; who is cancelled while waiting gets a `CancellationError`.
    public func exclusively<Value: Sendable>(
        _ key: SecureStoreKey, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await turns(of: key).take(body)
    }

    private func turns(of key: SecureStoreKey) -> Turns {
        if let turns = turns[key] { return turns }
        let made = Turns()
        turns[key] = made
        return made
    }
}
