// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A signing key of a Directory as the store keeps it.
public struct SigningKeyRecord: Sendable {
    public enum State: String, Sendable, CaseIterable {
        /// Published, and not yet signing: verifiers learn it before the first token arrives.
        case standby
        /// Signing. One key of each purpose and algorithm at a time.
        case active
        /// No longer signing, still published until the last token it signed has expired.
        case retiring
    }

    public enum Purpose: String, Sendable, CaseIterable {
        /// Access and ID tokens. Asymmetric ones are published.
        case tokens
        /// Access and ID tokens for clients that take RS256 only. Published; made when first asked for.
        case compatibility
        /// Cookies that say for days what an ID token said for an hour. RS256, published in a set of their own; made
        /// when first asked for.
        case sessionCookies = "session_cookies"
        /// This server's word to other services on who an identity of a pool is. RS256, published in a set of their
        /// own, so that no such word passes for a token of a user's; made when first asked for.
        case poolIdentities = "pool_identities"
        /// The long-lived API keys that are themselves tokens. Never published.
        case apiKeys = "api_keys"
    }

    /// The `kid`.
    public var id: SigningKeyID
    public var directoryID: DirectoryID
    public var purpose: Purpose
    public var algorithm: String
    /// The private key, or the shared secret, as a JWK.
    public var privateJWK: Secret<String>
    public var state: State
    public var createdAt: Instant
    public var activatedAt: Instant?
    /// When a retiring key leaves the published set.
    public var retiresAt: Instant?

    public init(
        id: SigningKeyID, directoryID: DirectoryID, purpose: Purpose, algorithm: String, privateJWK: Secret<String>,
        state: State, createdAt: Instant, activatedAt: Instant? = nil, retiresAt: Instant? = nil
    ) {
        self.id = id
        self.directoryID = directoryID
        self.purpose = purpose
        self.algorithm = algorithm
        self.privateJWK = privateJWK
        self.state = state
        self.createdAt = createdAt
        self.activatedAt = activatedAt
        self.retiresAt = retiresAt
    }
}

/// A key that a program uses in place of a user's token. Only its hash is kept.
public struct APIKey: Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        /// Names the Directory; grants nothing by itself. May be shipped in an app.
        case publishable
        /// Grants administration of the Directory. Never leaves the operator's servers.
        case secret
    }

    public var id: APIKeyID
    public var directoryID: DirectoryID
    public var name: String
    public var kind: Kind
    /// The first characters, to recognise the key in a list.
    public var prefix: String
    /// SHA-256 of the whole key (at least 128 random bits).
    public var hash: [UInt8]
    public var scopes: [String]
    public var createdAt: Instant
    public var expiresAt: Instant?
    public var revokedAt: Instant?
    public var lastUsedAt: Instant?

    public init(
        id: APIKeyID, directoryID: DirectoryID, name: String, kind: Kind, prefix: String, hash: [UInt8],
        scopes: [String] = [], createdAt: Instant, expiresAt: Instant? = nil, revokedAt: Instant? = nil,
        lastUsedAt: Instant? = nil
    ) {
        self.id = id
        self.directoryID = directoryID
        self.name = name
        self.kind = kind
        self.prefix = prefix
        self.hash = hash
        self.scopes = scopes
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
        self.lastUsedAt = lastUsedAt
    }

    public func isUsable(at now: Instant) -> Bool {
        revokedAt == nil && (expiresAt.map { $0 > now } ?? true)
    }
}
