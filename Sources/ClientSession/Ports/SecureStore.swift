// SPDX-License-Identifier: Apache-2.0

/// Where a device keeps what must not be read by others. Asynchronous, since it may have to ask the user; a Keychain,
/// an encrypted file, Android's Keystore.
public protocol SecureStore: Sendable {
    /// - Returns: `nil` only where nothing is kept under that key. What can't be read is an error, never `nil`.
    func read(_ key: SecureStoreKey) async throws(SecureStoreError) -> [UInt8]?
    /// Replaces the whole value at once: after a crash there is the old one or the new one.
    func write(_ value: [UInt8], for key: SecureStoreKey) async throws(SecureStoreError)
    /// Nothing under that key is no error.
    func remove(_ key: SecureStoreKey) async throws(SecureStoreError)
    /// Runs `body` while nobody else, in this process or another on the same store, runs theirs for the same key.
    /// A holder that dies lets go.
    ///
    /// - Throws: what `body` throws, or ``SecureStoreError`` where the lock can't be had.
    func exclusively<Value: Sendable>(
        _ key: SecureStoreKey, _ body: @Sendable () async throws -> Value
    ) async throws -> Value
}

/// What is kept under. The names are those that the apps of the documents use.
public struct SecureStoreKey: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The session: tokens, who it is, and what its time is counted by.
    public static let session = Self(rawValue: "auth.session")
    /// When the session was last confirmed by the service (G-7.6).
    public static let lastValidated = Self(rawValue: "auth.session.lastValidated")
    /// A sign-out that has begun and is not finished.
    public static let leaving = Self(rawValue: "auth.session.leaving")
    /// What a service awaited of who was signing in, for as long as its ticket lives.
    public static let awaitedStep = Self(rawValue: "auth.awaitedStep")
    /// Whose local data is on the device, over the end of their session.
    public static let localData = Self(rawValue: "auth.localData")
    /// Somebody has signed out, and nobody in since: a browser is to ask whoever comes (H-5).
    public static let asksAgain = Self(rawValue: "auth.asksAgain")
    /// What the user lets leave the device (G-11).
    public static let privacyConsent = Self(rawValue: "privacy-consent.v1")
    /// Where a link wanted to lead before a sign-in (G-12.4).
    public static let pendingDeepLink = Self(rawValue: "pendingDeepLink")
}

/// Why a store gives or takes nothing.
public enum SecureStoreError: Error, Sendable, Hashable {
    /// The device has to be unlocked first, or the user said no for now. Nothing is lost; ask again later.
    case locked
    /// It is there and can't be read or written: permissions, a broken disk.
    case unavailable(reason: String)
    /// What was kept is no longer what was written. It has been put aside, not deleted (Y-E3).
    case corrupted(quarantined: String?)
    /// The device has no room. What was kept before is there still.
    case full
}
