// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `POST /v1/users/register`: creates or changes the caller's profile (F-7). A member that is left out stays; a null
/// empties it. `avatar` is another name of `picture`. An `email` that is not the caller's asks for a change of address,
/// which counts once it is confirmed by the message that is sent.
enum RegisterEndpoint {
    static func post(_ call: AppCall) async throws -> Response {
        let user = try call.user
        let body = try await RequestReading.object(of: call.request)
        let (profile, email) = (try changes(from: body), try email(from: body))
        // First, because it may be refused: then nothing of the call is done.
        if let email, email != user.view.account.email { try await change(to: email, call) }
        let view = try await call.accounts.profileFlow.register(
            profile, of: user.view.account.id, call: call.flow)
        return user.answer(view)
    }

    /// Unknown members are refused: a caller that sends `role` must not believe that it was taken (ASVS 15.3.3).
    static func changes(from object: JSONObject) throws(AuthError) -> ProfileChanges {
        for name in object.names where !["name", "picture", "avatar", "locale", "email"].contains(name) {
            throw AuthError(.invalidRequest, reason: "unknown member", field: name)
        }
        let (picture, avatar) = (try change(object, "picture"), try change(object, "avatar"))
        guard picture == .keep || avatar == .keep || picture == avatar else {
            throw AuthError(.invalidRequest, reason: "another one than picture", field: "avatar")
        }
        return try ProfileChanges(
            name: try change(object, "name"), picture: picture == .keep ? avatar : picture,
            locale: try change(object, "locale"))
    }

    /// An address can't be taken away here: a null is refused.
    static func email(from object: JSONObject) throws(AuthError) -> EmailAddress? {
        guard case .set(let text) = try change(object, "email") else {
            guard object["email"] == nil else { throw AuthError(.invalidRequest, field: "email") }
            return nil
        }
        return try EmailAddress(text)
    }

    private static func change(to email: EmailAddress, _ call: AppCall) async throws {
        var changes = UserChanges()
        changes.email = email
        _ = try await call.accounts.updateUser(changes, of: try await call.authenticated, call: call.flow)
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
