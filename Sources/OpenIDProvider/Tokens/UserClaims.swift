// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// What the provider says of a user (OpenID Connect Core, section 5.1): by scope at UserInfo, and by name wherever the
/// client's request asked for it (section 5.5).
struct UserClaims: Sendable {
    let user: User
    let profile: ProfileView

    /// The claims that a scope stands for (section 5.4). `address` is nobody's here.
    static func names(of scope: String) -> [String] {
        switch scope {
        case Scope.profile: ["name", "preferred_username", "picture", "locale", "updated_at"]
        case Scope.email: ["email", "email_verified"]
        case Scope.phone: ["phone_number", "phone_number_verified"]
        default: []
        }
    }

    /// Every claim there is, for the metadata.
    static let all = scopes.flatMap(names)
    private static let scopes = [Scope.profile, Scope.email, Scope.phone]

    /// Which of the claims that a client asked for by name it may have: those of the scopes that it was granted, and of
    /// an operator's own app, about which nobody is asked, all that it is registered for.
    static func allowed(_ names: [String], of granted: [String], to client: Client) -> [String] {
        let own = client.settings.authorization
        let scopes = Self.scopes.filter {
            granted.contains($0) || own.consent == .notAsked && own.scopes.contains($0)
        }
        let open = Set(scopes.flatMap(Self.names))
        return names.filter(open.contains)
    }

    /// What the scopes stand for, and what was asked for by name.
    ///
    /// - Parameter requested: the names asked for by the `claims` parameter that the client may have.
    func claims(of scopes: [String], and requested: [String] = []) -> JSONObject {
        let names = scopes.flatMap(Self.names) + requested
        var claims = JSONObject()
        for name in names where claims[name] == nil { claims[name] = value(name) }
        return claims
    }

    /// `nil` for what is not known of the user, which is then left out (section 5.3.2).
    private func value(_ name: String) -> JSONValue? {
        switch name {
        case "name": profile.name.map { .string($0) }
        case "preferred_username": user.username.map { .string($0.rawValue) }
        case "picture": profile.picture.map { .string($0) }
        case "locale": profile.locale.map { .string($0) }
        case "updated_at": .integer(max(user.updatedAt, profile.updatedAt ?? user.updatedAt).seconds)
        case "email": user.email.map { .string($0.rawValue) }
        case "email_verified": user.email.map { _ in .bool(user.emailVerifiedAt != nil) }
        case "phone_number": user.phone.map { .string($0.e164) }
        case "phone_number_verified": user.phone.map { _ in .bool(user.phoneVerifiedAt != nil) }
        default: nil
        }
    }
}
