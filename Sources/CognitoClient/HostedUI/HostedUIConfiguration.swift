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
    /// What is asked for each time: scopes that the app client has (`AllowedOAuthScopes`), or the pages refuse it.
    public var scopes: [String]

    /// The pages of a pool, as the app client has them registered.
    ///
    /// - Parameter scopes: `aws.cognito.signin.user.admin` is what a token needs to stand for its user in all that they
    ///   may do: for the pool's own operations (``CognitoHostedUIBackend/deleteAccount(_:)``, a new password, signing
    ///   out everywhere) and, at a Latchkey server, for the app's API beyond the profile.
    public init(
        pool: CognitoConfiguration, domain: String, redirectURI: String, logoutURI: String? = nil,
        scopes: [String] = ["openid", "email", "profile", "aws.cognito.signin.user.admin"]
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
