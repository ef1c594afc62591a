// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientStorage
import ClientTestSupport
import TestSupport
import Testing

@testable import ClientSession
@testable import CognitoClient

/// Whose the kit and the credentials are, when sign-ins and sign-outs overtake each other.
struct HybridFollowingTests {
    private let bench = HybridBackendTests()

    private func service(_ backend: HybridBackend, _ store: any SecureStore = MemoryStore()) -> SessionService {
        SessionService(backend: backend, store: store, clock: bench.clock)
    }

    private func subject(_ service: SessionService) -> String? {
        if case .signedIn(let user) = service.state { user.subject } else { nil }
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
        try await eventually("the sign-out is told again") { way.calls.value.count { $0 == "revoke" } >= 2 }
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
        #expect(bench.kit.calls.value.filter { $0 != "renew" } == ["signIn", "signIn", "signIn", "signOut"])
        _ = try await backend.credentials.credentials()
    }

    @Test(
        "R13.3 H-5 A second sign-in that its user gives up takes nothing from their session; another user's is forgotten"
    )
    func givenUp() async throws {
        let backend = bench.backend(bench.service())
        let ada = try await signIn("google-1", to: backend)
        await backend.sessionBecame(ada.tokens)
        try await backend.revoke(try await signIn("google-1", to: backend).tokens, scope: .local)
        #expect(bench.kit.calls.value == ["signIn", "signIn"])
        _ = try await backend.refresh(ada.tokens)
        try await backend.revoke(try await signIn("google-2", to: backend).tokens, scope: .local)
        #expect(bench.kit.calls.value.suffix(2) == ["signIn", "signOut"])
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

    @Test(
        "R13.3 H-3 H-5 G-10.4 Who shows at the kit that they are there goes on in their session, which loses nothing by it"
    )
    func reauthentication() async throws {
        let backend = bench.backend(bench.service())
        let ada = try await signIn("google-1", to: backend)
        await backend.sessionBecame(ada.tokens)
        let again = try bench.grant(try await backend.reauthenticate(ada.tokens, with: bench.proof))
        #expect(again.user?.subject == "5b1c" && again.tokens.lifetime == .minutes(10))
        #expect(bench.kit.calls.value == ["signIn", "signIn"])
        // What a service does with tokens that others have taken the place of.
        try await backend.revoke(ada.tokens, scope: .local)
        #expect(bench.kit.calls.value == ["signIn", "signIn"])
        _ = try await backend.credentials.credentials()
        _ = try await backend.refresh(again.tokens)
        await backend.sessionBecame(nil)
        try await backend.revoke(again.tokens, scope: .local)
        #expect(bench.kit.calls.value == ["signIn", "signIn", "renew", "signOut"])
        await #expect(throws: AuthError(.notSignedIn)) { try await backend.credentials.credentials() }
    }

    @Test(
        "R13.3 H-9 H-10 Once the old way is taken out, who came the hybrid way stays signed in, and nobody gets the others' tokens"
    )
    func oldWayRemoved() async throws {
        for way in [nil, SwitchingBackendTests.Way("server")] {
            let (store, old) = (MemoryStore(), SwitchingBackendTests.Way("old"))
            let switching = SwitchingBackend(
                old: old, new: bench.backend(bench.service(), session: way),
                flag: RolloutFlag(name: "hybrid", percentage: 100), for: "installation", clock: bench.clock)
            let before = SessionService(backend: switching, store: store, clock: bench.clock)
            _ = try await before.signIn(with: bench.proof)
            let alone = bench.backend(bench.service(), session: way, sessionName: "old")
            let after = service(alone, store)
            await after.restore()
            #expect(subject(after) == "5b1c")
            _ = try await after.accessToken()
            _ = try await alone.credentials.credentials()
            await #expect(throws: AuthError(.sessionExpired)) { try await alone.refresh(old.grant().tokens) }
            try await alone.revoke(old.grant().tokens, scope: .local)
            #expect(way?.calls.value.contains("refresh") != true && way?.calls.value.contains("revoke") != true)
        }
    }

    @Test("R13.3 H-3 G-10.4 By a service: the user's own yes is the same session, and somebody else's is refused")
    func reauthenticationByService() async throws {
        let backend = bench.backend(bench.service())
        let service = service(backend)
        bench.kit.subject.withLock { $0 = "google-1" }
        _ = try await service.signIn(with: bench.proof)
        #expect(try await service.reauthenticate(with: bench.proof) == nil)
        _ = try await backend.credentials.credentials()
        bench.kit.subject.withLock { $0 = "google-2" }
        await #expect(throws: AuthError(.reauthenticationInvalid)) {
            try await service.reauthenticate(with: bench.proof)
        }
        // A kit has one user: it does not keep somebody else's token for this session.
        #expect(bench.kit.calls.value == ["signIn", "signIn", "signIn", "signOut"])
        #expect(subject(service) == "5b1c")
        bench.kit.failure.withLock { $0 = AuthError(.cancelled) }
        await #expect(throws: AuthError(.cancelled)) { try await service.reauthenticate(with: bench.proof) }
    }

    @Test("R13.3 H-6 On a device whose clock is behind, a token that is over at the pool is renewed, and once")
    func clockBehind() async throws {
        let plain = bench.service()
        let shown = Guarded<[String]>([])
        let isOver = Guarded(false)
        let transport = ScriptedTransport { [kit = bench.kit] request, _ throws(TransportError) in
            guard isOver.value, request.headers.contains(where: { $0.value.hasSuffix("GetCredentialsForIdentity") })
            else { return try await plain.send(request) }
            shown.withLock { $0.append(String(decoding: request.body, as: UTF8.self)) }
            guard kit.calls.value.contains("renew") else {
                return Recorded.refusal("NotAuthorizedException", "Invalid login token. Token expired: 2 >= 1")
            }
            return try await plain.send(request)
        }
        let backend = bench.backend(transport)
        _ = try await signIn("google-1", to: backend)
        isOver.withLock { $0 = true }
        bench.clock.advance(by: .hours(1))
        bench.clock.set(Recorded.date)
        #expect(try await backend.credentials.credentials().accessKeyID == "ASIA1")
        #expect(bench.kit.calls.value == ["signIn", "renew"] && shown.value.count == 2)
        #expect(shown.value.first != shown.value.last)
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
