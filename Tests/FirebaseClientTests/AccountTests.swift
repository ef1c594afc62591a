// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import FirebaseClient
import Testing

/// What the cloud makes of an account, in the forms that its own libraries read.
struct AccountTests {
    private static let apple = ProviderIdentity(
        provider: "apple", idToken: Secret("apple-token"), nonce: Secret("raw"), name: "Grace Hopper")

    private static func token(_ claims: JSONObject) -> String {
        let all: JSONObject = ["sub": "u1", "exp": 1_795_378_043]
        return ["{}", all.merging(claims).text, "s"].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
    }

    private static func tokens(_ claims: JSONObject = [:]) -> TokenSet {
        TokenSet(accessToken: Secret(token(claims)), refreshToken: Secret("refresh"), lifetime: .hours(1))
    }

    private func backend(
        _ answer: @escaping @Sendable (_ operation: String, _ body: JSONObject) -> (Int, JSONObject)
    ) -> (FirebaseBackend, ScriptedTransport) {
        let transport = ScriptedTransport { request, _ in
            let place = request.url.prefix { $0 != "?" }
            let (status, body) = answer(
                place.split(separator: "/").last.map(String.init) ?? "", (try? JSONObject(parsing: request.body)) ?? [:]
            )
            return HTTPResponse(status: status, body: body.serialized())
        }
        return (FirebaseBackend(FirebaseConfiguration(apiKey: "AIza", language: "de"), transport: transport), transport)
    }

    private static func refusal(
        _ message: String, status: Int = 400, reason: String = "invalid", details: JSONValue? = nil
    ) -> (Int, JSONObject) {
        var error: JSONObject = [
            "code": .integer(Int64(status)), "message": .string(message),
            "errors": [["message": .string(message), "reason": .string(reason), "domain": "global"]],
        ]
        if let details { error["details"] = details }
        return (status, JSONObject(dictionaryLiteral: ("error", .object(error))))
    }

    @Test("R13.4 F-2 Who is anonymous and links Apple's account keeps the name that Apple tells once")
    func nameAtLink() async throws {
        let (backend, transport) = backend { operation, body in
            let claims: JSONObject = operation == "accounts:update" ? ["name": body["displayName"] ?? .null] : [:]
            return (
                200,
                ["idToken": .string(Self.token(claims)), "refreshToken": "r2", "expiresIn": "3600"]
            )
        }
        let grant = try await backend.link(.identityToken(Self.apple), to: Self.tokens())
        #expect(grant.user?.name == "Grace Hopper")
        let last = try #require(await transport.requests.last)
        let body = try JSONObject(parsing: last.body)
        #expect(last.url.contains("accounts:update") && body["displayName"] == "Grace Hopper")
        #expect(await transport.requests.count == 2)
    }

    @Test("R13.4 Who has linked a provider is anonymous no longer, whichever sign-in the token goes on naming")
    func upgraded() async throws {
        let cases: [(JSONObject, Bool)] = [
            (["firebase": ["sign_in_provider": "anonymous", "identities": [:]]], true),
            (["firebase": ["sign_in_provider": "anonymous"]], true),
            (["firebase": ["sign_in_provider": "anonymous", "identities": ["google.com": ["1"]]]], false),
            (
                [
                    "email": "ada@example.com",
                    "firebase": ["sign_in_provider": "anonymous", "identities": ["email": ["ada@example.com"]]],
                ], false
            ), (["firebase": ["sign_in_provider": "custom", "identities": [:]]], false),
        ]
        for (claims, isAnonymous) in cases {
            let (backend, _) = backend { _, _ in
                (200, ["id_token": .string(Self.token(claims)), "refresh_token": "r", "expires_in": "3600"])
            }
            #expect(try await backend.refresh(Self.tokens()).user?.isAnonymous == isAnonymous, "\(claims.text)")
        }
    }

    @Test("R13.4 F-10 A provider's user who has no account shows nothing of who is signed in, and says nothing of them")
    func stranger() async throws {
        let (backend, transport) = backend { _, _ in Self.refusal("USER_NOT_FOUND") }
        let google = SignInProof.identityToken(ProviderIdentity(provider: "google", idToken: Secret("g")))
        let error = await #expect(throws: AuthError(.reauthenticationInvalid)) {
            try await backend.reauthenticate(Self.tokens(), with: google)
        }
        #expect(error?.reason == "USER_NOT_FOUND")
        let body = try JSONObject(parsing: try #require(await transport.requests.first).body)
        #expect(body["autoCreate"] == false)
        // Of the session's own user it says what it always does.
        let gone = await #expect(throws: AuthError.self) { try await backend.user(Self.tokens()) }
        #expect(gone?.code == .userNotFound)
    }

    @Test(
        "R13.4 F-10 What stands before the service refuses in sentences, which end no session and can be read",
        arguments: [
            ("API_KEY_IOS_APP_BLOCKED", "Requests from this iOS client application <empty> are blocked."),
            ("API_KEY_HTTP_REFERRER_BLOCKED", "Requests from referer <empty> are blocked."),
            ("API_KEY_SERVICE_BLOCKED", "Requests to this API securetoken.googleapis.com method are blocked."),
        ])
    func keys(reason: String, message: String) async throws {
        let details: JSONValue = [
            [
                "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": .string(reason),
                "domain": "googleapis.com",
            ]
        ]
        let (backend, _) = backend { _, _ in
            Self.refusal(message, status: 403, reason: "forbidden", details: details)
        }
        await #expect(throws: AuthError(.apiKeyInvalid)) { try await backend.refresh(Self.tokens()) }
        await #expect(throws: AuthError(.apiKeyInvalid)) { try await backend.signIn(.anonymous) }
        let (other, _) = self.backend { _, _ in Self.refusal("Firebase App Check token is invalid.", status: 401) }
        let error = await #expect(throws: AuthError.self) { try await other.refresh(Self.tokens()) }
        #expect(error?.code.endsSession == false && error?.reason == "Firebase App Check token is invalid.")
    }

    @Test("R13.4 G-15.7 The service's mails are in the app's language")
    func language() async throws {
        let (backend, transport) = backend { _, _ in (200, ["email": "ada@example.com"]) }
        try await backend.beginRecovery(identifier: "ada@example.com")
        let sent = try #require(await transport.requests.first)
        #expect(sent.headers.contains(HTTPHeader("X-Firebase-Locale", "de")))
    }
}
