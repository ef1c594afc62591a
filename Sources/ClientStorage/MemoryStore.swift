// SPDX-License-Identifier: Apache-2.0

import ClientSession

/// Keeps everything in memory, as long as the process lives: for tests, previews, and apps that want to forget.
public actor MemoryStore: SecureStore {
    private var values: [SecureStoreKey: [UInt8]] = [:]
    private var held: Set<SecureStoreKey> = []
    private var waiting: [SecureStoreKey: [CheckedContinuation<Void, Never>]] = [:]

    /// An empty store.
    public init() {}

    public func read(_ key: SecureStoreKey) async throws(SecureStoreError) -> [UInt8]? { values[key] }
    public func write(_ value: [UInt8], for key: SecureStoreKey) async throws(SecureStoreError) { values[key] = value }
    public func remove(_ key: SecureStoreKey) async throws(SecureStoreError) { values[key] = nil }

    public func exclusively<Value: Sendable>(
        _ key: SecureStoreKey, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        await acquire(key)
        defer { release(key) }
        return try await body()
    }

    private func acquire(_ key: SecureStoreKey) async {
        guard held.contains(key) else {
            held.insert(key)
            return
        }
        await withCheckedContinuation { waiting[key, default: []].append($0) }
    }

    /// Hands over to whoever waits longest, without letting go in between.
    private func release(_ key: SecureStoreKey) {
        guard var queue = waiting[key], !queue.isEmpty else {
            held.remove(key)
            return
        }
        let next = queue.removeFirst()
        waiting[key] = queue
        next.resume()
    }
}
