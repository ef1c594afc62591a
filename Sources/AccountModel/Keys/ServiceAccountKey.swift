// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The public half of a key by which a program of the operator's speaks for itself: it signs assertions (RFC 7523) with
/// the private half, which was given out once and is not kept.
///
/// A service account is what its keys say it is: one may have several, so that a new one is in use before the old one
/// is revoked.
public struct ServiceAccountKey: Sendable {
    /// The `kid`.
    public var id: ServiceAccountKeyID
    public var directoryID: DirectoryID
    /// The account's name within its Directory.
    public var account: String
    /// The public key as a JWK (RFC 7517), as JSON text.
    public var publicJWK: String
    /// What the account may do by this key; empty for all that an operator's programs may.
    public var scopes: [String]
    public var createdAt: Instant
    public var revokedAt: Instant?

    public init(
        id: ServiceAccountKeyID, directoryID: DirectoryID, account: String, publicJWK: String, scopes: [String] = [],
        createdAt: Instant, revokedAt: Instant? = nil
    ) {
        self.id = id
        self.directoryID = directoryID
        self.account = account
        self.publicJWK = publicJWK
        self.scopes = scopes
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }

    /// Whether the key may be used for `scope`.
    public func allows(_ scope: String) -> Bool { scopes.isEmpty || scopes.contains(scope) }
}
