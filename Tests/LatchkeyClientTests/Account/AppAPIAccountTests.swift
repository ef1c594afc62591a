// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientStorage
import ClientTestSupport
import LatchkeyClient
import Testing

@Suite("G-10.4 The end of an account, and what is held, by the server's own API") struct AppAPIAccountTests {
    private let store = MemoryStore()

    private func account(
        _ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse
    ) async throws -> (AppAPIAccount, ScriptedTransport, SessionService) {
        let transport = ScriptedTransport { request, _ throws(TransportError) in answer(request) }
        let service = SessionService(backend: ScriptedBackend(), store: store, clock: ManualClock())
        try await service.signIn(with: .anonymous)
        return (
            try AppAPIAccount(address: "https://login.example.com", service: service, transport: transport), transport,
            service
        )
    }

    private static func answer(_ body: JSONObject, _ status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, body: body.serialized())
    }
    private static func refusal(_ code: String, _ status: Int) -> HTTPResponse {
        answer(["error": .string(code), "code": .string(code)], status)
    }

    @Test("G-10.2 what a deletion means is told before it is asked for, and nothing is deleted by asking")
    func explanation() async throws {
        let (account, transport, service) = try await account { _ in
            Self.answer([
                "graceSeconds": 604_800, "needsRecentSignIn": true, "needsSecondFactor": false,
                "explanation": "All of it.", "erased": ["profile", 7, "activities"], "kept": ["audit"],
            ])
        }
        let found = try #require(try await account.explainDeletion())
        #expect(found.grace == .days(7) && found.needsRecentSignIn && !found.needsSecondFactor)
        #expect(found.erased == ["profile", "activities"] && found.kept == ["audit"] && found.text == "All of it.")
        let request = try #require(await transport.requests.first)
        #expect(request.method == "GET" && request.url == "https://login.example.com/v1/account/deletion")
        #expect(request.headers.contains { $0.name == "Authorization" && $0.value == "Bearer access-0" })
        guard case .signedIn = service.state else { throw AuthError(.internalFailure) }
    }

    @Test(
        "G-10.4 G-10.5 an account that is deleted, at once or after its time of grace, leaves nothing of the session here",
        arguments: [(200, nil as String?), (202, "2026-12-01T00:00:00Z")])
    func deletion(status: Int, due: String?) async throws {
        let (account, transport, service) = try await account { _ in
            Self.answer(due.map { ["deletionDueAt": .string($0)] } ?? [:], status)
        }
        #expect(try await account.delete().dueAt == due.flatMap { Instant(rfc3339: $0) })
        #expect(await transport.requests.map(\.method) == ["DELETE"])
        guard case .signedOut(.accountDeleted) = service.state else { throw AuthError(.internalFailure) }
        #expect(try await store.read(.session) == nil)
    }

    @Test(
        "G-10.4 what the server wants first, and what it can't do now, ends no session and clears nothing",
        arguments: [
            ("reauthentication_needed", 403, AuthErrorCode.reauthenticationNeeded),
            ("insufficient_assurance", 403, .insufficientAssurance), ("rate_limited", 429, .rateLimited),
            ("made_up", 500, .unavailable),
        ])
    func refused(code: String, status: Int, expected: AuthErrorCode) async throws {
        let (account, _, service) = try await account { _ in Self.refusal(code, status) }
        let error = await #expect(throws: AuthError.self) { try await account.delete() }
        #expect(error?.code == expected)
        await #expect(throws: AuthError(expected)) { try await account.requestExport() }
        guard case .signedIn = service.state else { throw AuthError(.internalFailure) }
        #expect(try await store.read(.session) != nil)
    }

    @Test("G-10.4 R13.1 a token that is over is renewed once, and the account is deleted by the next one")
    func renewed() async throws {
        let (account, transport, _) = try await account { request in
            let isOld = request.headers.contains { $0.value == "Bearer access-0" }
            return isOld ? Self.refusal("token_expired", 401) : Self.answer([:])
        }
        _ = try await account.delete()
        #expect(await transport.requests.map { $0.headers[0].value } == ["Bearer access-0", "Bearer access-1"])
    }

    @Test("G-10.4 an export is asked for, and its link lives as long as the server says")
    func export() async throws {
        let (account, transport, _) = try await account { _ in
            Self.answer(["expiresAt": "2026-11-24T00:00:00Z"], 202)
        }
        #expect(try await account.requestExport() == Instant(rfc3339: "2026-11-24T00:00:00Z"))
        let request = try #require(await transport.requests.first)
        #expect(request.method == "POST" && request.url == "https://login.example.com/v1/account/export")
    }

    @Test("F-8 no server is asked in the clear")
    func insecure() async throws {
        let (_, transport, service) = try await account { _ in Self.answer([:]) }
        #expect(throws: AuthError(.insecureTransport)) {
            try AppAPIAccount(address: "http://login.example.com", service: service, transport: transport)
        }
        #expect(throws: AuthError(.invalidRequest)) {
            try AppAPIAccount(address: "login", service: service, transport: transport)
        }
    }
}
