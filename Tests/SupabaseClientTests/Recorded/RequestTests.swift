// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import Crypto
import SupabaseClient
import Testing

/// What the cloud is asked, and what is made of what it answers.
struct RequestTests {
    @Test("R13.4 each request names the project and the version of errors, and none shows a secret when it is printed")
    func headers() async throws {
        let (backend, transport) = Cloud.backend(
            Cloud.answer(200, Cloud.session()), Cloud.answer(200, Cloud.user()))
        _ = try await backend.signIn(.password(identifier: " ada@example.com ", password: Secret("hunter2hunter2")))
        _ = try await backend.user(Cloud.tokens).subject
        let requests = await transport.requests
        for request in requests {
            let headers = request.headers
            #expect(headers.contains(HTTPHeader("apikey", "sb_publishable_key")))
            #expect(headers.contains(HTTPHeader("X-Supabase-Api-Version", "2024-01-01")))
            #expect(!"\(request)".contains("hunter2") && !"\(request)".contains(Cloud.token()))
        }
        let first = requests[0]
        #expect(first.method == "POST" && first.path == "/token" && first.query == ["grant_type": "password"])
        #expect(first.json == ["email": "ada@example.com", "password": "hunter2hunter2"])
        // A publishable key is no token.
        #expect(!first.headers.contains { $0.name == "Authorization" })
        #expect(requests[1].headers.contains(HTTPHeader("Authorization", "Bearer \(Cloud.token())")))
    }

    @Test("R13.4 a session keeps the user as the service shows them, and how long its token lives")
    func session() async throws {
        let identities: JSONValue = [
            ["provider": "email", "last_sign_in_at": "2026-01-01T00:00:00Z", "identity_id": "a"],
            ["provider": "google", "last_sign_in_at": "2026-06-01T00:00:00Z", "identity_id": "b"],
        ]
        var answer = Cloud.session()
        answer["user"] = .object(Cloud.user(identities: identities))
        let (backend, _) = Cloud.backend(Cloud.answer(200, answer))
        let grant = try await backend.refresh(Cloud.tokens)
        #expect(grant.tokens.lifetime == .seconds(3600))
        #expect(grant.serverDate == Instant(rfc3339: "2026-11-22T19:07:23Z"))
        let user = try #require(grant.user)
        #expect(user.name == "Ada Lind" && user.phoneNumber == nil && user.provider == "google")
        #expect(user.attributes["identities"] == ["email", "google"])
    }

