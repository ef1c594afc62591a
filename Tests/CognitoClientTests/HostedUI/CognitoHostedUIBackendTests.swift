// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import Testing

@testable import CognitoClient

struct CognitoHostedUIBackendTests {
    /// Answers as the browser of a user would, and keeps what it was asked.
    final class Browser: WebAuthentication {
        let asked = Guarded<[(url: String, ephemeral: Bool)]>([])
        let answer: @Sendable ([String: String]) throws(WebAuthenticationError) -> String

        init(_ answer: @escaping @Sendable ([String: String]) throws(WebAuthenticationError) -> String) {
            self.answer = answer
        }

        func redirectURI(preferred: String) async throws(WebAuthenticationError) -> String { preferred }

        func authenticate(
            at url: String, redirectingTo redirectURI: String, ephemeral: Bool
        ) async throws(WebAuthenticationError) -> String {
            asked.withLock { $0.append((url, ephemeral)) }
            return try answer(Self.fields(url))
        }

        static func fields(_ url: String) -> [String: String] {
            let fields = FormFields.decode(url.split(separator: "?", maxSplits: 1).last ?? "") ?? []
            return Dictionary(fields.map { ($0.name, $0.value) }) { $1 }
        }

        var last: [String: String] { asked.value.last.map { Self.fields($0.url) } ?? [:] }
    }

    static let configuration = HostedUIConfiguration(
        pool: Recorded.configuration, domain: "example.auth.eu-west-1.amazoncognito.com",
        redirectURI: "myapp://callback", logoutURI: "myapp://signedout")

    /// The pages' endpoints, which give an ID token for the nonce that the browser was sent with.
    func service(_ browser: Browser, _ changes: JSONObject = [:]) -> ScriptedTransport {
        ScriptedTransport { request, _ in
            if request.url.hasSuffix("/oauth2/revoke") { return HTTPResponse(status: 200) }
            let nonce = browser.last["nonce"] ?? ""
            let claims: JSONObject = [
                "nonce": .string(nonce), "identities": [["providerName": "Google", "userId": "1"]],
            ]
            let tokens: JSONObject = [
                "access_token": "a.b.c", "id_token": .string(Recorded.idToken(claims)), "refresh_token": "refresh-1",
                "token_type": "Bearer", "expires_in": 3600,
            ]
            return Recorded.answer(tokens.merging(changes))
        }
    }

    func backend(_ browser: Browser, _ transport: ScriptedTransport) -> CognitoHostedUIBackend {
        CognitoHostedUIBackend(
            Self.configuration, browser: browser, transport: transport, clock: ManualClock(now: Recorded.date))
    }

    let google = SignInProof.browser(provider: "google", options: BrowserSignInOptions())

    @Test("R13.3 Y-US1 Y-FR1 Y-FR2 Google through the pages: access, ID and refresh token, and whose they are")
    func google() async throws {
        let browser = Browser { "myapp://callback?code=c1&state=\($0["state"] ?? "")" }
        let transport = service(browser)
        guard case .session(let grant) = try await backend(browser, transport).signIn(google) else {
            Issue.record("no session")
            return
        }
        #expect(grant.tokens.accessToken.reveal() == "a.b.c" && grant.tokens.refreshToken?.reveal() == "refresh-1")
        #expect(grant.tokens.idToken != nil && grant.user?.subject == "5b1c" && grant.user?.provider == "Google")
        #expect(grant.user?.email == "ada@example.org" && grant.user?.picture == "https://p.example/ada.png")
        let asked = try #require(browser.asked.value.first)
        #expect(asked.url.hasPrefix("https://example.auth.eu-west-1.amazoncognito.com/oauth2/authorize?"))
        #expect(browser.last["identity_provider"] == "Google" && browser.last["code_challenge_method"] == "S256")
        #expect(browser.last["prompt"] == nil && !asked.ephemeral)
        let sent = try #require(await transport.requests.first)
        #expect(sent.url == "https://example.auth.eu-west-1.amazoncognito.com/oauth2/token")
        #expect(String(decoding: sent.body, as: UTF8.self).contains("code_verifier="))
    }

