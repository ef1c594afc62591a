// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientStorage
import ClientTestSupport
import OpenIDClient
import TestSupport
import Testing

/// A sign-in on a provider's pages, where one part of what comes back is not as it must be (OpenID Connect Core 1.0,
/// section 3.1.3.7).
struct SignInTests {
    private static let now = Instant(seconds: 1_795_374_443)

    /// A browser that comes back at once, with what was asked for.
    private struct Browser: WebAuthentication {
        let asked = Guarded<[String: String]>([:])
        var issuer: String?
        var state: String?

        func redirectURI(preferred: String) async throws(WebAuthenticationError) -> String { preferred }
        func authenticate(
            at url: String, redirectingTo redirectURI: String, ephemeral: Bool
        ) async throws(WebAuthenticationError) -> String {
            let fields = FormFields.decode(url.drop { $0 != "?" }.dropFirst()) ?? []
            let query = Dictionary(fields.map { ($0.name, $0.value) }) { $1 }
            asked.withLock { $0 = query }
            var answer = [("code", "c"), ("state", state ?? query["state"] ?? "")]
            if let issuer { answer.append(("iss", issuer)) }
            return redirectURI + "?" + FormFields.encode(answer)
        }
    }

    private func signIn(
        _ changes: JSONObject = [:], browser: Browser = Browser(issuer: "https://id.example"), givesIDToken: Bool = true
    ) async throws(AuthError) -> SignInStep {
        try await backend(changes, browser: browser, givesIDToken: givesIDToken)
            .signIn(.browser(provider: nil, options: BrowserSignInOptions()))
    }

