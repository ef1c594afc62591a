// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

/// The signing and verification keys of every Directory, ready to use.
///
/// Keys are kept in memory and read again when they are 5 seconds old, so a rotation done by another process is
/// noticed by then; while the store can't be reached, the last known keys go on working. Callers share one `KeyRing`.
public final class KeyRing: Sendable {
    /// How long another process's change may stay unnoticed.
    public static let refreshInterval: TimeSpan = .seconds(5)

    let store: any AccountStoring
    let random: any RandomSource
    private let cache: SnapshotCache<DirectoryID, DirectoryKeys>
    /// First keys of a purpose that are being made: everybody who needs them waits for the same ones.
    let making = Mutex<[FirstKeys: Task<Void, any Error>]>([:])

    public init(store: any AccountStoring, random: any RandomSource) {
        self.store = store
        self.random = random
        let parsed = ParsedKeys()
        cache = SnapshotCache(lifetime: Self.refreshInterval) { directory in
            try parsed.keys(of: directory, try await store.read { try $0.signingKeys(in: directory) })
        }
    }

    /// The key that signs for `purpose` now. One that only some clients ask for is made at its first use:
    /// see ``ensureKeys(_:of:at:)``.
    ///
    /// - Parameter algorithm: `nil` takes the key activated last.
    /// - Throws: `AuthErrorCode.unavailable` when the Directory has no such key, or none yet that every server knows,
    ///   or the store can't be reached.
    public func signingKey(
        _ purpose: SigningKeyRecord.Purpose, of directory: Directory, algorithm: JWSAlgorithm? = nil, at now: Instant
    ) async throws -> SigningKey {
        try await ensureKeys(purpose, of: directory, at: now)
        guard let key = try await keys(of: directory.id, at: now)?.signer(purpose, algorithm, at: now) else {
            throw AuthError(.unavailable, reason: "no active signing key for \(purpose.rawValue)")
        }
        return key
    }

    /// Every key that a valid signature may have been made with: standby, active, and retiring until its date.
    ///
    /// - Throws: `AuthErrorCode.unavailable` when the store can't be reached and no keys are known yet.
    public func verificationKeys(
        of directory: Directory, purpose: SigningKeyRecord.Purpose, at now: Instant
    ) async throws -> [VerificationKey] {
        try await keys(of: directory.id, judging: purpose, at: now)?.verificationKeys(purpose, at: now) ?? []
    }

    /// The set to publish at the JWKS endpoint: public parts of token keys, no shared secret, no API-key key.
    public func publishedKeys(of directory: Directory, at now: Instant) async throws -> JWKSet {
        guard let keys = try await keys(of: directory.id, at: now) else { return try JWKSet([]) }
        return try keys.published(.tokens, at: now)
    }

    /// As ``publishedKeys(of:at:)``, of one purpose. Those for compatibility are made before they are published, so
    /// that a verifier which reads the set first knows the first token's key.
    public func publishedKeys(
        of directory: Directory, purpose: SigningKeyRecord.Purpose, at now: Instant
    ) async throws -> JWKSet {
        try await ensureKeys(purpose, of: directory, at: now)
        guard let keys = try await keys(of: directory.id, at: now) else { return try JWKSet([]) }
        return try keys.published(purpose, at: now)
    }

    /// Forgets what was read: the next caller sees the store as it is. Done by every change made through this ring.
    public func invalidate() {
        cache.invalidate()
    }

    /// Another server has changed something: see ``ChangeFollower``.
    func expire() {
        cache.expire()
    }

    func keys(of directory: DirectoryID, at now: Instant) async throws -> DirectoryKeys? {
        try await cache.value(for: directory, at: now)
    }
}

/// The keys of each Directory as they were parsed last: rows that say the same give the same keys, so that what was
/// made of those goes on being good.
private final class ParsedKeys: Sendable {
    private let last = Mutex<[DirectoryID: DirectoryKeys]>([:])

    /// `nil` for no rows.
    func keys(of directory: DirectoryID, _ records: [SigningKeyRecord]) throws -> DirectoryKeys? {
        guard !records.isEmpty else {
            last.withLock { $0[directory] = nil }
            return nil
        }
        if let known = last.withLock({ $0[directory] }), known.areMade(of: records) { return known }
        let keys = try DirectoryKeys(records)
        last.withLock { $0[directory] = keys }
        return keys
    }
}
