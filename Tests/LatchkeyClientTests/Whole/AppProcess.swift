// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import Foundation
import LatchkeyClient

/// The app in a process of its own, on a device's files, two hours after these were last written.
struct AppProcess {
    let device: Device
    let place: Signposts

    init(_ vendor: Vendor, _ url: String, _ directory: String) async throws {
        device = try Device(vendor, at: try await .running(at: url), in: directory)
        place = Signposts(device.directory)
        device.clock.advance(by: .hours(2))
    }

    /// The token that a start and a refresh bring.
    ///
    /// - Parameters:
    ///   - beforeLock: done when the refresh has begun, and before its lock is had.
    ///   - beforeWrite: done when the answer is there, and before the session is stored.
    func renewed(
        beforeLock: @escaping @Sendable (Signposts) async -> Void = { _ in },
        beforeWrite: @escaping @Sendable (Signposts) async -> Void = { _ in }
    ) async throws -> String {
        let store = WatchedStore(store: device.store, place: place, beforeLock: beforeLock, beforeWrite: beforeWrite)
        let service = SessionService(backend: device.backend, store: store, clock: device.clock)
        await service.restore()
        return try await service.accessToken().reveal()
    }
}

/// What processes tell each other by files of a device's directory.
struct Signposts: Sendable {
    private let directory: URL

    init(_ directory: URL) {
        self.directory = directory
    }

    func raise(_ name: String, _ text: String = "") {
        try? Data(text.utf8).write(to: directory.appendingPathComponent(name), options: .atomic)
    }

    func text(_ name: String) -> String? {
        (try? Data(contentsOf: directory.appendingPathComponent(name))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns when another process has raised it, or has not within half a minute.
    func reach(_ name: String) async {
        for _ in 0..<3000 where text(name) == nil { try? await Task.sleep(for: .milliseconds(10)) }
    }
}

/// A store at which something is done before others may have its lock, and before it is written.
private struct WatchedStore: SecureStore {
    let store: EncryptedFileStore
    let place: Signposts
    let beforeLock: @Sendable (Signposts) async -> Void
    let beforeWrite: @Sendable (Signposts) async -> Void

    func read(_ key: SecureStoreKey) async throws(SecureStoreError) -> [UInt8]? { try await store.read(key) }

    func write(_ value: [UInt8], for key: SecureStoreKey) async throws(SecureStoreError) {
        if key == .session { await beforeWrite(place) }
        try await store.write(value, for: key)
    }

    func remove(_ key: SecureStoreKey) async throws(SecureStoreError) { try await store.remove(key) }

    func exclusively<Value: Sendable>(
        _ key: SecureStoreKey, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        await beforeLock(place)
        return try await store.exclusively(key, body)
    }
}
