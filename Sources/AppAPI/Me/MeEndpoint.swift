// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes

/// `GET /v1/me`: who the token's user is (Y-US3, Y-FR7).
enum MeEndpoint {
    static func encode(_ signedIn: SignedInUser, profile: Profile?) -> JSONObject {
        let user = signedIn.user
        return [
            "id": .string(user.id.rawValue),
            "email": user.email.map { .string($0.rawValue) } ?? .null,
            "emailVerified": .bool(user.emailVerifiedAt != nil),
            "phone": user.phone.map { .string($0.e164) } ?? .null,
            "name": text(profile?.name, user.userMetadata, ["name", "full_name"]),
            "picture": text(profile?.picture, user.userMetadata, ["picture", "avatar_url"]),
            "locale": profile?.locale.map { .string($0) } ?? .null,
            "anonymous": .bool(user.isAnonymous),
            "createdAt": .string(user.createdAt.rfc3339),
        ]
    }

    /// The profile's own value; before there is one, what sign-up was told.
    private static func text(_ value: String?, _ metadata: JSONObject, _ names: [String]) -> JSONValue {
        if let value { return .string(value) }
        for name in names {
            if let text = metadata[name]?.stringValue, !text.isEmpty { return .string(text) }
        }
        return .null
    }
}
