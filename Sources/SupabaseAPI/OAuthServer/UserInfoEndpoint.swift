// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `GET /oauth/userinfo` (OpenID Connect Core, section 5.3), by the names that the platform has for the claims.
enum UserInfoEndpoint {
    static func get(_ call: DialectCall) async throws -> Response {
        let holder = try call.user()
        let user = holder.user
        // A token that no client was given has no scopes: its holder is told who they are.
        let claims = OAuthUserClaims(user: user, scopes: holder.session?.grant?.scopes ?? [])
        var json: JSONObject = ["sub": .string(user.identifier(in: SupabaseDialect.name))]
        if claims.has(OAuthScope.email) {
            json["email"] = user.email.map { .string($0.rawValue) }
            if user.emailVerifiedAt != nil { json["email_verified"] = true }
        }
        claims.addProfile(to: &json)
        if claims.has(OAuthScope.profile) {
            json["user_metadata"] = .object(UserResponse.metadata(of: user, holder.identities))
        }
        if claims.has(OAuthScope.phone) {
            json["phone"] = user.phone.map { .string($0.digits) }
            if user.phoneVerifiedAt != nil { json["phone_verified"] = true }
        }
        return Answer.object(json)
    }
}
