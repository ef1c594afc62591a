// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a vendor tells of somebody beside ID tokens.
struct Profile: Sendable {
    private let person: Person

    init(_ person: Person) {
        self.person = person
    }

    /// OpenID Connect Core 1.0, section 5.4.
    func standard(_ scopes: [String]) -> JSONObject {
        var claims = JSONObject()
        if scopes.contains("email"), let email = person.email {
            claims["email"] = .string(email)
            claims["email_verified"] = .bool(person.isEmailVerified)
        }
        if scopes.contains("profile") {
            claims["name"] = person.name.map { .string($0) }
            claims["given_name"] = person.givenName.map { .string($0) }
            claims["family_name"] = person.familyName.map { .string($0) }
        }
        return claims
    }

    /// UserInfo (section 5.3.2).
    func userInfo(of vendor: Vendor, _ scopes: [String]) -> JSONObject {
        var claims: JSONObject = ["sub": .string(person.subject)]
        claims = claims.merging(standard(scopes))
        switch vendor {
        case .google: claims["hd"] = person.hostedDomain.map { .string($0) }
        // Microsoft's says nothing of whether an address is verified.
        case .microsoft: claims["email_verified"] = nil
        default: break
        }
        // What the person was given in place of something else holds here too, but for what belongs to a token.
        var own = person.claims
        for name in ["iss", "aud", "exp", "iat", "nbf", "nonce", "azp", "at_hash"] { own[name] = nil }
        return claims.merging(own)
    }

    /// Facebook's Limited Login.
    var facebookToken: JSONObject {
        var claims = standard(["profile", "email"])
        // It says nothing of whether the address is verified.
        claims["email_verified"] = nil
        return claims
    }

    /// GitHub's `GET /user`: the address is in it only where it is public, which it is not.
    var gitHubUser: JSONObject {
        [
            "login": .string(person.login), "id": Int64(person.subject).map { .integer($0) } ?? .string(person.subject),
            "name": person.name.map { .string($0) } ?? .null, "email": .null, "type": "User",
        ]
    }

    /// GitHub's `GET /user/emails`.
    var gitHubEmails: [JSONValue] {
        var emails: [JSONValue] = [
            [
                "email": .string("\(person.login)@users.noreply.github.com"), "primary": .bool(person.email == nil),
                "verified": true, "visibility": .null,
            ]
        ]
        if let email = person.email {
            emails.insert(
                [
                    "email": .string(email), "primary": true, "verified": .bool(person.isEmailVerified),
                    "visibility": "private",
                ], at: 0)
        }
        return emails
    }

    /// Facebook's `GET /me`: what was asked for, as far as there is any.
    func facebookUser(fields: [String]) -> JSONObject {
        var user: JSONObject = ["id": .string(person.subject)]
        let known: [(String, String?)] = [
            ("name", person.name), ("first_name", person.givenName), ("last_name", person.familyName),
            ("email", person.email),
        ]
        for (name, value) in known where fields.contains(name) { user[name] = value.map { .string($0) } }
        return user
    }
}
