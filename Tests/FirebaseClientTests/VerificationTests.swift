// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientStorage
import ClientTestSupport
import FirebaseClient
import Testing

/// Firebase lets in whoever has not confirmed their address (G-4.5), and mails to nobody else.
struct VerificationTests {
    private static let date = Instant(seconds: 1_795_374_443)

    private static func token(verified: Bool) -> String {
        let claims: JSONObject = [
            "sub": "u1", "email": "ada@example.com", "email_verified": .bool(verified), "exp": 1_795_378_043,
            "firebase": ["sign_in_provider": "password"],
        ]
        return ["{}", claims.text, "s"].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
    }

    private func service(
        refusing code: String? = nil
    ) async throws -> (SessionService, ScriptedTransport) {
        let transport = ScriptedTransport { request, _ in
            let mails = request.url.contains("accounts:sendOobCode")
            if mails, let code {
                let error: JSONObject = ["code": 400, "message": .string(code)]
                return HTTPResponse(
                    status: 400, body: JSONObject(dictionaryLiteral: ("error", .object(error))).serialized())
            }
            let answer: JSONObject =
                mails
                ? ["kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": "ada@example.com"]
                : ["idToken": .string(Self.token(verified: false)), "refreshToken": "r", "expiresIn": "3600"]
            return HTTPResponse(
                status: 200, headers: [HTTPHeader("Date", "Sun, 22 Nov 2026 19:07:23 GMT")], body: answer.serialized())
        }
        let backend = FirebaseBackend(FirebaseConfiguration(apiKey: "AIza"), transport: transport)
        let service = SessionService(backend: backend, store: MemoryStore(), clock: ManualClock(now: Self.date))
        await service.restore()
        return (service, transport)
    }

    @Test(
        "R13.4 G-4.3 G-4.4 Whoever is in without having confirmed gets the mail once more, by the same call as anywhere"
    )
    func resends() async throws {
        let (service, transport) = try await service()
        try await service.signIn(with: .password(identifier: "ada@example.com", password: Secret("hidden-1")))
        try await service.resendConfirmation(to: "ada@example.com")
        let sent = try #require(await transport.requests.last)
        #expect(sent.url.contains("accounts:sendOobCode"))
        #expect(
            try JSONObject(parsing: sent.body) == [
                "requestType": "VERIFY_EMAIL", "idToken": .string(Self.token(verified: false)),
            ])
        // To nobody else, and never to an address that is not the session's.
        await #expect(throws: AuthError(.unsupported)) { try await service.resendConfirmation(to: "bob@example.com") }
        #expect(await transport.requests.count == 2)
    }

    @Test("R13.4 G-4.4 Nobody signed in: the service mails to nobody; too many mails are a limit")
    func refuses() async throws {
        let (nobody, _) = try await service()
        await #expect(throws: AuthError(.unsupported)) { try await nobody.resendConfirmation(to: "ada@example.com") }
        let (limited, _) = try await service(refusing: "TOO_MANY_ATTEMPTS_TRY_LATER")
        try await limited.signIn(with: .password(identifier: "ada@example.com", password: Secret("hidden-1")))
        await #expect(throws: AuthError(.rateLimited)) { try await limited.resendConfirmation(to: "ada@example.com") }
    }
}
