// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import OpenIDClient
import Testing

struct BackendTests {
    private static let configuration = OpenIDClientConfiguration(
        issuer: "https://id.example", clientID: "app", redirectURI: "myapp://callback")
    private static let metadata: JSONObject = [
        "issuer": "https://id.example", "authorization_endpoint": "https://id.example/oauth2/authorize",
        "token_endpoint": "https://id.example/oauth2/token", "revocation_endpoint": "https://id.example/oauth2/revoke",
        "end_session_endpoint": "https://id.example/logout",
    ]
    private let tokens = TokenSet(
        accessToken: Secret("a"), refreshToken: Secret("r"), lifetime: .seconds(300))

    private func backend(
        _ answer: HTTPResponse, metadata: JSONObject = Self.metadata
    ) -> (OpenIDBackend, ScriptedTransport) {
        let transport = ScriptedTransport { request, _ in
            request.url.hasSuffix("/.well-known/openid-configuration")
                ? HTTPResponse(status: 200, body: metadata.serialized()) : answer
        }
        return (OpenIDBackend(Self.configuration, transport: transport), transport)
    }

    private func answer(_ status: Int, _ body: JSONObject) -> HTTPResponse {
        HTTPResponse(status: status, body: body.serialized())
    }

    @Test(
        "R13.4 OpenID Connect Discovery 1.0 section 4.3 metadata of another issuer, or in the clear, are not followed")
    func discovery() async throws {
        for (name, value) in [
            ("issuer", "https://id.example/"), ("issuer", "https://evil.example"),
            ("token_endpoint", "http://id.example/oauth2/token"), ("authorization_endpoint", "javascript:alert(1)"),
        ] {
            var metadata = Self.metadata
            metadata[name] = .string(value)
            let (backend, transport) = backend(HTTPResponse(status: 200), metadata: metadata)
            await #expect(throws: AuthError(.unavailable)) { try await backend.refresh(tokens) }
            #expect(await transport.requests.count == 1)
        }
    }

    @Test(
        "R13.4 a refresh keeps what its answer leaves out, asks for the metadata once, and ends by invalid_grant alone")
    func refresh() async throws {
        let (good, transport) = backend(
            answer(200, ["access_token": "b", "token_type": "Bearer", "expires_in": 600]))
        let grant = try await good.refresh(tokens)
        _ = try await good.refresh(tokens)
        #expect(grant.tokens.refreshToken?.reveal() == "r" && grant.tokens.lifetime == .seconds(600))
        #expect(await transport.requests.count == 3)
        let (over, _) = backend(answer(400, ["error": "invalid_grant"]))
        let ended = await #expect(throws: AuthError.self) { try await over.refresh(tokens) }
        #expect(ended?.code.endsSession == true)
        for other in [
            answer(401, ["error": "invalid_client"]), answer(503, [:]), HTTPResponse(status: 200, body: [0x3C]),
            answer(200, ["access_token": 7]), answer(500, ["error": "invalid_grant"]),
        ] {
            let (backend, _) = backend(other)
            let error = await #expect(throws: AuthError.self) { try await backend.refresh(tokens) }
            #expect(error?.code.endsSession == false)
        }
    }

    @Test("R13.4 a sign-out takes the refresh token back and names the page that forgets the browser")
    func signOut() async throws {
        let (backend, transport) = backend(HTTPResponse(status: 200))
        try await backend.revoke(tokens, scope: .local)
        let last = try #require(await transport.requests.last)
        #expect(last.url == "https://id.example/oauth2/revoke")
        #expect(String(decoding: last.body, as: UTF8.self).contains("token=r&"))
        let page = try await backend.logoutAddress(tokens, leadingBackTo: "myapp://out")
        #expect(
            page == "https://id.example/logout?client_id=app&post_logout_redirect_uri=myapp%3A%2F%2Fout")
        await #expect(throws: AuthError(.unsupported)) { try await backend.revoke(tokens, scope: .global) }
    }

    @Test("R13.4 F-7 the profile is asked for and changed with the token, and a refusal is in the domain's own code")
    func profile() async throws {
        let user: JSONObject = [
            "sub": "s", "id": "i", "email": "ada@example.com", "emailVerified": true, "name": "Ada",
        ]
        let transport = ScriptedTransport { [answer] request, _ in
            request.method == "GET"
                ? answer(200, user) : answer(400, ["error": "invalid_request", "code": "invalid_email"])
        }
        let api = ProfileAPI(address: "https://id.example/", transport: transport)
        #expect(try await api.me(Secret("t")).name == "Ada")
        await #expect(throws: AuthError(.invalidEmail)) { try await api.register(["email": "x"], Secret("t")) }
        let last = try #require(await transport.requests.last)
        #expect(last.url == "https://id.example/v1/users/register")
        #expect(last.headers.contains(HTTPHeader("Authorization", "Bearer t")))
    }

    @Test("R13.4 G-10.3 the account is deleted at the server's own API, which says what it asks for first")
    func deletion() async throws {
        var configuration = Self.configuration
        configuration.appAPI = "https://id.example/"
        for (reply, code) in [
            (answer(200, ["deleted": true, "deletionDueAt": nil]), nil),
            (answer(202, ["deleted": false, "deletionDueAt": "2026-12-01T00:00:00Z"]), nil),
            (
                answer(401, ["error": "insufficient_user_authentication", "code": "reauthentication_needed"]),
                .reauthenticationNeeded
            ), (HTTPResponse(status: 200, body: Array("<html>".utf8)), .unavailable),
        ] as [(HTTPResponse, AuthErrorCode?)] {
            let transport = ScriptedTransport { _, _ in reply }
            let backend = OpenIDBackend(configuration, transport: transport)
            do throws(AuthError) {
                try await backend.deleteAccount(tokens)
                #expect(code == nil)
            } catch {
                #expect(error.code == code)
            }
            let asked = try #require(await transport.requests.first)
            #expect(asked.method == "DELETE" && asked.url == "https://id.example/v1/account")
            #expect(asked.headers.contains(HTTPHeader("Authorization", "Bearer a")))
        }
        let (elsewhere, transport) = backend(HTTPResponse(status: 200))
        await #expect(throws: AuthError(.unsupported)) { try await elsewhere.deleteAccount(tokens) }
        await #expect(throws: AuthError(.unsupported)) { try await elsewhere.unlink(provider: "google", from: tokens) }
        #expect(await transport.requests.isEmpty)
    }
}
