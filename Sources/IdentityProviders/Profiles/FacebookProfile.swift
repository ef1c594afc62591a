// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// What Facebook says of a user (Graph API, `/me`) and of a token (`/debug_token`).
enum FacebookProfile {
    static let fields = "id,name,first_name,last_name,email,picture"

    /// Proves to the Graph API that whoever shows an access token is the app that it was given to.
    static func proof(of token: Secret<String>, secret: Secret<String>) -> String {
        let key = SymmetricKey(data: Array(secret.reveal().utf8))
        return Hex.encode(HMAC<SHA256>.authenticationCode(for: Array(token.reveal().utf8), using: key))
    }

    /// The user that a token is of; `nil` unless it is good and was given to this app. One that another app was given
    /// is as good at `/me`.
    static func subject(ofInspected answer: JSONObject, app: String) -> String? {
        guard let data = answer["data"]?.objectValue, data["is_valid"] == .bool(true), text(data["app_id"]) == app
        else { return nil }
        return text(data["user_id"])
    }

    /// As the claims of OpenID Connect; `nil` without an identifier. Nothing says that an address was verified.
    static func claims(_ user: JSONObject) -> (subject: String, claims: JSONObject)? {
        guard let subject = text(user["id"]) else { return nil }
        var claims: JSONObject = ["sub": .string(subject)]
        for (name, member) in [
            ("name", "name"), ("given_name", "first_name"), ("family_name", "last_name"), ("email", "email"),
        ] {
            if let text = user[member]?.stringValue, !text.isEmpty { claims[name] = .string(text) }
        }
        claims["picture"] = user["picture"]?.objectValue?["data"]?.objectValue?["url"]
        return (subject, claims)
    }

    /// Identifiers are words in some answers and numbers in others.
    private static func text(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text): text.isEmpty || text.utf8.count > 255 ? nil : text
        case .integer(let number): number > 0 ? String(number) : nil
        default: nil
        }
    }
}
