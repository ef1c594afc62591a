// SPDX-License-Identifier: Apache-2.0

/// Which OpenID provider an app signs in to, and as which client.
public struct OpenIDClientConfiguration: Sendable {
    /// OpenID Connect Discovery 1.0, section 3: the address below which `.well-known/openid-configuration` is.
    public var issuer: String
    public var clientID: String
    public var redirectURI: String
    public var scopes: [String]

    public init(
        issuer: String, clientID: String, redirectURI: String,
        scopes: [String] = ["openid", "email", "profile", "offline_access"]
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scopes = scopes
    }
}
