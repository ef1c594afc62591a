// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension SessionUser {
    /// The user as the service shows them.
    ///
    /// `attributes` has `user_metadata`, `app_metadata`, `identities` (the names of providers), `factors`, and
    /// `new_email` and `new_phone` where a change waits to be confirmed.
    init(supabase user: JSONObject) throws(AuthError) {
        guard let id = user["id"]?.stringValue, (1...255).contains(id.utf8.count) else {
            throw AuthError(.unavailable, reason: "the answer is no user")
        }
        let own = user["user_metadata"]?.objectValue ?? [:]
        let app = user["app_metadata"]?.objectValue ?? [:]
        let identities = (user["identities"]?.arrayValue ?? []).compactMap(\.objectValue)
        var attributes: JSONObject = ["user_metadata": .object(own), "app_metadata": .object(app)]
        for name in ["new_email", "new_phone"] {
            if let value = Self.text(user[name]) { attributes[name] = .string(value) }
        }
        if let factors = user["factors"] { attributes["factors"] = factors }
        if !identities.isEmpty {
            attributes["identities"] = .array(identities.compactMap { $0["provider"] })
        }
        let email = Self.text(user["email"])
        self.init(
            subject: id, email: email,
            emailVerified: email == nil ? nil : Self.text(user["email_confirmed_at"]) != nil,
            phoneNumber: Self.text(user["phone"]),
            name: Self.text(own["full_name"]) ?? Self.text(own["name"]),
            picture: Self.text(own["avatar_url"]) ?? Self.text(own["picture"]),
            isAnonymous: user["is_anonymous"]?.boolValue ?? false,
            provider: Self.latest(identities) ?? Self.text(app["provider"]), attributes: attributes)
    }

    /// The provider of the latest sign-in: `app_metadata.provider` is that of the oldest identity.
    private static func latest(_ identities: [JSONObject]) -> String? {
        let times = identities.compactMap { identity -> (Instant, String)? in
            guard let text = identity["last_sign_in_at"]?.stringValue, let time = Instant(rfc3339: text),
                let provider = identity["provider"]?.stringValue
            else { return nil }
            return (time, provider)
        }
        return times.max { $0.0 < $1.0 }?.1
    }

    /// The service says nothing by an empty text.
    private static func text(_ value: JSONValue?) -> String? {
        value?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
    }
}