    @Test(
        "R13.3 Y-US1 A user who turns back is where they were: cancelled, and no error of anybody's",
        arguments: [
            nil, "error=access_denied", "error=invalid_request&error_description=access_denied%3A+Google",
            "error=invalid_request&error_description=SignInWithApple+Error+-+400+user_cancelled_authorize",
        ])
    func cancelled(redirect: String?) async throws {
        let browser = Browser { fields throws(WebAuthenticationError) in
            guard let redirect else { throw .cancelled }
            return "myapp://callback?\(redirect)&state=\(fields["state"] ?? "")"
        }
        let transport = service(browser)
        let backend = backend(browser, transport)
        for _ in 0..<2 { await #expect(throws: AuthError(.cancelled)) { try await backend.signIn(google) } }
        #expect(await transport.requests.isEmpty)
    }

    @Test(
        "R13.3 Y-E2 What went wrong at the provider is told apart, and can be tried again",
        arguments: [
            (
                "invalid_request", "Timeout occurred in calling IdP token endpoint",
                AuthErrorCode.identityProviderUnavailable
            ),
            ("invalid_request", "Google Error - 401 invalid_client", .identityProviderRefused),
            ("invalid_request", "attributes required: [email]", .identityAttributesMissing),
            ("invalid_request", "Already found an entry for username google_1", .needsConfirmation),
            ("invalid_request", "User is not enabled", .userBanned),
            ("server_error", "", .unavailable), ("unauthorized_client", "", .flowNotAllowed),
            ("invalid_scope", "", .invalidRequest),
        ])
    func refused(error: String, description: String, code: AuthErrorCode) async throws {
        let browser = Browser { fields in
            let said = PercentEncoding.encode(description.utf8, spacesAsPlus: true)
            return "myapp://callback?error=\(error)&error_description=\(said)&state=\(fields["state"] ?? "")"
        }
        let thrown = await #expect(throws: AuthError.self) {
            try await backend(browser, service(browser)).signIn(google)
        }
        #expect(thrown?.code == code)
    }

