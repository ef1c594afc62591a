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
    /// The user as this API shows them: `sub` is what their token calls them, `id` what they are called here. What the token
    /// was not given for is null (OpenID Connect Core, section 5.4, has the scopes).
    func answer(_ view: ProfileView) -> Response {
        let account = view.account
        return AppAPI.answer([
            "sub": .string(subject),
            "id": .string(account.id.rawValue),
            "email": text(account.email?.rawValue, of: "email"),
            "emailVerified": .bool(holds("email") && account.emailVerifiedAt != nil),
            "phone": text(account.phone?.e164, of: "phone"),
            "name": text(view.name, of: "profile"),
            "picture": text(view.picture, of: "profile"),
            "locale": text(view.locale, of: "profile"),
            "anonymous": .bool(account.isAnonymous),
            "createdAt": .string(account.createdAt.rfc3339),
        ])
    }

    /// Whether the token was given for a scope, or for everything.
    private func holds(_ scope: String) -> Bool { issuer.scopes?.contains(scope) ?? true }

    private func text(_ text: String?, of scope: String) -> JSONValue {
        guard holds(scope), let text else { return .null }
        return .string(text)
    }
}
