// SPDX-License-Identifier: Apache-2.0

import ClientSession

/// Keeps values in Apple's Keychain (Y-FR3): readable after the first unlock since the device was started, on this
/// device alone.
///
/// The Keychain outlives the app: after it was deleted and installed anew, items are still there. Whether they count is
/// the app's choice.
public final class KeychainStore: SecureStore {
    /// What becomes of items that an earlier installation left.
    public enum Reinstallation: Sendable {
        /// Whoever was signed in before the app was deleted is so again.
        case keepsItems
        /// Nobody is signed in by a session of an app that was deleted.
        case clearsItems(any InstallationMarker)
    }

    private let items: any KeychainItems
    private let reinstallation: Reinstallation
    private let locks: FileLocks
    private let queue = BlockingQueue("latchkey.keychain")

    /// - Parameters:
    ///   - locks: a directory for the locks, which the Keychain has none of: in the container that an app and its
    ///     extensions share, or the app's own. Made with mode 0700; refused where it is open to others.
    public init(items: any KeychainItems, reinstallation: Reinstallation, locks: String) {
        self.items = items
        self.reinstallation = reinstallation
        self.locks = FileLocks(directory: PrivateDirectory(path: locks, files: SystemFiles()))
    }

    public func read(_ key: SecureStoreKey) async throws(SecureStoreError) -> [UInt8]? {
        try await queue.run { [self] () throws(SecureStoreError) in
            try settleInstallation()
            let (status, value) = items.copy(key.rawValue)
            if status == .itemNotFound { return nil }
            try Self.check(status)
            guard let value else { throw .unavailable(reason: "the Keychain gave no data") }
            return value
        }
    }

    public func write(_ value: [UInt8], for key: SecureStoreKey) async throws(SecureStoreError) {
        try await queue.run { [self] () throws(SecureStoreError) in
            try settleInstallation()
            // An extension may add or delete the item in between. Never deleted first: a crash would leave nothing.
            for _ in 0..<3 {
                let updated = items.update(key.rawValue, to: value)
                guard updated == .itemNotFound else { return try Self.check(updated) }
                let added = items.add(key.rawValue, value)
                guard added == .duplicateItem else { return try Self.check(added) }
            }
            throw .unavailable(reason: "the Keychain's item came and went")
        }
    }

    public func remove(_ key: SecureStoreKey) async throws(SecureStoreError) {
        try await queue.run { [self] () throws(SecureStoreError) in
            let status = items.delete(key.rawValue)
            if status != .itemNotFound { try Self.check(status) }
        }
    }

    public func exclusively<Value: Sendable>(
        _ key: SecureStoreKey, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await locks.exclusively(StoredName(key).lock, body)
    }

    /// Clears what an earlier installation left, once.
    ///
    /// Before the first unlock an app may find its own defaults empty, as those of a new installation are. So nothing
    /// is cleared until the Keychain has shown that the device was unlocked, and the marker is looked at after that.
    private func settleInstallation() throws(SecureStoreError) {
        guard case .clearsItems(let marker) = reinstallation, !marker.isSet else { return }
        try showUnlocked()
        if !marker.isSet {
            let status = items.delete(nil)
            if status != .itemNotFound { try Self.check(status) }
            marker.set()
        } else {
            _ = items.delete(Self.probe)
        }
    }

    private static let probe = "latchkey.unlocked"

    /// By an item that can be read, or written: that one is not found says nothing, a locked Keychain may say so too.
    private func showUnlocked() throws(SecureStoreError) {
        let read = items.copy(SecureStoreKey.session.rawValue).status
        guard read == .itemNotFound else { return try Self.check(read) }
        let updated = items.update(Self.probe, to: [1])
        guard updated == .itemNotFound else { return try Self.check(updated) }
        let added = items.add(Self.probe, [1])
        if added != .duplicateItem { try Self.check(added) }
    }

    /// What a status says. Only "not found" is nothing kept, and whoever asked looks for that first.
    private static func check(_ status: KeychainStatus) throws(SecureStoreError) {
        switch status {
        case .success: return
        case .interactionNotAllowed, .userCanceled, .authFailed: throw .locked
        case .diskFull: throw .full
        default: throw .unavailable(reason: "Keychain Services' status \(status.rawValue)")
        }
    }
}

/// Something that is gone when the app is deleted: an entry of its own in its defaults.
public protocol InstallationMarker: Sendable {
    /// Whether this installation has been seen before.
    var isSet: Bool { get }
    /// Remembers this installation until the app is deleted.
    func set()
}
