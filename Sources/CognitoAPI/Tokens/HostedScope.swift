// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The scopes of app clients: those of OpenID Connect, the service's own, and those of resource servers.
enum HostedScope {
    static let openID = "openid"
    static let email = "email"
    static let phone = "phone"
    static let profile = "profile"
    /// What an access token must be good for to be one for the user pool's own operations.
    static let account = "aws.cognito.signin.user.admin"

    /// Those that mean nothing without `openid`.
    private static let details: Set<String> = [email, phone, profile]

    /// Of what is asked for, what can be had together.
    static func consistent(_ scopes: [String]) -> [String] {
        scopes.contains(openID) ? scopes : scopes.filter { !details.contains($0) }
    }

    /// Whether it is a resource server's, which alone a client may ask for that acts for itself.
    static func isCustom(_ scope: String) -> Bool { scope.contains("/") }

    /// Whether UserInfo says an attribute to whom these scopes were granted: with none of the three all of them.
    static func covers(_ attribute: String, _ scopes: [String]) -> Bool {
        guard scopes.contains(where: details.contains) else { return true }
        return switch attribute {
        case "email", "email_verified": scopes.contains(email)
        case "phone_number", "phone_number_verified": scopes.contains(phone)
        case "address": false
        default: scopes.contains(profile)
        }
    }
}
