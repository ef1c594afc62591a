// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `POST /v1/users/register`: creates or changes the caller's profile, and nothing else of the account (F-7). A member
/// that is left out stays; a null empties it.
enum RegisterEndpoint {
    static func post(_ call: AppCall) async throws -> Response {
        let changes = try changes(from: try await RequestReading.object(of: call.request))
        let view = try await call.accounts.profileFlow.register(
            changes, of: call.user.view.account.id, call: call.flow)
        return AppAPI.answer(MeEndpoint.encode(view))
    }

    /// Unknown members are refused: a caller that sends `role` must not believe that it was taken (ASVS 15.3.3).
    static func changes(from object: JSONObject) throws(AuthError) -> ProfileChanges {
        for name in object.names where !["name", "picture", "locale"].contains(name) {
            throw AuthError(.invalidRequest, reason: "unknown member", field: name)
        }
        return try ProfileChanges(
            name: try change(object, "name"), picture: try change(object, "picture"),
            locale: try change(object, "locale"))
    }

    private static func change(_ object: JSONObject, _ name: String) throws(AuthError) -> FieldChange<String> {
        switch object[name] {
        case nil: return .keep
        case .null: return .clear
        case .string(let value): return .set(value)
        default: throw AuthError(.invalidRequest, field: name)
        }
    }
}
