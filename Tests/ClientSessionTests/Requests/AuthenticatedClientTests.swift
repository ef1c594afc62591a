// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import TestSupport
import Testing

struct AuthenticatedClientTests {
    /// Answers 200 to that token, and 401 to every other.
    private static func transport(taking token: String, _ body: String = "{}") -> ScriptedTransport {
        ScriptedTransport { request, _ throws(TransportError) in
            let shown = request.headers.first { $0.name == "Authorization" }?.value
            return HTTPResponse(status: shown == "Bearer \(token)" ? 200 : 401, body: Array(body.utf8))
        }
    }

    @Test("R13.1 Y-E5 Y-US2 C-8 A hundred requests that are refused make one refresh, and each is repeated once")
    func refused() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let transport = Self.transport(taking: "access-1")
        let client = try AuthenticatedClient(
            baseURL: "https://api.example.org", service: bench.service, transport: transport)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { try await client.send("GET", "/v1/me").status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 100))
        #expect(bench.backend.refreshes == 1)
        #expect(await transport.requests.count <= 200)
    }

    @Test("R13.1 Y-E5 A new token of the same second reads as the refused one did, and cures all who were refused")
    func sameText() async throws {
        let bench = ServiceBench()
        bench.backend.onRefresh { _, _ throws(AuthError) in
            // The same claims, signed in the same second.
            SessionGrant(
                tokens: TokenSet(
                    accessToken: Secret("access-0"), refreshToken: Secret("refresh-1"), lifetime: .hours(1)),
                user: nil, serverDate: nil)
        }
        try await bench.signIn()
        let backend = bench.backend
        let transport = ScriptedTransport { _, _ throws(TransportError) in
            HTTPResponse(status: backend.refreshes == 0 ? 401 : 200)
        }
        let client = try AuthenticatedClient(
            baseURL: "https://api.example.org", service: bench.service, transport: transport)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { try await client.send("GET", "/v1/me").status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 100))
        #expect(bench.backend.refreshes == 1)
        // By the text alone as well, and without another refresh.
        #expect(try await bench.service.accessToken(insteadOf: Secret("access-0")).reveal() == "access-0")
        #expect(bench.backend.refreshes == 1)
    }

    @Test("R13.1 A second 401 is returned: no request is repeated twice, and no token is asked for each time")
    func refusedAgain() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let transport = Self.transport(taking: "none")
        let client = try AuthenticatedClient(
            baseURL: "https://api.example.org", service: bench.service, transport: transport)
        for _ in 0..<5 { #expect(try await client.send("GET", "/v1/me").status == 401) }
        #expect(bench.backend.refreshes == 1)
        #expect(await transport.requests.count == 6)
    }

    @Test(
        "R13.1 F-8 Nothing but https takes a token off the device",
        arguments: [
            "http://api.example.org", "http://127.0.0.1.example.org", "http://localhost.example.org",
            "http://0x7f000001",
            "http://127.1", "http://127.0.0.01", "http://[::2]", "http://10.0.0.1",
        ])
    func insecure(_ url: String) async throws {
        let bench = ServiceBench()
        #expect(throws: AuthError(.insecureTransport)) {
            try AuthenticatedClient(
                baseURL: url, service: bench.service, transport: Self.transport(taking: "access-0"))
        }
        await #expect(throws: TransportError.insecure) { try await SystemTransport().send(HTTPRequest("GET", url)) }
    }

    @Test(
        "R13.1 F-8 An address that two readers could read differently is none",
        arguments: [
            "", "api.example.org", "ftp://example.org", "https://", "https://user@example.org", "https://exa mple.org",
            "https://example.org\\@evil.org", "https://example.org:99999", "https://example.org:+1",
            "https://%65vil.org",
            "https://[::1", "https://exämple.org",
        ])
    func noOrigin(_ url: String) {
        #expect(ServiceOrigin(of: url) == nil)
    }

    @Test(
        "R13.1 No path takes the token to another host",
        arguments: ["", ".evil.org/", "@evil.org/", ":8443/", "\\evil", "//evil.org/\\", "https://evil.org/"])
    func otherOrigin(_ path: String) async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let transport = Self.transport(taking: "access-0")
        let client = try AuthenticatedClient(
            baseURL: "https://api.example.org", service: bench.service, transport: transport)
        await #expect(throws: AuthError(.invalidRequest)) { try await client.send("GET", path) }
        #expect(await transport.requests.isEmpty)
    }

    @Test("R13.1 Y-US4 A circle of any length ends a list")
    func circle() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let transport = ScriptedTransport { _, count throws(TransportError) in
            HTTPResponse(status: 200, body: Array(#"{"activities":[],"nextCursor":"c\#(count % 3)"}"#.utf8))
        }
        let client = try AuthenticatedClient(
            baseURL: "https://api.example.org", service: bench.service, transport: transport)
        var count = 0
        for try await _ in client.activities where count < 100 { count += 1 }
        #expect(count == 4)
    }

    @Test("R13.1 Y-US4 A list comes page after page, and a service that goes in circles ends it")
    func pages() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let transport = ScriptedTransport { request, count throws(TransportError) in
            let cursor = request.url.split(separator: "=").dropFirst().first.map(String.init) ?? ""
            let next = cursor == "c%262" ? "" : #","nextCursor":"\#(cursor == "c1" ? "c&2" : "c1")""#
            return HTTPResponse(status: 200, body: Array(#"{"activities":[{"id":"\#(count)"}]\#(next)}"#.utf8))
        }
        let client = try AuthenticatedClient(
            baseURL: "https://api.example.org", service: bench.service, transport: transport)
        var ids: [String] = []
        for try await page in client.pages("/v1/activities", items: "activities") {
            ids += page.items.compactMap { $0["id"]?.stringValue }
        }
        #expect(ids == ["0", "1", "2"])
        #expect(await transport.requests.last?.url == "https://api.example.org/v1/activities?cursor=c%262")

        let circle = ScriptedTransport { _, _ throws(TransportError) in
            HTTPResponse(status: 200, body: Array(#"{"activities":[],"nextCursor":"same"}"#.utf8))
        }
        let again = try AuthenticatedClient(
            baseURL: "https://api.example.org", service: bench.service, transport: circle)
        for try await _ in again.pages("/v1/activities", items: "activities") {}
        #expect(await circle.requests.count == 2)
    }

    @Test("R13.1 Y-US3 F10 What an API refuses has its code, and a page of somebody else's is no answer")
    func errors() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let answers: [(Int, String, AuthErrorCode)] = [
            (403, #"{"error":"forbidden","code":"insufficient_assurance"}"#, .insufficientAssurance),
            (403, "{}", .forbidden),
            (429, "", .rateLimited), (500, "<html>", .unavailable), (200, "<html>Sign in to the hotel", .unavailable),
        ]
        for (status, body, code) in answers {
            let transport = ScriptedTransport { _, _ throws(TransportError) in
                HTTPResponse(status: status, headers: [HTTPHeader("Retry-After", "7")], body: Array(body.utf8))
            }
            let client = try AuthenticatedClient(
                baseURL: "http://127.0.0.1:8080", service: bench.service, transport: transport)
            await #expect(throws: AuthError(code)) { try await client.me() }
            #expect(bench.service.state.name == "signedIn(ada)")
        }
    }

    @Test("R13.1 G-14.1 G-14.2 G-14.3 A model for screens follows the states")
    @MainActor func model() async throws {
        let bench = ServiceBench()
        await bench.service.restore()
        let model = SessionModel(service: bench.service)
        #expect(model.state.name == "signedOut(neverSignedIn)")
        let following = Task { await model.follow() }
        try await bench.signIn()
        try await eventually("the model shows who signed in") { model.user?.subject == "ada" }
        await bench.service.signOut(SignOutOptions())
        try await eventually("the model shows that nobody is signed in") { model.user == nil }
        #expect(model.state.name == "signedOut(userSignedOut)")
        following.cancel()
    }
}
