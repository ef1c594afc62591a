// SPDX-License-Identifier: Apache-2.0

/// The scopes that mean something to the provider itself (OpenID Connect Core, sections 5.4 and 11). All others are an
/// operator's own, and are passed on to whoever takes the access token.
enum Scope {
    static let openID = "openid"
    static let profile = "profile"
    static let email = "email"
    static let phone = "phone"
    static let offlineAccess = "offline_access"

    static let all = [openID, profile, email, phone, offlineAccess]

    /// Whether it is about a user, so that a client which acts for itself has no use for it.
    static func isOfUsers(_ scope: String) -> Bool { all.contains(scope) }
}
