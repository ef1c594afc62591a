// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What signs requests to the services that a role opens, for a while.
public struct TemporaryCredentials: Sendable {
    /// Says whose signature it is. No secret.
    public var accessKeyID: String
    /// What signs.
    public var secretKey: Secret<String>
    /// Goes with each request.
    public var sessionToken: Secret<String>
    /// By the service's clock.
    public var expiresAt: Instant
    /// Whose they are: the pool's identity.
    public var identityID: String

    /// What a pool gave.
    public init(
        accessKeyID: String, secretKey: Secret<String>, sessionToken: Secret<String>, expiresAt: Instant,
        identityID: String
    ) {
        self.accessKeyID = accessKeyID
        self.secretKey = secretKey
        self.sessionToken = sessionToken
        self.expiresAt = expiresAt
        self.identityID = identityID
    }
}
