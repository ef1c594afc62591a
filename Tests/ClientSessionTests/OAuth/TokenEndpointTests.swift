// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import Testing

struct TokenEndpointTests {
    let client = OAuthClient(
        clientID: "app", authorizationEndpoint: "https://id.example/authorize",
        tokenEndpoint: "https://id.example/token")

    func answering(_ status: Int, _ body: String, headers: [HTTPHeader] = []) -> ScriptedTransport {
        ScriptedTransport { _, _ in HTTPResponse(status: status, headers: headers, body: Array(body.utf8)) }
    }

    @Test("R13.3 RFC 6749, sections 4.1.3 and 5.1: a code and its verifier buy tokens")
    func redeem() async throws {
        let transport = answering(
            200,
            #"{"access_token":"a.b.c","id_token":"d.e.f","refresh_token":"r","token_type":"Bearer","expires_in":3600,"scope":"openid email"}"#,
            headers: [HTTPHeader("Date", "Sun, 06 Nov 1994 08:49:37 GMT")])
        let request = AuthorizationRequest(of: client, redirectURI: "myapp://callback", random: SystemRandomSource())
        let tokens = try await TokenEndpoint(of: client, by: transport).redeem(Secret("c&1"), of: request)
        #expect(tokens.accessToken.reveal() == "a.b.c")
        #expect(tokens.idToken?.reveal() == "d.e.f")
        #expect(tokens.refreshToken?.reveal() == "r")
        #expect(tokens.lifetime == .hours(1))
        #expect(tokens.scopes == ["openid", "email"])
        #expect(tokens.serverDate == Instant(seconds: 784_111_777))
        let sent = try #require(await transport.requests.first)
        #expect(sent.method == "POST" && sent.url == "https://id.example/token")
        let fields = try #require(FormFields.decode(String(decoding: sent.body, as: UTF8.self)))
        #expect(
            Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) }) == [
                "grant_type": "authorization_code", "code": "c&1", "redirect_uri": "myapp://callback",
                "code_verifier": request.proofKey.verifier.reveal(), "client_id": "app",
            ])
        #expect(!"\(tokens)".contains("a.b.c") && !"\(sent)".contains("c&1"))
    }

    @Test("R13.3 RFC 6749, section 2.3.1: a client with a secret shows it in the header alone")
    func secret() async throws {
        var client = client
        client.clientID = "a:b"
        client.clientSecret = Secret("s c")
        let transport = answering(200, #"{"access_token":"a","token_type":"bearer"}"#)
        let tokens = try await TokenEndpoint(of: client, by: transport).refresh(Secret("r"))
        #expect(tokens.lifetime == nil && tokens.refreshToken == nil)
        let sent = try #require(await transport.requests.first)
        let wanted = "Basic " + Base64.encode(Array("a%3Ab:s+c".utf8))
        #expect(sent.headers.contains(HTTPHeader("Authorization", wanted)))
        #expect(String(decoding: sent.body, as: UTF8.self) == "grant_type=refresh_token&refresh_token=r")
    }

    @Test(
        "R13.3 F10 C-8 Only invalid_grant for a refresh token ends a session",
        arguments: [
            (400, #"{"error":"invalid_grant"}"#, AuthErrorCode.sessionExpired),
            (400, #"{"error":"invalid_grant","error_description":"Token has been revoked"}"#, .tokensRevoked),
            (400, #"{"error":"invalid_grant","error_description":"reuse"}"#, .refreshTokenReused),
            (401, #"{"error":"invalid_client"}"#, .clientNotFound),
            (400, #"{"error":"unauthorized_client"}"#, .flowNotAllowed),
            (400, #"{"error":"unsupported_grant_type"}"#, .flowNotAllowed),
            (400, #"{"error":"invalid_request"}"#, .invalidRequest),
            (400, #"{"error":"made_up"}"#, AuthErrorCode(rawValue: "made_up")),
            // Words of whoever stands before the endpoint.
            (401, #"{"error":"token_expired"}"#, .internalFailure),
            (401, #"{"error":"user_banned"}"#, .internalFailure),
            (403, #"{"error":"session_not_found"}"#, .internalFailure),
            (400, #"{"error":"network"}"#, .internalFailure),
            (400, #"{"error":3}"#, .unavailable), (400, "", .unavailable), (401, "<html>", .unavailable),
            (500, #"{"error":"invalid_grant"}"#, .unavailable), (503, "", .unavailable), (429, "", .rateLimited),
            (200, "<html>Welcome to the hotel</html>", .unavailable), (302, "", .unavailable),
            (200, "{}", .unavailable), (200, #"{"access_token":"","token_type":"Bearer"}"#, .unavailable),
            (200, #"{"access_token":"a b","token_type":"Bearer"}"#, .unavailable),
            (200, #"{"access_token":"a","token_type":"DPoP"}"#, .unavailable),
            (200, #"{"access_token":"a"}"#, .unavailable),
            (200, #"{"access_token":7,"token_type":"Bearer"}"#, .unavailable),
        ])
    func refused(status: Int, body: String, code: AuthErrorCode) async {
        let transport = answering(status, body, headers: [HTTPHeader("Retry-After", "7")])
        let error = await #expect(throws: AuthError.self) {
            try await TokenEndpoint(of: client, by: transport).refresh(Secret("r"))
        }
        #expect(error?.code == code)
        #expect(
            error?.code.endsSession == body.contains("invalid_grant") && status == 400
                || error?.code.endsSession == false)
        if code == .rateLimited { #expect(error?.retryAfter == .seconds(7)) }
    }

    @Test(
        "R13.3 RFC 9110, section 10.2.3: how long to wait is said in seconds, or as a date by the clock of who says it",
        arguments: [
            ("7", 7), ("0", 0), ("99999999999999999999", 86_400), ("Sun, 06 Nov 1994 08:50:37 GMT", 60),
            ("Sunday, 06-Nov-94 08:50:37 GMT", 60), ("Sun Nov  6 08:50:37 1994", 60),
            ("Sun, 06 Nov 1994 08:49:00 GMT", 0), ("Tue, 06 Nov 2040 08:49:37 GMT", 86_400),
            ("-1", nil), ("", nil), ("soon", nil), ("Sun, 06 Nov 1994 08:50:37 CET", nil),
        ] as [(String, Int64?)])
    func retryAfter(value: String, seconds: Int64?) {
        var headers = [HTTPHeader("Retry-After", value), HTTPHeader("Date", "Sun, 06 Nov 1994 08:49:37 GMT")]
        #expect(HTTPResponse(status: 503, headers: headers).retryAfter == seconds.map { .seconds($0) })
        headers.removeLast()
        let isDate = value.contains(":")
        #expect(HTTPResponse(status: 503, headers: headers).retryAfter == (isDate ? nil : seconds.map { .seconds($0) }))
    }

    @Test("R13.3 A code that is refused says nothing of a session")
    func codeRefused() async throws {
        let request = AuthorizationRequest(of: client, redirectURI: "myapp://callback", random: SystemRandomSource())
        let endpoint = TokenEndpoint(of: client, by: answering(400, #"{"error":"invalid_grant"}"#))
        await #expect(throws: AuthError(.flowStateExpired)) { try await endpoint.redeem(Secret("c"), of: request) }
        #expect(!AuthErrorCode.flowStateExpired.endsSession)
    }

    @Test(
        "R13.3 RFC 7009, section 2.2: a token that was taken back is no error, whether the server says so in 200 or with nothing",
        arguments: [(200, true), (204, true), (503, false), (302, false)])
    func revoked(status: Int, isDone: Bool) async throws {
        let endpoint = TokenEndpoint(of: client, by: ScriptedTransport { _, _ in HTTPResponse(status: status) })
        do throws(AuthError) {
            try await endpoint.revoke(Secret("r"), at: "https://id.example/revoke")
            #expect(isDone)
        } catch { #expect(!isDone && error.code == .unavailable) }
    }

    @Test(
        "R13.3 Y-E1 F10 Without an answer there is a reason, and no word on a session",
        arguments: [
            (TransportError.offline, AuthErrorCode.network), (.timedOut, .network), (.interrupted, .network),
            (.untrusted, .untrustedServer), (.insecure, .insecureTransport), (.tooLarge, .unavailable),
        ])
    func noAnswer(error: TransportError, code: AuthErrorCode) async {
        let transport = ScriptedTransport { _, _ throws(TransportError) in throw error }
        let thrown = await #expect(throws: AuthError.self) {
            try await TokenEndpoint(of: client, by: transport).refresh(Secret("r"))
        }
        #expect(thrown?.code == code && thrown?.code.endsSession == false)
    }

    @Test(
        "R13.3 RFC 9110, section 5.6.7: the server's time is read in each of its forms, and no other",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777 as Int64?), ("Sun, 06 Nov 1994 08:49:37 UTC", nil),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("", nil),
            ("Sun, 99 Nov 1994 08:49:37 GMT", nil),
        ])
    func date(text: String, seconds: Int64?) {
        let response = HTTPResponse(status: 200, headers: [HTTPHeader("DATE", text)])
        #expect(response.date?.seconds == seconds)
    }
}
