// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// What is kept of an API key: never the key itself.
public struct APIKeyRecord: Sendable {
    /// A name for logs and lists; not secret.
    public var id: String
    /// SHA-256 of the key's UTF-8. Right only for keys of 128 random bits or more, which nobody can guess.
    public var digest: [UInt8]
    /// What the key may do; ``AccessPolicy/requireScopes(_:_:)`` asks for these.
    public var scopes: Set<String>
    /// The groups that the key counts as a member of.
    public var groups: Set<String>
    /// From then on the key is refused; `nil` for never.
    public var expiresAt: Instant?
    /// What a lookup found with the key and the application needs again behind the middleware, say which tenant the key
    /// is of. Nothing here reads it, and it is no part of what makes two records equal.
    public var attachment: (any Sendable)?

    /// - Parameters:
    ///   - id: a name for logs and lists; not secret.
    ///   - digest: as ``digest(of:)`` makes it.
    ///   - scopes: what the key may do.
    ///   - groups: what the key counts as a member of.
    ///   - expiresAt: from then on the key is refused; `nil` for never.
    public init(
        id: String, digest: [UInt8], scopes: Set<String>, groups: Set<String> = [], expiresAt: Instant?
    ) {
        self.id = id
        self.digest = digest
        self.scopes = scopes
        self.groups = groups
        self.expiresAt = expiresAt
    }

    /// What to keep of a key: its SHA-256, 32 bytes.
    public static func digest(of key: String) -> [UInt8] { Array(SHA256.hash(data: Array(key.utf8))) }
}

extension APIKeyRecord: Hashable {
    public static func == (one: Self, other: Self) -> Bool {
        one.id == other.id && one.digest == other.digest && one.scopes == other.scopes && one.groups == other.groups
            && one.expiresAt == other.expiresAt
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
