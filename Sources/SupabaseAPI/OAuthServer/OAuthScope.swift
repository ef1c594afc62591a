// SPDX-License-Identifier: Apache-2.0

/// The scopes of the platform's OAuth server: all there are, for every client.
enum OAuthScope {
    static let openID = "openid"
    static let profile = "profile"
    static let email = "email"
    static let phone = "phone"
    static let offlineAccess = "offline_access"

    static let all = [openID, profile, email, phone, offlineAccess]

    /// RFC 6749, section 3.3.
    static func list(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}
