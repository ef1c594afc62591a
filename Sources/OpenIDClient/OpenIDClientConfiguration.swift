// SPDX-License-Identifier: Apache-2.0

/// Which OpenID provider an app signs in to, and as which client.
public struct OpenIDClientConfiguration: Sendable {
    /// OpenID Connect Discovery 1.0, section 3: the address below which `.well-known/openid-configuration` is.
    public var issuer: String
    /// The app's `client_id`, of a client without a secret.
    public var clientID: String
    /// Where the browser comes back to, as registered.
    public var redirectURI: String
    /// What is asked for each time; `offline_access` for a refresh token.
    public var scopes: [String]

    /// Where the server's own API for apps is, to which `/v1/…` is added: what OpenID has no words for is asked there.
    /// `nil` of a provider that is no Latchkey server.
    public var appAPI: String?

    /// A client of that provider.
    public init(
        issuer: String, clientID: String, redirectURI: String,
        scopes: [String] = ["openid", "email", "profile", "offline_access"], appAPI: String? = nil
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.appAPI = appAPI
    }
}
