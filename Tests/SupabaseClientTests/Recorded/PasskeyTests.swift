// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import Testing

@testable import SupabaseClient

/// Passkeys of a project. Requests and answers have the forms of the service's own handlers for `/passkeys` and
/// `/factors`; options those of Web Authentication Level 3, section 5.1: bare for passkeys, within `publicKey` for
/// security keys as second factors.
struct PasskeyTests {
    private static let creation: JSONObject = [
        "rp": ["id": "example.com", "name": "Example"], "challenge": "q0l4Tz3WzvSGUgWCzvBXCw",
        "user": [
            "id": "MTExMTExMTEtMjIyMi00MzMzLTg0NDQtNTU1NTU1NTU1NTU1", "name": "ada@example.com",
            "displayName": "ada@example.com",
        ],
        "pubKeyCredParams": [["type": "public-key", "alg": -7], ["type": "public-key", "alg": -257]],
        "timeout": 300_000, "excludeCredentials": [], "attestation": "none",
        "authenticatorSelection": [
            "residentKey": "required", "requireResidentKey": true, "userVerification": "preferred",
        ],
    ]
    private static let request: JSONObject = [
        "challenge": "U2lnbiBpbiBoZXJl", "timeout": 300_000, "rpId": "example.com", "userVerification": "preferred",
        "allowCredentials": [],
    ]
    private static let factor = "b3c1d2e4-0000-4000-8000-000000000001"

    private let authenticator = ScriptedAuthenticator()

    private func backend(
        _ authenticator: ScriptedAuthenticator?, _ answer: @escaping @Sendable (String) -> HTTPResponse
    ) -> (SupabaseBackend, ScriptedTransport) {
        let transport = ScriptedTransport { request, _ throws(TransportError) in
            let path = request.url.dropFirst("https://xyz.supabase.co/auth/v1".count)
            return answer(request.method + " " + path)
        }
        return (SupabaseBackend(Cloud.configuration, transport: transport, authenticator: authenticator), transport)
    }

    private func bodies(_ transport: ScriptedTransport) async throws -> [JSONObject] {
        try await transport.requests.filter { !$0.body.isEmpty }.map { try JSONObject(parsing: $0.body) }
    }

    private static func question(_ options: JSONObject) -> HTTPResponse {
        Cloud.answer(
            200, ["challenge_id": "0f7e", "options": .object(options), "expires_at": 1_795_374_343])
    }

