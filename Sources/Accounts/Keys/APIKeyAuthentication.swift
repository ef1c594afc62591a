// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Recognises API keys.
public struct APIKeyAuthentication: Sendable {
    /// A use is recorded at most this often: reading must not turn into writing.
    static let touchInterval: TimeSpan = .minutes(1)
    /// Longer texts are no key of ours.
    static let maximumLength = 256

    private let store: any AccountStoring

    public init(_ ports: AccountPorts) {
        self.init(store: ports.store)
    }

    public init(store: any AccountStoring) {
        self.store = store
    }

    /// The key that `text` is; `nil` when there is none, or it is revoked or expired. The caller checks that the key is
    /// of its Directory and of the kind and scope that it needs.
    ///
    /// The key is found by its hash, so the time taken says nothing about how much of a guess was right.
    ///
    /// - Throws: `AuthErrorCode.unavailable` when the store can't be reached.
    public func authenticate(_ text: String, at now: Instant) async throws -> APIKey? {
        guard (1...Self.maximumLength).contains(text.utf8.count) else { return nil }
        return try await authenticate(hash: APIKeySecret.hash(text), at: now)
    }

    /// As ``authenticate(_:at:)``, for a caller that has hashed the text already.
    ///
    /// - Parameter hash: SHA-256, 32 bytes.
    public func authenticate(hash: [UInt8], at now: Instant) async throws -> APIKey? {
        let found = try await store.read { try $0.apiKey(hash: hash) }
        guard let key = found, constantTimeEqual(key.hash, hash), key.isUsable(at: now) else { return nil }
        if Self.isDue(key, at: now) {
            // Nobody is refused because a date could not be written.
            try? await store.write { tx in
                guard let current = try tx.apiKey(hash: hash), Self.isDue(current, at: now) else { return }
                try tx.touchAPIKey(current.id, in: current.directoryID, at: now)
            }
        }
        return key
    }

    /// As ``authenticate(_:at:)``, for one Directory and one scope.
    ///
    /// - Throws: `AuthErrorCode.apiKeyInvalid` for an unknown, revoked, expired or foreign key, `.forbidden` for one
    ///   that is not secret or lacks the scope.
    public func require(
        _ scope: String, by text: String, in directory: Directory, at now: Instant
    ) async throws -> APIKey {
        guard let key = try await authenticate(text, at: now), key.directoryID == directory.id else {
            throw AuthError(.apiKeyInvalid)
        }
        guard key.allows(scope) else { throw AuthError(.forbidden, reason: "the key lacks the scope \(scope)") }
        return key
    }

    private static func isDue(_ key: APIKey, at now: Instant) -> Bool {
        key.lastUsedAt.map { now.age(of: $0) >= touchInterval } ?? true
    }
}

extension APIKey {
    /// What a secret key with scopes needs to administer the users of its Directory.
    public static let userScope = "admin:users"
    /// What it needs to make, change and delete Directories, where its own may.
    public static let directoryScope = "admin:directories"
    /// What it needs to make and revoke the keys of service accounts; those have the scopes that it has.
    public static let keyScope = "admin:keys"
    /// What it needs to register, change and delete the apps that users sign in to.
    public static let clientScope = "admin:clients"
    /// What it needs to be shown the hashes of passwords by a dialect that lists them.
    public static let hashScope = "admin:hashes"

    /// All of these.
    public static let knownScopes = [userScope, directoryScope, keyScope, clientScope, hashScope]

    /// Whether a program with this key may use `scope`: a publishable key never, a secret key without scopes always.
    /// The one rule of every dialect.
    public func allows(_ scope: String) -> Bool {
        kind == .secret && (scopes.isEmpty || scopes.contains(scope))
    }

    /// What the audit log calls a program that has this key.
    public var actor: AuditEvent.Actor { .administrator(auditName) }
    public var auditName: String { "api-key:" + id.rawValue }
}
