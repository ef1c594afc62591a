// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// An app as an authorization server knows it (RFC 6749, section 2), and where that server is asked.
public struct OAuthClient: Sendable {
    /// Its `client_id`.
    public var clientID: String
    /// Only where the client was made with one; an app can keep no secret (RFC 8252, section 8.5).
    public var clientSecret: Secret<String>?
    /// RFC 6749, section 3.1.
    public var authorizationEndpoint: String
    /// RFC 6749, section 3.2.
    public var tokenEndpoint: String
    /// What ID tokens and redirects say who sent them. `nil` where it is not known.
    public var issuer: String?
    /// Whether the server says `iss` in every redirect: then one without it is not its own (RFC 9207, section 2.4).
    public var sendsIssuer: Bool
    /// What is asked for each time (RFC 6749, section 3.3).
    public var scopes: [String]

    /// An app that has no secret, unless one is given.
    public init(
        clientID: String, clientSecret: Secret<String>? = nil, authorizationEndpoint: String, tokenEndpoint: String,
        issuer: String? = nil, sendsIssuer: Bool = false, scopes: [String] = ["openid", "email", "profile"]
    ) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
        self.issuer = issuer
        self.sendsIssuer = sendsIssuer
        self.scopes = scopes
    }
}
