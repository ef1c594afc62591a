// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What another service lets its holder in by, for a while.
public struct TemporaryCredentials: Sendable {
    public var keyID: String
    public var secret: Secret<String>
    public var sessionToken: Secret<String>
    public var expiresAt: Instant

    public init(keyID: String, secret: Secret<String>, sessionToken: Secret<String>, expiresAt: Instant) {
        self.keyID = keyID
        self.secret = secret
        self.sessionToken = sessionToken
        self.expiresAt = expiresAt
    }
}

/// For whom, and for which role, credentials are asked.
public struct TemporaryCredentialRequest: Sendable {
    public var role: String
    /// What the other service's log calls the holder: 2 to 64 of letters, digits and `_=,.@-`.
    public var sessionName: String
    /// A token of this server's own that says who the identity is.
    public var token: Secret<String>
    public var lifetime: TimeSpan

    public init(role: String, sessionName: String, token: Secret<String>, lifetime: TimeSpan) {
        self.role = role
        self.sessionName = sessionName
        self.token = token
        self.lifetime = lifetime
    }
}

public enum TemporaryCredentialFailure: Error, Sendable, Hashable {
    /// There is nobody who gives them.
    case notConfigured
    /// Whoever gives them does not give them for this role, or does not trust this server.
    case refused
    /// Down, slow, busy, or an answer that is none.
    case unavailable
}

/// Whoever gives credentials for other services, on this server's word on who an identity is.
public protocol TemporaryCredentialIssuing: Sendable {
    func credentials(
        for request: TemporaryCredentialRequest, now: Instant
    ) async throws(TemporaryCredentialFailure) -> TemporaryCredentials
}
