// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What a provider's kit gave, in the form that `accounts:signInWithIdp` takes.
struct FirebaseCredential: Sendable {
    let postBody: String

    init(_ identity: ProviderIdentity) {
        var fields = [("providerId", Self.name(of: identity.provider)), ("id_token", identity.idToken.reveal())]
        if let token = identity.accessToken { fields.append(("access_token", token.reveal())) }
        if let nonce = identity.nonce { fields.append(("nonce", nonce.reveal())) }
        if let name = identity.name, !name.isEmpty { fields.append(("user", Self.user(name))) }
        postBody = FormFields.encode(fields)
    }

    init(postBody: String) {
        self.postBody = postBody
    }

    /// - Parameters:
    ///   - token: of the user whom the provider is linked to.
    ///   - createsUser: whether somebody who has no account gets one.
    func body(linking token: Secret<String>? = nil, createsUser: Bool = true) -> JSONObject {
        var body: JSONObject = [
            "postBody": .string(postBody), "requestUri": "http://localhost", "returnSecureToken": true,
            "autoCreate": .bool(createsUser),
        ]
        if let token { body["idToken"] = .string(token.reveal()) }
        return body
    }

    /// The service calls providers by their domains.
    static func name(of provider: String) -> String {
        ["google", "apple", "facebook", "github", "microsoft", "twitter", "yahoo"].contains(provider)
            ? provider + ".com" : provider
    }

    /// As Apple's own pages tell a name, which they do once (F-2).
    private static func user(_ name: String) -> String {
        let words = name.split(separator: " ")
        var parts: JSONObject = ["firstName": .string(words.dropLast().joined(separator: " "))]
        parts["lastName"] = .string(words.last.map(String.init) ?? "")
        if words.count < 2 { parts = ["firstName": .string(name)] }
        return JSONObject(dictionaryLiteral: ("name", .object(parts))).text
    }
}
