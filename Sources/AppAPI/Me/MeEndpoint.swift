// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `GET /v1/me`: who the token's user is (Y-US3, Y-FR7, Y-K1).
enum MeEndpoint {
    static func get(_ call: AppCall) async throws -> Response {
        let user = try call.user
        return user.answer(user.view)
    }
}

extension SignedInUser {
    /// The user as this API shows them: `sub` is what their token calls them, `id` what they are called here.
    func answer(_ view: ProfileView) -> Response {
        let account = view.account
        return AppAPI.answer([
            "sub": .string(subject),
            "id": .string(account.id.rawValue),
            "email": account.email.map { .string($0.rawValue) } ?? .null,
            "emailVerified": .bool(account.emailVerifiedAt != nil),
            "phone": account.phone.map { .string($0.e164) } ?? .null,
            "name": view.name.map { .string($0) } ?? .null,
            "picture": view.picture.map { .string($0) } ?? .null,
            "locale": view.locale.map { .string($0) } ?? .null,
            "anonymous": .bool(account.isAnonymous),
            "createdAt": .string(account.createdAt.rfc3339),
        ])
    }
}
