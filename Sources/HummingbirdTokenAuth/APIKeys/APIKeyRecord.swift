// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// What is kept of an API key: never the key itself.
public struct APIKeyRecord: Sendable, Hashable {
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
