// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What the scopes of a client let it know of a user.
struct OAuthUserClaims {
    let user: User
    let scopes: [String]

    func has(_ scope: String) -> Bool { scopes.contains(scope) }

    /// What `profile` stands for. Users write all of it themselves.
    func addProfile(to json: inout JSONObject) {
        guard has(OAuthScope.profile) else { return }
        // The platform calls a user without a name by the address, whether or not the client may know that.
        let address = has(OAuthScope.email) ? user.email?.rawValue : nil
        json["name"] = (text("name") ?? address).map { .string($0) }
        json["picture"] = (text("picture") ?? text("avatar_url")).map { .string($0) }
        json["preferred_username"] = (text("preferred_username") ?? text("username")).map { .string($0) }
        json["updated_at"] = .integer(user.updatedAt.seconds)
    }

    private func text(_ name: String) -> String? {
        user.userMetadata[name]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }
}
