// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientStorage
import ClientTestSupport
import LatchkeyClient
import Testing

@Suite("G-6 The user's sessions by the server's own API") struct AppAPISessionsTests {
    private func sessions(
        _ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse
    ) async throws -> (AppAPISessions, ScriptedTransport, SessionService) {
        let transport = ScriptedTransport { request, _ throws(TransportError) in answer(request) }
        let service = SessionService(backend: ScriptedBackend(), store: MemoryStore(), clock: ManualClock())
        try await service.signIn(with: .anonymous)
        let client = try AuthenticatedClient(
            baseURL: "https://login.example.com", service: service, transport: transport)
        return (AppAPISessions(client), transport, service)
    }

    private static func answer(_ body: JSONObject, _ status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, body: body.serialized())
    }

    @Test("G-6.2 G-6.6 all pages are read, and what the server does not say is left open")
    func list() async throws {
        let (sessions, transport, _) = try await sessions { request in
            guard request.url.hasSuffix("&cursor=next") else {
                return Self.answer([
                    "sessions": [
                        [
                            "id": "one", "device": "Phone", "operatingSystem": "iOS 26", "appVersion": "4.2",
                            "app": "Yoga", "address": "192.0.2.0", "createdAt": "2026-05-01T00:00:00Z",
                            "lastActiveAt": "2026-05-02T00:00:00Z", "current": true, "remembered": true,
                        ], ["device": "nameless"],
                    ], "nextCursor": "next",
                ])
            }
            return Self.answer(["sessions": [["id": "two", "current": false]], "nextCursor": nil])
        }
        let found = try await sessions.list()
        #expect(
            found == [
                DeviceSession(
                    id: "one", device: "Phone", system: "iOS 26", appVersion: "4.2", app: "Yoga", network: "192.0.2.0",
                    signedIn: Instant(rfc3339: "2026-05-01T00:00:00Z"),
                    lastUsed: Instant(rfc3339: "2026-05-02T00:00:00Z"), isCurrent: true,
                    isRemembered: true),
                DeviceSession(id: "two"),
            ])
        let requests = await transport.requests
        #expect(requests.map(\.url).allSatisfy { $0.hasPrefix("https://login.example.com/v1/sessions?limit=100") })
        #expect(requests.count == 2)
    }

    @Test("G-6.3 G-6.4 one is ended by its identifier and no other path, and one that is over is no error")
    func revoke() async throws {
        let (sessions, transport, _) = try await sessions { request in
            request.url.hasSuffix("/gone")
                ? Self.answer(["error": "not_found", "code": "not_found"], 404) : Self.answer(["ended": 1])
        }
        try await sessions.revoke("0b6ea1b4-1")
        try await sessions.revoke("gone")
        try await sessions.revokeOthers()
        for bad in ["", "../account", "a/b", "a?others=true", "a%2Fb", "é"] {
            await #expect(throws: AuthError(.invalidRequest)) { try await sessions.revoke(bad) }
        }
        #expect(
            await transport.requests.map { "\($0.method) \($0.url.dropFirst(25))" } == [
                "DELETE /v1/sessions/0b6ea1b4-1", "DELETE /v1/sessions/gone", "DELETE /v1/sessions?others=true",
            ])
    }

    @Test("G-6.5 a device whose session was ended elsewhere is signed out with its next call, and says why")
    func ended() async throws {
        let backend = ScriptedBackend()
        let transport = ScriptedTransport { _, _ throws(TransportError) in
            Self.answer(["error": "invalid_token", "code": "session_not_found"], 401)
        }
        let service = SessionService(backend: backend, store: MemoryStore(), clock: ManualClock())
        try await service.signIn(with: .anonymous)
        backend.onRefresh { _, _ throws(AuthError) in throw AuthError(.refreshTokenNotFound) }
        let client = try AuthenticatedClient(
            baseURL: "https://login.example.com", service: service, transport: transport)
        await #expect(throws: AuthError.self) { _ = try await AppAPISessions(client).list() }
        guard case .signedOut(let reason) = service.state else {
            Issue.record("\(service.state)")
            return
        }
        #expect(reason == .sessionRevoked && reason.message.key == .signedOutRevoked)
    }
}
