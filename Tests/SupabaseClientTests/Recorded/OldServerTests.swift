// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import SupabaseClient
import Testing

/// Servers from before there were error codes, which many run themselves: `{"code": STATUS, "msg": TEXT}`, and OAuth's
/// form.
struct OldServerTests {
    private func old(_ status: Int, _ text: String) -> HTTPResponse {
        Cloud.answer(status, ["code": .integer(Int64(status)), "msg": .string(text)])
    }

    @Test(
        "R13.4 G-15.8 What a server without error codes says in words is one of the domain's codes, and its text can be read",
        arguments: [
            (400, "User already registered", AuthErrorCode.emailExists),
            (422, "A user with this email address has already been registered", .emailExists),
            (422, "A user with this phone number has already been registered", .phoneExists),
            (403, "Signups not allowed for this instance", .signUpDisabled),
            (401, "Token has expired or is invalid", .oneTimeTokenInvalid),
            (422, "Password should be at least 6 characters", .weakPassword),
            (422, "New password should be different from the old password.", .samePassword),
            (400, "Password update requires reauthentication", .reauthenticationNeeded),
            (403, "invalid flow state, no valid flow state found", .flowStateNotFound),
            (403, "invalid flow state, flow state has expired", .flowStateExpired),
            (400, "Email logins are disabled", .emailSignInDisabled),
            (401, "invalid JWT: unable to parse or verify signature, token is expired by 1m", .tokenInvalid),
            (429, "For security purposes, you can only request this once every 60 seconds", .mailRateLimited),
            (429, "Rate limit exceeded", .rateLimited), (422, "Something else", .invalidRequest),
        ])
    func words(status: Int, text: String, code: AuthErrorCode) async throws {
        let (backend, _) = Cloud.backend(old(status, text))
        let error = await #expect(throws: AuthError(code)) { try await backend.signIn(.anonymous) }
        #expect(error?.reason?.isEmpty == false)
        #expect(error?.retryAfter == (text.contains("60 seconds") ? .seconds(60) : nil))
        // A refresh is refused in the other form alone.
        let refreshed = await #expect(throws: AuthError.self) { try await backend.refresh(Cloud.tokens) }
        #expect(refreshed?.code.endsSession == false, "\(text)")
    }

    @Test("R13.4 G-1.3 G-4.5 Who has not confirmed is told apart from who is wrong, whatever the server's age")
    func unconfirmed() async throws {
        func answer(_ text: String) -> HTTPResponse {
            Cloud.answer(400, ["error": "invalid_grant", "error_description": .string(text)])
        }
        let proof = SignInProof.password(identifier: "ada@example.com", password: Secret("hunter2hunter2"))
        let (backend, _) = Cloud.backend(answer("Email not confirmed"), answer("Invalid login credentials"))
        let step = try await backend.signIn(proof).awaited
        #expect(step.kind == .confirmation && step.identifier == "ada@example.com")
        await #expect(throws: AuthError(.invalidCredentials)) { try await backend.signIn(proof) }
    }

    @Test(
        "R13.4 C-11 G-5.4 A refresh that an old server refuses for good says why",
        arguments: [
            ("Already Used", SignOutReason.sessionRevoked), ("Refresh Token Not Found", .sessionRevoked),
            ("User Banned", .accountDisabled), ("Session Expired", .sessionExpired), ("anything", .sessionRevoked),
        ])
    func refresh(text: String, reason: SignOutReason) async throws {
        let (backend, _) = Cloud.backend(
            Cloud.answer(
                400, ["error": "invalid_grant", "error_description": .string("Invalid Refresh Token: " + text)]))
        let error = await #expect(throws: AuthError.self) { try await backend.refresh(Cloud.tokens) }
        #expect(error.flatMap { SignOutReason(refusal: $0.code) } == reason)
    }

    @Test("R13.4 G-13.2 A sign-out whose access token an old server calls over renews it, and ends the session there")
    func signOut() async throws {
        let (backend, transport) = Cloud.backend(
            old(401, "invalid JWT: unable to parse or verify signature, token is expired by 1m"),
            Cloud.answer(200, Cloud.session()), HTTPResponse(status: 204))
        try await backend.revoke(Cloud.tokens, scope: .local)
        #expect(await transport.requests.map(\.path) == ["/logout", "/token", "/logout"])
    }

    @Test(
        "R13.4 Y-E2 A redirect whose error_code is the status says what its words say, and nothing else's",
        arguments: [
            ("error=access_denied&error_code=403&error_description=Signups+not+allowed+for+this+instance", "signup"),
            ("error=unauthorized_client&error_code=401&error_description=Email+link+is+invalid+or+has+expired", "link"),
            ("error=server_error&error_code=500&error_description=x", "fault"),
        ])
    func redirect(query: String, meaning: String) async throws {
        let codes: [String: AuthErrorCode] = [
            "signup": .signUpDisabled, "link": .oneTimeTokenInvalid, "fault": .unavailable,
        ]
        let (backend, _) = Cloud.backend(Cloud.answer(200, Cloud.session()))
        _ = try await backend.beginBrowserSignIn(provider: "google")
        let code = try #require(codes[meaning])
        await #expect(throws: AuthError(code)) {
            try await backend.signIn(.callback(url: Secret("myapp://auth?" + query)))
        }
    }
}