    private func backend(
        _ changes: JSONObject = [:], browser: Browser = Browser(issuer: "https://id.example"),
        givesIDToken: Bool = true, appAPI: String? = nil, subject: @escaping @Sendable () -> String = { "u1" },
        revoked: @escaping @Sendable (String) -> Void = { _ in }
    ) -> OpenIDBackend {
        let transport = ScriptedTransport { [browser] request, _ in
            if request.url.hasSuffix("/.well-known/openid-configuration") {
                let metadata: JSONObject = [
                    "issuer": "https://id.example", "authorization_endpoint": "https://id.example/authorize",
                    "token_endpoint": "https://id.example/token",
                    "revocation_endpoint": "https://id.example/revoke",
                    "authorization_response_iss_parameter_supported": true,
                ]
                return HTTPResponse(status: 200, body: metadata.serialized())
            }
            if request.url.hasSuffix("/revoke") {
                let fields = FormFields.decode(String(decoding: request.body, as: UTF8.self)[...]) ?? []
                revoked(fields.first { $0.name == "token" }?.value ?? "")
                return HTTPResponse(status: 200)
            }
            var claims: JSONObject = [
                "iss": "https://id.example", "sub": .string(subject()), "aud": "app",
                "exp": .integer(Self.now.seconds + 300),
                "iat": .integer(Self.now.seconds), "nonce": .string(browser.asked.value["nonce"] ?? ""),
            ]
            for member in changes.members { claims[member.name] = member.value }
            var answer: JSONObject = [
                "access_token": "a", "token_type": "Bearer", "refresh_token": .string("refresh-of-\(subject())"),
            ]
            if givesIDToken {
                answer["id_token"] = .string(
                    ["{}", claims.text, "s"].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: "."))
            }
            return HTTPResponse(status: 200, body: answer.serialized())
        }
        let configuration = OpenIDClientConfiguration(
            issuer: "https://id.example", clientID: "app", redirectURI: "myapp://callback", appAPI: appAPI)
        return OpenIDBackend(configuration, transport: transport, web: browser, clock: ManualClock(now: Self.now))
    }

    @Test("R13.4 Whoever signs in on the provider's pages is who the ID token of this sign-in says")
    func good() async throws {
        guard case .session(let grant) = try await signIn() else { throw AuthError(.unsupported) }
        #expect(grant.user?.subject == "u1" && grant.tokens.refreshToken?.reveal() == "refresh-of-u1")
        // What a client need not judge: the hash of an access token that came by the same answer (section 3.1.3.8).
        guard case .session = try await signIn(["at_hash": "AAAA", "azp": "app", "auth_time": 1]) else {
            throw AuthError(.unsupported)
        }
    }

    @Test(
        "R13.4 An ID token of another sign-in, issuer, client or time is nobody's session",
        arguments: [
            ["nonce": "another"], ["nonce": ""], ["nonce": .null], ["iss": "https://id.example/"], ["iss": .null],
            ["aud": "other"], ["aud": ["app", "other"]], ["aud": []], ["azp": "other"], ["exp": 1_795_374_000],
            ["exp": .null],
        ] as [JSONObject])
    func refused(changes: JSONObject) async {
        await #expect(throws: AuthError(.identityTokenInvalid), "\(changes.text)") { try await signIn(changes) }
    }

    @Test(
        "R13.4 RFC 9207 A redirect of another issuer, of none where the provider names itself, or of another state buys nothing"
    )
    func redirects() async {
        await #expect(throws: AuthError(.invalidRedirect)) {
            try await signIn(browser: Browser(issuer: "https://evil.example"))
        }
        await #expect(throws: AuthError(.invalidRedirect)) { try await signIn(browser: Browser()) }
        await #expect(throws: AuthError(.flowStateNotFound)) {
            try await signIn(browser: Browser(issuer: "https://id.example", state: "another"))
        }
        await #expect(throws: AuthError(.unavailable)) { try await signIn(givesIDToken: false) }
    }

    @Test("R13.4 G-13.2 RFC 7009 Of another provider no session is ended beside a new one, which it may end too")
    func anew() async throws {
        let idToken = ["{}", #"{"sub":"u1"}"#, "s"].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
        let tokens = TokenSet(accessToken: Secret("a"), idToken: Secret(idToken), lifetime: .minutes(5))
        let proof = SignInProof.browser(provider: nil, options: BrowserSignInOptions())
        for (appAPI, replaces) in [(nil, false), ("https://id.example", nil)] as [(String?, Bool?)] {
            let browser = Browser(issuer: "https://id.example")
            let step = try await backend(browser: browser, appAPI: appAPI).reauthenticate(tokens, with: proof)
            guard case .session(let grant) = step else { throw AuthError(.unsupported) }
            #expect(grant.replacesSession == replaces && browser.asked.value["prompt"] == "login")
            // Nor beside one that its user signs in with anew, or is renewed late.
            let again = try await backend(browser: browser, appAPI: appAPI).signIn(proof)
            guard case .session(let grant) = again else { throw AuthError(.unsupported) }
            #expect(grant.replacesSession == replaces)
        }
    }

    @Test(
        "R13.4 G-13.2 RFC 7009 Where somebody else shows who they are, their session is given back, and the user's goes on",
        .timeLimit(.minutes(1)))
    func somebodyElse() async throws {
        let (subject, revoked) = (Guarded("u1"), Guarded<[String]>([]))
        let browser = Browser(issuer: "https://id.example")
        let backend = backend(browser: browser, subject: { subject.value }) { token in
            revoked.withLock { $0.append(token) }
        }
        let service = SessionService(
            backend: backend, store: MemoryStore(), clock: ManualClock(now: Self.now))
        let proof = SignInProof.browser(provider: nil, options: BrowserSignInOptions())
        try await service.signIn(with: proof)
        subject.withLock { $0 = "u2" }
        await #expect(throws: AuthError(.reauthenticationInvalid)) { try await service.reauthenticate(with: proof) }
        try await eventually("a session is given back") { !revoked.value.isEmpty }
        #expect(revoked.value == ["refresh-of-u2"])
        guard case .signedIn(let user) = service.state else { throw AuthError(.unsupported) }
        #expect(user.subject == "u1")
    }

    @Test("R13.4 Y-US3 UserInfo is taken about the session's user alone, and what is no answer ends no session")
    func userInfo() async throws {
        let metadata: JSONObject = [
            "issuer": "https://id.example", "authorization_endpoint": "https://id.example/authorize",
            "token_endpoint": "https://id.example/token", "userinfo_endpoint": "https://id.example/userinfo",
        ]
        let idToken = ["{}", #"{"sub":"u1"}"#, "s"].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
        let tokens = TokenSet(accessToken: Secret("a"), idToken: Secret(idToken), lifetime: .minutes(5))
        let answers: [(HTTPResponse, AuthErrorCode?)] = [
            (HTTPResponse(status: 200, body: Array(#"{"sub":"u1","email":"ada@example.com"}"#.utf8)), nil),
            (HTTPResponse(status: 200, body: Array(#"{"sub":"u2"}"#.utf8)), .tokenInvalid),
            (HTTPResponse(status: 401), .tokenInvalid), (HTTPResponse(status: 403), .unavailable),
            (HTTPResponse(status: 200, body: Array("<html>hotel</html>".utf8)), .unavailable),
            (HTTPResponse(status: 200, body: Array("{}".utf8)), .unavailable),
            (HTTPResponse(status: 429), .rateLimited),
        ]
        for (answer, code) in answers {
            let transport = ScriptedTransport { request, _ in
                request.url.hasSuffix("openid-configuration")
                    ? HTTPResponse(status: 200, body: metadata.serialized()) : answer
            }
            let backend = OpenIDBackend(
                OpenIDClientConfiguration(
                    issuer: "https://id.example", clientID: "app", redirectURI: "myapp://callback"),
                transport: transport)
            do throws(AuthError) {
                #expect(try await backend.user(tokens).email == "ada@example.com" && code == nil)
            } catch { #expect(error.code == code) }
        }
    }
}
