// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientStorage
import ClientTestSupport
import Testing

@testable import ClientSession
@testable import CognitoClient

/// Whose the kit and the credentials are, when sign-ins and sign-outs overtake each other.
struct HybridFollowingTests {
    private let bench = HybridBackendTests()

    private func service(_ backend: HybridBackend, _ store: any SecureStore = MemoryStore()) -> SessionService {
        SessionService(backend: backend, store: store, clock: bench.clock)
    }

    private func signIn(_ subject: String, to backend: HybridBackend) async throws -> SessionGrant {
        bench.kit.subject.withLock { $0 = subject }
        return try bench.grant(try await backend.signIn(bench.proof))
    }

    @Test("R13.3 H-5 A sign-out that is heard late, or again, empties nothing of whoever signed in since")
    func late() async throws {
        let backend = bench.backend(bench.service())
        let ada = try await signIn("google-1", to: backend)
        await backend.sessionBecame(ada.tokens)
        let grace = try await signIn("google-2", to: backend)
        await backend.sessionBecame(grace.tokens)
        for _ in 0..<3 { try await backend.revoke(ada.tokens, scope: .local) }
        #expect(bench.kit.calls.value == ["signIn", "signIn"])
        _ = try await backend.credentials.credentials()
        // One's own is heard once.
        await backend.sessionBecame(nil)
        for _ in 0..<3 { try await backend.revoke(grace.tokens, scope: .local) }
        #expect(bench.kit.calls.value == ["signIn", "signIn", "signOut"])
        await #expect(throws: AuthError(.notSignedIn)) { try await backend.credentials.credentials() }
        let again = try await signIn("google-2", to: backend)
        try await backend.revoke(grace.tokens, scope: .local)
        #expect(bench.kit.calls.value == ["signIn", "signIn", "signOut", "signIn"])
        _ = try await backend.refresh(again.tokens)
    }

    @Test("R13.3 H-5 A sign-out that no network hears of is told again, and empties the kit once")
    func offlineSignOut() async throws {
        let way = SwitchingBackendTests.Way("server")
        let backend = bench.backend(bench.service(), session: way)
        let service = service(backend)
        _ = try await service.signIn(with: bench.proof)
        way.failure.withLock { $0 = AuthError(.network) }
        await service.signOut(SignOutOptions())
        way.failure.withLock { $0 = nil }
        _ = try await service.signIn(with: bench.proof)
        for _ in 0..<3 {
            bench.clock.advance(by: .minutes(5))
            for _ in 0..<50 { await Task.yield() }
        }
        while way.calls.value.count(where: { $0 == "revoke" }) < 2 { await Task.yield() }
        #expect(bench.kit.calls.value.filter { $0 != "renew" } == ["signIn", "signOut", "signIn"])
        _ = try await backend.credentials.credentials()
    }

    @Test(
        "R13.3 H-4 A sign-in that fails half way takes nothing from the same user, whose session goes on; another's kit forgets"
    )
    func failing() async throws {
        let offline = Guarded(false)
        let plain = bench.service()
        let transport = ScriptedTransport { request, count throws(TransportError) in
            if offline.value { throw .offline }
            return try await plain.send(request)
        }
        let backend = bench.backend(transport)
        let ada = try await signIn("google-1", to: backend)
        await backend.sessionBecame(ada.tokens)
        offline.withLock { $0 = true }
        await #expect(throws: AuthError.self) { try await signIn("google-1", to: backend) }
        #expect(bench.kit.calls.value == ["signIn", "signIn"])
        _ = try await backend.credentials.credentials()
        await #expect(throws: AuthError.self) { try await signIn("google-2", to: backend) }
        #expect(bench.kit.calls.value == ["signIn", "signIn", "signIn", "signOut"])
        _ = try await backend.credentials.credentials()
    }

    @Test(
        "R13.3 H-6 Credentials are of whose session counts: not of a sign-in that came to nothing, nor of who was there before"
    )
    func follow() async throws {
        let transport = bench.service()
        let backend = bench.backend(transport)
        let ada = try await signIn("google-1", to: backend)
        await backend.sessionBecame(ada.tokens)
        let logins = { () async throws -> String in
            await backend.credentials.forget()
            _ = try await backend.credentials.credentials()
            let shown = await transport.requests.last { $0.headers.contains { $0.value.hasSuffix("GetId") } }
            return String(decoding: shown?.body ?? [], as: UTF8.self)
        }
        let grace = try await signIn("google-2", to: backend)
        #expect(try await logins().contains(ada.tokens.idToken?.reveal() ?? "-"))
        // Another process has signed somebody in.
        await backend.sessionBecame(grace.tokens)
        #expect(try await logins().contains(grace.tokens.idToken?.reveal() ?? "-"))
        await backend.sessionBecame(nil)
        await #expect(throws: AuthError(.notSignedIn)) { try await backend.credentials.credentials() }
    }

    @Test("R13.3 H-6 After a start of the app there are credentials at once, whoever opens the sessions")
    func restart() async throws {
        let store = MemoryStore()
        for way in [nil, SwitchingBackendTests.Way("server")] {
            let first = service(bench.backend(bench.service(), session: way), store)
            _ = try await first.signIn(with: bench.proof)
            let backend = bench.backend(bench.service(), session: way)
            let next = service(backend, store)
            await next.restore()
            _ = try await backend.credentials.credentials()
            try await store.remove(.session)
        }
    }
}
