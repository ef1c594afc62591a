// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// The pages of a user pool, and what the app client has registered for them.
public struct HostedUIConfiguration: Sendable {
    /// The pool whose pages they are.
    public var pool: CognitoConfiguration
    /// `https://example.auth.eu-west-1.amazoncognito.com` or a domain of one's own, without a path.
    public var domain: String
    /// Where the app is come back to: one of `CallbackURLs`, to the letter.
    public var redirectURI: String
    /// Where a browser goes after ``CognitoHostedUIBackend/logoutAddress()``: one of `LogoutURLs`.
    public var logoutURI: String?
    /// With `aws.cognito.signin.user.admin` the pool's API takes the tokens, for signing out everywhere.
    public var scopes: [String]

    /// The pages of a pool, as the app client has them registered.
    public init(
        pool: CognitoConfiguration, domain: String, redirectURI: String, logoutURI: String? = nil,
        scopes: [String] = ["openid", "email", "profile"]
    ) {
        self.pool = pool
        self.domain = domain
        self.redirectURI = redirectURI
        self.logoutURI = logoutURI
        self.scopes = scopes
    }

    /// `domain` with a scheme, and without a slash at the end.
    var base: String {
        let address = domain.contains("://") ? domain : "https://\(domain)"
        return address.hasSuffix("/") ? String(address.dropLast()) : address
    }

    var client: OAuthClient {
        OAuthClient(
            clientID: pool.clientID, clientSecret: pool.clientSecret, authorizationEndpoint: base + "/oauth2/authorize",
            tokenEndpoint: base + "/oauth2/token", issuer: pool.expectedIssuer, scopes: scopes)
    }

    /// What the pages call a provider. Names of one's own are said as they are.
    static func pagesName(of provider: String) -> String {
        switch provider {
        case "google": "Google"
        case "facebook": "Facebook"
        case "apple": "SignInWithApple"
        case "amazon": "LoginWithAmazon"
        case "cognito": "COGNITO"
        default: provider
        }
    }
}
