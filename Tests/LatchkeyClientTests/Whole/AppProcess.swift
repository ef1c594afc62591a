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

    /// The app from its start on.
    ///
    /// - Parameter happening: done before or after what the session asks of its store.
    func start(
        _ happening: @escaping @Sendable (StoreMoment, Signposts) async -> Void
    ) async -> SessionService {
        let store = WatchedStore(store: device.store, place: place, happening: happening)
        let service = SessionService(backend: device.backend, store: store, clock: device.clock)
        await service.restore()
        return service
    }

    /// The token that a start and a refresh bring.
    func renewed(_ happening: @escaping @Sendable (StoreMoment, Signposts) async -> Void) async throws -> String {
        try await start(happening).accessToken().reveal()
    }
}

/// When something is done beside what the session asks of its store.
enum StoreMoment: Sendable, Hashable, Codable {
    /// A refresh has begun, and does not have its lock yet.
    case beforeLock
    /// It has the lock.
    case locked
    case beforeWrite(String)
    case afterWrite(String)
    case beforeRemoval(String)
    case afterRemoval(String)

    /// The answer is there, and nothing of it is stored.
    static let answered = Self.beforeWrite(SecureStoreKey.session.rawValue)
    /// It is stored, and nobody has been told.
    static let stored = Self.afterWrite(SecureStoreKey.session.rawValue)
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

/// A store at which something is done before and after what is asked of it.
private struct WatchedStore: SecureStore {
    let store: EncryptedFileStore
    let place: Signposts
    let happening: @Sendable (StoreMoment, Signposts) async -> Void

    func read(_ key: SecureStoreKey) async throws(SecureStoreError) -> [UInt8]? { try await store.read(key) }

    func write(_ value: [UInt8], for key: SecureStoreKey) async throws(SecureStoreError) {
        await happening(.beforeWrite(key.rawValue), place)
        try await store.write(value, for: key)
        await happening(.afterWrite(key.rawValue), place)
    }

    func remove(_ key: SecureStoreKey) async throws(SecureStoreError) {
        await happening(.beforeRemoval(key.rawValue), place)
        try await store.remove(key)
        await happening(.afterRemoval(key.rawValue), place)
    }

    func exclusively<Value: Sendable>(
        _ key: SecureStoreKey, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        await happening(.beforeLock, place)
        return try await store.exclusively(key) {
            await happening(.locked, place)
            return try await body()
        }
    }
}
