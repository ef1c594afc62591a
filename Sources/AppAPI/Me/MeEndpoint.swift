// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `GET /v1/me`: who the token's user is (Y-US3, Y-FR7).
enum MeEndpoint {
    static func get(_ call: AppCall) async throws -> Response { AppAPI.answer(encode(call.user.view)) }

    static func encode(_ view: ProfileView) -> JSONObject {
        let user = view.account
        return [
            "id": .string(user.id.rawValue),
            "email": user.email.map { .string($0.rawValue) } ?? .null,
            "emailVerified": .bool(user.emailVerifiedAt != nil),
            "phone": user.phone.map { .string($0.e164) } ?? .null,
            "name": view.name.map { .string($0) } ?? .null,
            "picture": view.picture.map { .string($0) } ?? .null,
            "locale": view.locale.map { .string($0) } ?? .null,
            "anonymous": .bool(user.isAnonymous),
            "createdAt": .string(user.createdAt.rfc3339),
        ]
    }
}
