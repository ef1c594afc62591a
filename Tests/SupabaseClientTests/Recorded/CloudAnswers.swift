// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import SupabaseClient

/// A project of the cloud, as its answers are recorded.
enum Cloud {
    static let configuration = SupabaseConfiguration(
        address: "https://xyz.supabase.co/auth/v1/", publishableKey: "sb_publishable_key",
        redirectURI: "myapp://auth")

    static func answer(_ status: Int, _ body: JSONObject) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [
                HTTPHeader("Content-Type", "application/json"), HTTPHeader("Date", "Sun, 22 Nov 2026 19:07:23 GMT"),
            ], body: body.serialized())
    }

    /// Both forms of an error: with the version's header and before it.
    static func errors(_ status: Int, _ code: String) -> [HTTPResponse] {
        [
            answer(status, ["code": .string(code), "message": "Text for people"]),
            answer(status, ["code": .integer(Int64(status)), "error_code": .string(code), "msg": "Text for people"]),
        ]
    }

    static func user(factors: JSONValue? = nil, identities: JSONValue = []) -> JSONObject {
        var user: JSONObject = [
            "id": "11111111-2222-4333-8444-555555555555", "aud": "authenticated", "role": "authenticated",
            "email": "ada@example.com", "phone": "", "email_confirmed_at": "2026-11-22T19:07:23.462855Z",
            "app_metadata": ["provider": "email", "providers": ["email"]],
            "user_metadata": ["full_name": "Ada Lind"], "identities": identities,
            "created_at": "2026-11-22T19:07:23.462855Z", "updated_at": "2026-11-22T19:07:23.462855Z",
            "is_anonymous": false,
        ]
        if let factors { user["factors"] = factors }
        return user
    }

    static func token(aal: String = "aal1", exp: Int64 = 1_795_377_643, session: String = "s") -> String {
        let claims: JSONObject = [
            "sub": "11111111-2222-4333-8444-555555555555", "aud": "authenticated", "aal": .string(aal),
            "exp": .integer(exp), "session_id": .string(session),
        ]
        return ["{\"alg\":\"ES256\"}", claims.text, "signature"].map { Base64URL.encode(Array($0.utf8)) }
            .joined(separator: ".")
    }

    static func session(aal: String = "aal1", factors: JSONValue? = nil, session: String = "s") -> JSONObject {
        [
            "access_token": .string(token(aal: aal, session: session)), "token_type": "bearer", "expires_in": 3600,
            "expires_at": 1_795_377_643, "refresh_token": "mDJ1yYWZyZXNo", "user": .object(user(factors: factors)),
        ]
    }

    static let tokens = TokenSet(
        accessToken: Secret(token()), refreshToken: Secret("mDJ1yYWZyZXNo"), lifetime: .seconds(3600))

    /// A backend that is given these answers in turn, the last one for ever.
    static func backend(
        _ answers: HTTPResponse..., web: (any WebAuthentication)? = nil,
        configuration: SupabaseConfiguration = configuration
    ) -> (SupabaseBackend, ScriptedTransport) {
        let transport = ScriptedTransport { _, place in answers[min(place, answers.count - 1)] }
        return (SupabaseBackend(configuration, transport: transport, web: web), transport)
    }
}

extension HTTPRequest {
    var json: JSONObject { (try? JSONObject(parsing: body)) ?? [:] }
    var path: String { String(url.prefix { $0 != "?" }.dropFirst("https://xyz.supabase.co/auth/v1".count)) }
    var query: [String: String] {
        let fields = FormFields.decode(url.drop { $0 != "?" }.dropFirst()) ?? []
        return Dictionary(fields.map { ($0.name, $0.value) }) { $1 }
    }
}