    @Test("G-9 Whoever's passkey is shown is signed in: nobody says before who they are")
    func signIn() async throws {
        let (backend, transport) = backend(authenticator) { call in
            call == "POST /passkeys/authentication/options"
                ? Self.question(Self.request) : Cloud.answer(200, Cloud.session())
        }
        guard case .session(let grant) = try await backend.signIn(.passkey(identifier: nil)) else {
            throw AuthError(.unsupported)
        }
        #expect(grant.user?.email == "ada@example.com" && authenticator.asked == [Self.request])
        #expect(
            try await bodies(transport) == [
                [:], ["challenge_id": "0f7e", "credential": .object(ScriptedAuthenticator.assertion)],
            ])
        #expect(await transport.requests.last?.url == "https://xyz.supabase.co/auth/v1/passkeys/authentication/verify")
    }

    @Test("G-9 A passkey is made in a session, listed with its times, and taken away by its identifier alone")
    func account() async throws {
        let (backend, transport) = backend(authenticator) { call in
            switch call {
            case "POST /passkeys/registration/options": Self.question(Self.creation)
            case "POST /passkeys/registration/verify":
                Cloud.answer(
                    200, ["id": "p1", "friendly_name": "iCloud Keychain", "created_at": "2026-11-22T19:07:23Z"])
            case "GET /passkeys":
                HTTPResponse(
                    status: 200,
                    body: Array(
                        #"[{"id":"p1","friendly_name":"iCloud Keychain","created_at":"2026-11-22T19:07:23.4Z","last_used_at":"2026-11-23T00:00:00Z"},{"id":""},7,{"id":"p2","created_at":"yesterday"}]"#
                            .utf8))
            default: HTTPResponse(status: 204)
            }
        }
        try await backend.addPasskey(Cloud.tokens)
        #expect(authenticator.asked == [Self.creation])
        #expect(
            try await bodies(transport).last == [
                "challenge_id": "0f7e", "credential": .object(ScriptedAuthenticator.registration),
            ])
        let found = try await backend.passkeys(Cloud.tokens)
        #expect(found.map(\.id) == ["p1", "p2"] && found[0].name == "iCloud Keychain")
        #expect(found[0].lastUsedAt == Instant(rfc3339: "2026-11-23T00:00:00Z") && found[1].createdAt == nil)
        try await backend.removePasskey("../user", Cloud.tokens)
        let last = try #require(await transport.requests.last)
        #expect(last.method == "DELETE" && last.url == "https://xyz.supabase.co/auth/v1/passkeys/..%2Fuser")
        let shown = await transport.requests.allSatisfy { request in
            request.headers.contains { $0.name == "Authorization" && $0.value.hasPrefix("Bearer ") }
        }
        #expect(shown)
    }

    @Test(
        "G-9 A security key raises the session by the challenge of its factor, and only by the key that was asked for")
    func securityKey() async throws {
        let factors: JSONValue = [
            [
                "id": .string(Self.factor), "factor_type": "webauthn", "status": "verified", "friendly_name": "Key",
                "created_at": "2026-11-22T19:07:23Z",
            ]
        ]
        let (backend, transport) = backend(authenticator) { call in
            if call == "GET /user" { return Cloud.answer(200, Cloud.user(factors: factors)) }
            if call.hasSuffix("/challenge") {
                return Cloud.answer(
                    200,
                    [
                        "id": "c9", "type": "webauthn", "expires_at": 1_795_374_343,
                        "webauthn": [
                            "type": "request", "credential_options": ["publicKey": .object(Self.request)],
                        ],
                    ])
            }
            return Cloud.answer(200, Cloud.session(aal: "aal2", factors: factors))
        }
        let step = try await backend.beginStepUp(Cloud.tokens)
        #expect(step.kind == .passkey && step.takesBackupCode)
        guard case .session = try await backend.stepUp(step, with: .passkey, Cloud.tokens) else {
            throw AuthError(.unsupported)
        }
        #expect(authenticator.asked == [Self.request])
        #expect(
            try await bodies(transport).last == [
                "challenge_id": "c9",
                "webauthn": [
                    "type": "request", "credential_response": .object(ScriptedAuthenticator.assertion),
                ],
            ])
        // Where the app gave no authenticator, nobody is asked for what they can't show.
        let (without, _) = self.backend(nil) { _ in Cloud.answer(200, Cloud.user(factors: factors)) }
        await #expect(throws: AuthError(.factorNotFound)) { try await without.beginStepUp(Cloud.tokens) }
    }

    @Test(
        "G-9 What a service refuses, and what is no challenge, makes no passkey and ends no session",
        arguments: [
            (422, "webauthn_credential_exists", AuthErrorCode.factorExists),
            (422, "too_many_passkeys", .tooManyFactors),
            (404, "passkey_disabled", .unsupported), (403, "insufficient_aal", .insufficientAssurance),
        ])
    func refused(status: Int, said: String, code: AuthErrorCode) async throws {
        let (backend, _) = backend(authenticator) { _ in Cloud.errors(status, said)[0] }
        let error = await #expect(throws: AuthError.self) { try await backend.addPasskey(Cloud.tokens) }
        #expect(error?.code == code && error?.code.endsSession == false && authenticator.asked.isEmpty)
        for body: JSONObject in [[:], ["challenge_id": "1"], ["options": [:]], ["challenge_id": 1, "options": [:]]] {
            let (odd, _) = self.backend(authenticator) { _ in Cloud.answer(200, body) }
            await #expect(throws: AuthError(.unavailable)) { try await odd.addPasskey(Cloud.tokens) }
            await #expect(throws: AuthError(.unavailable)) { try await odd.signIn(.passkey(identifier: nil)) }
        }
        #expect(authenticator.asked.isEmpty)
    }
}
