// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What GitHub says of a user (`GET /user`, `GET /user/emails`), as the claims of OpenID Connect.
enum GitHubProfile {
    /// - Parameters:
    ///   - user: the answer of `/user`.
    ///   - addresses: that of `/user/emails`; `nil` where the token may not read them.
    /// - Returns: `nil` without a number. The login is no identity: who gives one up leaves it to somebody else.
    static func claims(_ user: JSONObject, addresses: [JSONValue]?) -> (subject: String, claims: JSONObject)? {
        guard let number = user["id"]?.integerValue, number > 0 else { return nil }
        var claims: JSONObject = ["sub": .string(String(number))]
        for (name, member) in [
            ("name", "name"), ("preferred_username", "login"), ("picture", "avatar_url"), ("profile", "html_url"),
        ] {
            if let text = user[member]?.stringValue, !text.isEmpty { claims[name] = .string(text) }
        }
        let primary = (addresses ?? []).compactMap(\.objectValue).first { $0["primary"] == .bool(true) }
        if let primary, let address = primary["email"]?.stringValue {
            claims["email"] = .string(address)
            claims["email_verified"] = .bool(primary["verified"] == .bool(true))
        }
        return (String(number), claims)
    }
}