    @Test("R13.4 G-2 an ID token goes with its raw nonce, and an access token where there is one")
    func identityToken() async throws {
        let (backend, transport) = Cloud.backend(Cloud.answer(200, Cloud.session()))
        let identity = ProviderIdentity(
            provider: "google", idToken: Secret("id"), nonce: Secret("raw"), accessToken: Secret("at"))
        _ = try await backend.signIn(.identityToken(identity))
        let request = try #require(await transport.requests.first)
        #expect(request.query == ["grant_type": "id_token"])
        #expect(request.json == ["provider": "google", "id_token": "id", "nonce": "raw", "access_token": "at"])
        // The refusals of this grant have no code.
        let (refusing, _) = Cloud.backend(
            Cloud.answer(400, ["error": "invalid nonce", "error_description": "Nonces mismatch"]))
        await #expect(throws: AuthError(.identityTokenInvalid)) {
            try await refusing.signIn(.identityToken(identity))
        }
    }

    @Test(
        "R13.4 RFC 7636 a browser is sent away with the challenge of the verifier that redeems, and comes back by it alone"
    )
    func browser() async throws {
        let (backend, transport) = Cloud.backend(Cloud.answer(200, Cloud.session()))
        let options = BrowserSignInOptions(scopes: ["a", "b"], loginHint: "ada@example.com", asksAgain: true)
        let address = try await backend.beginBrowserSignIn(provider: "google", options: options)
        let query = HTTPRequest("GET", address).query
        #expect(query["provider"] == "google" && query["redirect_to"] == "myapp://auth")
        #expect(query["code_challenge_method"] == "s256" && query["scopes"] == "a b")
        #expect(query["prompt"] == "select_account" && query["login_hint"] == "ada@example.com")
        _ = try await backend.signIn(.callback(url: Secret("myapp://auth?code=abc")))
        let body = try #require(await transport.requests.first).json
        #expect(body["auth_code"] == "abc")
        let verifier = try #require(body["code_verifier"]?.stringValue)
        #expect(Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8)))) == query["code_challenge"])
    }

    @Test("R13.4 a session in an address is not taken, nor a redirect to another place; a refusal is read")
    func redirects() async throws {
        let (backend, transport) = Cloud.backend(Cloud.answer(200, Cloud.session()))
        let cases: [(String, AuthErrorCode)] = [
            ("myapp://auth#access_token=a&refresh_token=r&token_type=bearer&expires_in=3600", .invalidRedirect),
            ("myapp://evil?code=abc", .invalidRedirect), ("https://auth?code=abc", .invalidRedirect),
            ("myapp://auth?code=abc&code=def", .invalidRedirect), ("myapp://auth", .invalidRedirect),
            ("myapp://auth?code=", .invalidRedirect),
            ("myapp://auth?error=access_denied&error_description=x#error=access_denied&sb=", .cancelled),
            (
                "myapp://auth?error=server_error&error_code=identity_already_exists#error=server_error",
                .identityAlreadyLinked
            ),
            ("myapp://auth#error=access_denied&error_code=user_banned", .userBanned),
            ("myapp://auth?error=invalid_request&error_code=bad_oauth_state", .flowStateNotFound),
        ]
        for (address, code) in cases {
            _ = try await backend.beginBrowserSignIn(provider: "google")
            await #expect(throws: AuthError(code), "\(address)") {
                try await backend.signIn(.callback(url: Secret(address)))
            }
        }
        #expect(await transport.requests.isEmpty)
    }

    @Test("R13.4 G-12.6 a code that somebody slipped in buys nothing and uses nothing up; the right one counts once")
    func slippedIn() async throws {
        let (backend, transport) = Cloud.backend(
            Cloud.answer(400, ["code": "bad_code_verifier", "message": "code challenge does not match"]),
            Cloud.answer(200, Cloud.session()))
        _ = try await backend.beginBrowserSignIn(provider: "google")
        await #expect(throws: AuthError(.codeVerifierMismatch)) {
            try await backend.signIn(.callback(url: Secret("myapp://auth?code=strangers")))
        }
        let own = SignInProof.callback(url: Secret("myapp://auth?code=own"))
        guard case .session = try await backend.signIn(own) else { throw AuthError(.unsupported) }
        await #expect(throws: AuthError(.flowStateNotFound)) { try await backend.signIn(own) }
        #expect(await transport.requests.count == 2)
    }

    @Test("R13.4 a second factor is asked for before there is a session, unless the app takes one without")
    func secondFactor() async throws {
        let factors: JSONValue = [
            ["id": "f0", "status": "unverified", "factor_type": "totp"],
            ["id": "f1", "status": "verified", "factor_type": "totp"],
        ]
        let (backend, transport) = Cloud.backend(
            Cloud.answer(200, Cloud.session(factors: factors)),
            Cloud.answer(200, ["id": "c1", "type": "totp", "expires_at": 1_795_377_643]),
            Cloud.errors(422, "mfa_verification_failed")[0],
            Cloud.answer(200, ["id": "c2", "type": "totp", "expires_at": 1_795_377_643]),
            Cloud.answer(200, Cloud.session(aal: "aal2", factors: factors)))
        let proof = SignInProof.password(identifier: "ada@example.com", password: Secret("hunter2hunter2"))
        let step = try await backend.signIn(proof).awaited
        #expect(step.kind == .oneTimePassword && !"\(step)".contains(Cloud.token()))
        await #expect(throws: AuthError(.factorCodeInvalid)) {
            try await backend.answer(step, with: .code(Secret("000000")))
        }
        _ = try await backend.answer(step, with: .code(Secret("123456"))).session
        let last = try #require(await transport.requests.last)
        #expect(last.path == "/factors/f1/verify" && last.json == ["challenge_id": "c2", "code": "123456"])
        var without = Cloud.configuration
        without.asksSecondFactor = false
        let (other, _) = Cloud.backend(Cloud.answer(200, Cloud.session(factors: factors)), configuration: without)
        #expect(try await other.signIn(proof).session.user != nil)
    }

    @Test("R13.4 the first of two messages of a change of address leaves the other awaited")
    func emailChange() async throws {
        let (backend, _) = Cloud.backend(
            Cloud.answer(200, ["code": 200, "msg": "Confirmation link accepted. Please proceed to confirm link"]))
        let step = try await backend.signIn(.link(tokenHash: Secret("h"), kind: "email_change")).awaited
        #expect(step.kind == .confirmation)
    }

    @Test("R13.4 a sign-out whose access token is over renews it first, and what is gone already is no error")
    func signOut() async throws {
        let (backend, transport) = Cloud.backend(
            Cloud.errors(403, "bad_jwt")[1], Cloud.answer(200, Cloud.session()), HTTPResponse(status: 204))
        try await backend.revoke(Cloud.tokens, scope: .local)
        let requests = await transport.requests
        #expect(requests.map(\.path) == ["/logout", "/token", "/logout"])
        #expect(requests[2].query == ["scope": "local"])
        let (gone, _) = Cloud.backend(
            Cloud.errors(403, "bad_jwt")[1], Cloud.errors(400, "refresh_token_not_found")[1])
        try await gone.revoke(Cloud.tokens, scope: .global)
        let (down, _) = Cloud.backend(HTTPResponse(status: 503))
        await #expect(throws: AuthError(.unavailable)) { try await down.revoke(Cloud.tokens, scope: .local) }
    }
}
