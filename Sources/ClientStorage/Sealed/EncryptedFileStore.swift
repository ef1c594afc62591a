// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Keeps each value in an encrypted file of its own (AES-256-GCM), for systems without a Keychain (Y-FR3, G-5.1).
///
/// Any number of processes may share one directory. What is damaged is put aside beside it and said to be so once; then
/// the key is empty. What can't be read is left as it is. `docs/client/storage.md` has the formats and what each fault
/// does.
public final class EncryptedFileStore: SecureStore {
    /// The longest value, in bytes.
    public static let limit = 1 << 20

    private let directory: PrivateDirectory
    private let source: any StoreKeySource
    private let random: any RandomSource
    private let locks: FileLocks
    private let queue = BlockingQueue("latchkey.encrypted-file-store")

    /// - Parameters:
    ///   - directory: made with mode 0700 where it is missing; refused where it is open to others or somebody else's.
    ///   - key: what everything in it is encrypted with.
    public convenience init(
        directory: String, key: any StoreKeySource, random: any RandomSource = SystemRandomSource()
    ) {
        self.init(directory: directory, key: key, random: random, files: SystemFiles())
    }

    init(directory: String, key: any StoreKeySource, random: any RandomSource, files: any FileOperations) {
        self.directory = PrivateDirectory(path: directory, files: files)
        self.source = key
        self.random = random
        locks = FileLocks(directory: self.directory)
    }

    public func read(_ key: SecureStoreKey) async throws(SecureStoreError) -> [UInt8]? {
        let name = try StoredName(key).value
        switch try await found(name, of: key) {
        case .nothing: return nil
        case .value(let value): return value
        case .sealed(let text):
            let storeKey = try await source.key(fresh: false)
            if let value = try? SealedValue.opened(text, as: key.rawValue, with: storeKey) { return value }
            return try await secondLook(at: name, of: key, with: source.key(fresh: true))
        }
    }

    public func write(_ value: [UInt8], for key: SecureStoreKey) async throws(SecureStoreError) {
        let name = try StoredName(key).value
        guard value.count <= Self.limit else {
            throw .unavailable(reason: "a value of \(value.count) bytes is longer than the store takes")
        }
        let isWritten = try await queue.run { [self] () throws(SecureStoreError) in
            guard var storeKey = try source.keyAtHand() else { return false }
            for _ in 0..<3 {
                try put(value, in: name, of: key, with: storeKey)
                // Another process may have put another key in the place of this one meanwhile: nobody could read the
                // value.
                guard let present = try? source.keyAtHand(), present.identifier != storeKey.identifier else { break }
                storeKey = present
            }
            return true
        }
        guard !isWritten else { return }
        // The one in force, and not a copy: nobody could read what another one sealed.
        let storeKey = try await source.key(fresh: true)
        try await queue.run { [self] () throws(SecureStoreError) in
            try put(value, in: name, of: key, with: storeKey)
        }
    }

    private func put(
        _ value: [UInt8], in name: String, of key: SecureStoreKey, with storeKey: StoreKey
    ) throws(SecureStoreError) {
        let text: [UInt8]
        do throws(SealedValue.Fault) {
            text = try SealedValue.sealed(value, as: key.rawValue, with: storeKey, random: random)
        } catch {
            throw .unavailable(reason: "the value can't be encrypted")
        }
        try directory.writing { (open) throws(SecureStoreError) in
            try directory.replace(name, with: text, in: open)
        }
    }

    /// Removes what a crash left and what was put aside of it too (G-13.3).
    public func remove(_ key: SecureStoreKey) async throws(SecureStoreError) {
        let name = try StoredName(key).value
        try await queue.run { [directory] () throws(SecureStoreError) in
            // Nothing is made only to be emptied.
            guard try directory.reading({ (_) throws(SecureStoreError) in true }) != nil else { return }
            try directory.writing { (open) throws(SecureStoreError) in try directory.remove(name, in: open) }
        }
    }

    /// Locks among processes by `flock(2)`. Those of this process get it in the order they asked; who is cancelled
    /// while waiting gets a `CancellationError`.
    public func exclusively<Value: Sendable>(
        _ key: SecureStoreKey, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await locks.exclusively(StoredName(key).lock, body)
    }

    private enum Found: Sendable {
        case nothing
        case value([UInt8])
        /// The key at hand, if there is one, does not open it.
        case sealed([UInt8])
    }

    private func found(_ name: String, of key: SecureStoreKey) async throws(SecureStoreError) -> Found {
        try await queue.run { [directory, source] () throws(SecureStoreError) in
            let text = try directory.reading { (open) throws(SecureStoreError) in
                try directory.contents(of: name, in: open, limit: Self.limit + SealedValue.overhead)
            }
            // Where nothing is kept no key is needed, so none is made and nobody is asked for one.
            guard let text else { return .nothing }
            guard let storeKey = try source.keyAtHand(),
                let value = try? SealedValue.opened(text, as: key.rawValue, with: storeKey)
            else { return .sealed(text) }
            return .value(value)
        }
    }

    /// Looks again while nobody writes, with the key that is in force now: what one look found may have been replaced
    /// since. What is damaged then is put aside.
    private func secondLook(
        at name: String, of key: SecureStoreKey, with storeKey: StoreKey
    ) async throws(SecureStoreError) -> [UInt8]? {
        try await queue.run { [directory] () throws(SecureStoreError) in
            try directory.writing { (open) throws(SecureStoreError) in
                let limit = Self.limit + SealedValue.overhead
                guard let text = try directory.contents(of: name, in: open, limit: limit) else { return nil }
                let fault: SealedValue.Fault
                do throws(SealedValue.Fault) {
                    return try SealedValue.opened(text, as: key.rawValue, with: storeKey)
                } catch {
                    fault = error
                }
                if case .newerVersion(let version) = fault {
                    throw .unavailable(reason: "a later version (\(version)) wrote \(directory.path)/\(name)")
                }
                throw .corrupted(quarantined: try directory.putAside(name, in: open))
            }
        }
    }
}
