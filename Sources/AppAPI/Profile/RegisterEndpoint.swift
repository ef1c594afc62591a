// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes

/// `POST /v1/users/register`: creates or replaces the caller's profile, and nothing else of the account (F-7).
enum RegisterEndpoint {
    /// Unknown members are refused: a caller that sends `role` must not believe that it was taken (ASVS 15.3.3).
    static func registration(from object: JSONObject) throws(AuthError) -> ProfileRegistration {
        for name in object.names where !["name", "picture", "locale"].contains(name) {
            throw AuthError(.invalidRequest, reason: "unknown member", field: name)
        }
        return ProfileRegistration(
            name: try text(object, "name"), picture: try text(object, "picture"), locale: try text(object, "locale"))
    }

    private static func text(_ object: JSONObject, _ name: String) throws(AuthError) -> String? {
        switch object[name] {
        case nil, .null: return nil
        case .string(let value): return value
        default: throw AuthError(.invalidRequest, field: name)
        }
    }
}
