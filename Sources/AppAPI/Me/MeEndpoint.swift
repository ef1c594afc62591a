// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `GET /v1/me`: who the token's user is (Y-US3, Y-FR7, Y-K1).
enum MeEndpoint {
    static func get(_ call: AppCall) async throws -> Response {
        let user = try call.user
        return user.answer(user.view)
    }
}

extension SignedInUser {
    /// The user as this API shows them: `sub` is what their token calls them, `id` what they are called here. What the
    /// token was not given for is null (OpenID Connect Core, section 5.4, has the scopes).
    func answer(_ view: ProfileView) -> Response {
        let account = view.account
        var json = JSONMemberWriter()
        json.add("sub", subject)
        json.add("id", account.id.rawValue)
        json.add("email", shown(account.email?.rawValue, by: "email"))
        json.add("emailVerified", holds("email") && account.emailVerifiedAt != nil)
        json.add("phone", shown(account.phone?.e164, by: "phone"))
        json.add("name", shown(view.name, by: "profile"))
        json.add("picture", shown(view.picture, by: "profile"))
        json.add("locale", shown(view.locale, by: "profile"))
        json.add("anonymous", account.isAnonymous)
        json.add("createdAt", account.createdAt.rfc3339)
        return AppAPI.answer(json.finish())
    }

    /// Whether the token was given for a scope, or for everything.
    private func holds(_ scope: String) -> Bool { issuer.scopes?.contains(scope) ?? true }

    private func shown(_ text: String?, by scope: String) -> String? { holds(scope) ? text : nil }
}