    @Test(
        "R13.3 Y-E1 Without a network at the token endpoint nothing is half signed in, and the code is not shown twice")
    func offline() async throws {
        let browser = Browser { "myapp://callback?code=c1&state=\($0["state"] ?? "")" }
        let transport = ScriptedTransport { _, _ throws(TransportError) in throw .offline }
        let backend = backend(browser, transport)
        await #expect(throws: AuthError(.network)) { try await backend.signIn(google) }
        let redirect = "myapp://callback?code=c1&state=\(browser.last["state"] ?? "")"
        await #expect(throws: AuthError(.flowStateNotFound)) {
            try await backend.signIn(.callback(url: Secret(redirect)))
        }
        #expect(await transport.requests.count == 1)
    }

    @Test("R13.3 Another sign-in's redirect and another sign-in's token are nobody's session")
    func mixedUp() async throws {
        let forged = Browser { _ in "myapp://callback?code=c1&state=forged" }
        let transport = service(forged)
        await #expect(throws: AuthError(.flowStateNotFound)) { try await backend(forged, transport).signIn(google) }
        #expect(await transport.requests.isEmpty)
        let browser = Browser { "myapp://callback?code=c1&state=\($0["state"] ?? "")" }
        for token in [Recorded.idToken(["nonce": "another"]), Recorded.idToken(), Recorded.idToken(["aud": "other"])] {
            let transport = service(browser, ["id_token": .string(token)])
            await #expect(throws: AuthError(.identityTokenInvalid)) {
                try await backend(browser, transport).signIn(google)
            }
        }
    }

    @Test("R13.3 H-5 G-13.2 The end of the session before the one that is there is no sign-out: no page asks anew")
    func formerSession() async throws {
        let browser = Browser { "myapp://callback?code=c1&state=\($0["state"] ?? "")" }
        let backend = backend(browser, service(browser))
        _ = try await backend.signIn(google)
        let former = TokenSet(accessToken: Secret("a"), refreshToken: Secret("refresh-0"), lifetime: .hours(1))
        try await backend.revoke(former, scope: .local)
        _ = try await backend.signIn(google)
        #expect(browser.last["prompt"] == nil)
    }

    @Test(
        "R13.3 H-5 After a sign-out the pages ask again, whatever the browser remembers, and no browser is needed to sign out"
    )
    func asksAgain() async throws {
        let browser = Browser { "myapp://callback?code=c1&state=\($0["state"] ?? "")" }
        let transport = service(browser)
        let backend = backend(browser, transport)
        guard case .session(let grant) = try await backend.signIn(google) else { return }
        try await backend.revoke(grant.tokens, scope: .local)
        #expect(browser.asked.value.count == 1)
        let sent = try #require(await transport.requests.last)
        #expect(
            sent.url.hasSuffix("/oauth2/revoke")
                && String(decoding: sent.body, as: UTF8.self).contains("token=refresh-1"))
        _ = try await backend.signIn(google)
        #expect(browser.last["prompt"] == "select_account" && browser.asked.value.last?.ephemeral == true)
        _ = try await backend.signIn(google)
        #expect(browser.last["prompt"] == nil)
        _ = try await backend.signIn(
            .browser(provider: nil, options: BrowserSignInOptions(asksAgain: true, language: "de")))
        #expect(browser.last["prompt"] == "login" && browser.last["lang"] == "de")
        #expect(browser.last["identity_provider"] == nil)
    }

    @Test("R13.3 Both forms of the pages' sign-out name the client and what it has registered")
    func logout() {
        let backend = backend(Browser { _ in "" }, ScriptedTransport { _, _ in HTTPResponse(status: 200) })
        #expect(
            backend.logoutAddress()
                == "https://example.auth.eu-west-1.amazoncognito.com/logout?client_id=client123&logout_uri=myapp%3A%2F%2Fsignedout"
        )
        #expect(
            backend.logoutAndSignInAddress()
                == "https://example.auth.eu-west-1.amazoncognito.com/logout?client_id=client123&redirect_uri=myapp%3A%2F%2Fcallback&response_type=code"
        )
    }

    @Test("R13.3 Y-US2 Y-FR4 C-8 The pages' refresh token buys the next tokens, and its end is told as such")
    func refresh() async throws {
        let browser = Browser { _ in "" }
        let transport = ScriptedTransport { _, number in
            number == 0
                ? Recorded.answer(["access_token": "d.e.f", "token_type": "Bearer", "expires_in": 60])
                : Recorded.answer(["error": "invalid_grant"], status: 400)
        }
        let backend = backend(browser, transport)
        let grant = try await backend.refresh(Recorded.tokens())
        #expect(grant.tokens.accessToken.reveal() == "d.e.f" && grant.tokens.refreshToken?.reveal() == "refresh-1")
        await #expect(throws: AuthError(.sessionExpired)) { try await backend.refresh(grant.tokens) }
    }

    @Test("R13.3 Y-US3 The pages' userInfo says who the user is, and a refusal there is one of the token")
    func user() async throws {
        let transport = ScriptedTransport { request, number in
            number == 0
                ? Recorded.answer([
                    "sub": "5b1c", "email": "ada@example.org", "email_verified": "true", "username": "ada",
                ])
                : Recorded.answer(["error": "invalid_token"], status: 401)
        }
        let backend = backend(Browser { _ in "" }, transport)
        let user = try await backend.user(Recorded.tokens())
        #expect(user.subject == "5b1c" && user.emailVerified == true)
        await #expect(throws: AuthError(.tokenInvalid)) { try await backend.user(Recorded.tokens()) }
    }

    @Test(
        "R13.3 G-12.6 A redirect that anybody can make ends nobody's sign-in; the right one counts once"
    )
    func foreignRedirects() async throws {
        // The app is left in the browser, and the redirect comes to it as a link.
        let browser = Browser { _ throws(WebAuthenticationError) in throw .timedOut }
        let backend = backend(browser, service(browser))
        await #expect(throws: AuthError(.flowStateExpired)) { try await backend.signIn(google) }
        let foreign = [
            "myapp://callback?code=stolen&state=x", "myapp://callback?code=stolen", "myapp://other?code=c1",
            "myapp://callback?error=access_denied", "myapp://callback?error=server_error&state=x",
            "https://callback?code=c1", "myapp://callback",
        ]
        for url in foreign {
            await #expect(throws: AuthError.self) { try await backend.signIn(.callback(url: Secret(url))) }
        }
        let own = "myapp://callback?code=c1&state=\(browser.last["state"] ?? "")"
        guard case .session = try await backend.signIn(.callback(url: Secret(own))) else {
            Issue.record("the sign-in was ended by somebody else's redirect")
            return
        }
        await #expect(throws: AuthError(.flowStateNotFound)) { try await backend.signIn(.callback(url: Secret(own))) }
        // A refusal that is the server's own ends it.
        await #expect(throws: AuthError(.flowStateExpired)) { try await backend.signIn(google) }
        let state = browser.last["state"] ?? ""
        let refused = SignInProof.callback(url: Secret("myapp://callback?error=server_error&state=\(state)"))
        await #expect(throws: AuthError(.unavailable)) { try await backend.signIn(refused) }
        await #expect(throws: AuthError(.flowStateNotFound)) { try await backend.signIn(refused) }
    }
}
