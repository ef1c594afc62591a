// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientStorage
import ClientTestSupport
import TestSupport
import Testing

@testable import ClientSession

/// What was begun as one user is never gone on with as another.
struct AnotherUserTests {
    private func become(_ subject: String, _ bench: ServiceBench) async throws {
        bench.backend.onSignIn { _ throws(AuthError) in
            .session(ScriptedBackend.grant(7, user: SessionUser(subject: subject)))
        }
        try await bench.signIn()
    }

    @Test(
        "R13.1 G-13.3 A request that is refused after another user came, or the user came anew, is not repeated as them"
    )
    func request() async throws {
        for subject in ["grace", "ada"] {
            let bench = ServiceBench()
            try await bench.signIn()
            let gate = Gate()
            let transport = ScriptedTransport { _, _ in
                await gate.pass()
                return HTTPResponse(status: 401)
            }
            let client = try AuthenticatedClient(
                baseURL: "https://api.example.org", service: bench.service, transport: transport)
            let sending = Task { try await client.send("POST", "/v1/notes", body: Array("ada's".utf8)) }
            try await gate.untilReached()
            try await become(subject, bench)
            await gate.open()
            await #expect(throws: AuthError(.superseded)) { try await sending.value }
            #expect(await transport.requests.count == 1)
            await #expect(throws: AuthError(.superseded)) {
                try await bench.service.accessToken(insteadOf: Secret("access-0"))
            }
        }
    }

    @Test("R13.1 G-7.4 A request that is one user's is not sent with another's token")
    func bound() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let transport = ScriptedTransport { _, _ in HTTPResponse(status: 200) }
        let client = try AuthenticatedClient(
            baseURL: "https://api.example.org", service: bench.service, transport: transport)
        await #expect(throws: AuthError(.superseded)) { try await client.send("POST", "/v1/notes", as: "grace") }
        #expect(await transport.requests.isEmpty)
        #expect(try await client.send("POST", "/v1/notes", as: "ada").status == 200)
    }

    @Test("R13.1 What the service said of one user is not given to who asks after another has come")
    func user() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let gate = Gate()
        bench.backend.onUser { _ throws(AuthError) in
            await gate.pass()
            return SessionUser(subject: "ada")
        }
        let asking = Task { try await bench.service.refreshUser() }
        try await gate.untilReached()
        try await become("grace", bench)
        await gate.open()
        await #expect(throws: AuthError(.superseded)) { try await asking.value }
        #expect(bench.service.state.name == "signedIn(grace)")
    }

    @Test("R13.1 G-10.3 An operation that waited for its turn is done to nobody's account but who asked for it")
    func waited() async throws {
        for subject in ["grace", "ada"] {
            let bench = ServiceBench()
            try await bench.signIn()
            let gate = Gate()
            let first = Task {
                try await bench.service.withTokens { _ -> SessionGrant in
                    await gate.pass()
                    return ScriptedBackend.grant(3)
                }
            }
            try await gate.untilReached()
            let deleted = Guarded(0)
            let deleting = Task {
                try await bench.service.deleteAccount { _ throws(AuthError) in
                    deleted.withLock { $0 += 1 }
                    return AccountDeletion()
                }
            }
            try await eventually("the deletion waits for its turn") { bench.service.operations.waiting > 0 }
            try await become(subject, bench)
            await gate.open()
            await #expect(throws: AuthError(.superseded)) { try await first.value }
            if subject == "grace" {
                await #expect(throws: AuthError(.superseded)) { try await deleting.value }
                #expect(deleted.value == 0 && bench.service.state.name == "signedIn(grace)")
            } else {
                // The same user, who came anew, has asked for it.
                _ = try await deleting.value
                #expect(deleted.value == 1)
            }
        }
    }

    @Test("R13.1 Two users whose identifiers Swift takes for one text are two: nothing of the first is the second's")
    func spelled() async throws {
        let (one, two) = ("\u{E9}", "e\u{301}")
        #expect(one == two)
        let bench = ServiceBench()
        try await become(one, bench)
        try await become(two, bench)
        #expect(bench.log.subjects.value.map { $0.map { Array($0.utf8) } } == [Array(one.utf8)])
        // Neither is an answer about the one an answer about the other.
        bench.clock.advance(by: .hours(2))
        bench.backend.onRefresh { _, _ throws(AuthError) in ScriptedBackend.grant(2, user: SessionUser(subject: one)) }
        await #expect(throws: AuthError.self) { try await bench.service.accessToken() }
        let present = bench.service.state
        guard case .offline(_, let user) = present else {
            Issue.record("\(present.name)")
            return
        }
        #expect(Array(user.subject.utf8) == Array(two.utf8))
    }

    @Test(
        "R13.1 G-7.4 What is kept beside a session hears of the last user last, however long it takes over the one before"
    )
    func ready() async throws {
        final class Slow: SessionCompanion {
            let gate = Gate()
            let heard = Guarded<[String]>([])
            func sessionEnded(_ options: SignOutOptions, of subject: String?) async {}
            func sessionReady(_ user: SessionUser) async {
                if user.subject == "ada" { await gate.pass() }
                heard.withLock { $0.append(user.subject) }
            }
        }
        let (slow, backend) = (Slow(), ScriptedBackend())
        let service = SessionService(
            backend: backend, store: MemoryStore(), clock: ManualClock(), companions: [slow])
        try await service.signIn(with: .anonymous)
        try await slow.gate.untilReached()
        backend.onSignIn { _ throws(AuthError) in
            .session(ScriptedBackend.grant(7, user: SessionUser(subject: "grace")))
        }
        try await service.signIn(with: .anonymous)
        try await eventually("the second user waits for their turn") { service.readying.waiting > 0 }
        #expect(slow.heard.value.isEmpty)
        await slow.gate.open()
        try await eventually("the second user is told of") { slow.heard.value.last == "grace" }
        #expect(slow.heard.value == ["ada", "grace"])
    }

    @Test("R13.1 A session that the service gives without saying whose it is does not live on there")
    func nobodys() async throws {
        let bench = ServiceBench()
        await bench.service.restore()
        bench.backend.onSignIn { _ throws(AuthError) in .session(ScriptedBackend.grant(6)) }
        await #expect(throws: AuthError(.internalFailure)) { try await bench.signIn() }
        try await bench.backend.untilAsked(.revoke("refresh-6", .local))
        #expect(bench.service.state.name == "signedOut(neverSignedIn)")
    }

    @Test("R13.1 Tokens that an operation brings of another user are given back, and it has not succeeded")
    func operation() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        await #expect(throws: AuthError(.reauthenticationInvalid)) {
            try await bench.service.withTokens { _ in
                ScriptedBackend.grant(8, user: SessionUser(subject: "grace"))
            }
        }
        try await bench.backend.untilAsked(.revoke("refresh-8", .local))
        #expect(try await bench.service.accessToken().reveal() == "access-0")
    }

    @Test(
        "R13.1 What a refresh, or an operation, brings of one user when another has come lives on nowhere",
        .timeLimit(.minutes(1)), arguments: [nil, SecureStoreError.locked])
    func late(fault: SecureStoreError?) async throws {
        let store = FaultyStore()
        let bench = ServiceBench(store: store)
        let (refreshing, operating) = (Gate(), Gate())
        bench.backend.onRefresh { _, _ throws(AuthError) in
            await refreshing.pass()
            return ScriptedBackend.grant(1)
        }
        try await bench.signIn()
        let operation = Task {
            try await bench.service.withTokens { _ -> SessionGrant in
                await operating.pass()
                return ScriptedBackend.grant(2)
            }
        }
        try await operating.untilReached()
        bench.clock.advance(by: .hours(2))
        let caller = Task { try await bench.service.accessToken() }
        try await refreshing.untilReached()
        await store.fail(with: fault)
        try await become("grace", bench)
        await #expect(throws: AuthError(.superseded)) { try await caller.value }
        await refreshing.open()
        await operating.open()
        await #expect(throws: AuthError(.superseded)) { try await operation.value }
        for token in ["refresh-1", "refresh-2"] {
            try await bench.backend.untilAsked(.revoke(token, .local))
        }
        #expect(!bench.backend.calls.contains(.revoke("refresh-7", .local)))
        #expect(bench.service.state.name == "signedIn(grace)")
    }

    @Test(
        "R13.1 A session of its own that an operation brings when its user has come anew is nobody's, and is ended",
        .timeLimit(.minutes(1)))
    func own() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let gate = Gate()
        let linking = Task {
            try await bench.service.withTokens { _ -> SessionGrant in
                await gate.pass()
                var grant = ScriptedBackend.grant(2)
                grant.replacesSession = true
                return grant
            }
        }
        try await gate.untilReached()
        try await become("ada", bench)
        await gate.open()
        await #expect(throws: AuthError(.superseded)) { try await linking.value }
        try await bench.backend.untilAsked(.revoke("refresh-2", .local))
        #expect(try await bench.service.accessToken().reveal() == "access-7")
    }

    @Test("R13.6 A sign-in for who is there takes nobody else's session, not after a second step either")
    func onlyAs() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let link = SignInProof.link(tokenHash: Secret("h"), kind: "signup")
        bench.backend.onSignIn { _ throws(AuthError) in
            .session(ScriptedBackend.grant(8, user: SessionUser(subject: "mallory")))
        }
        await #expect(throws: AuthError(.reauthenticationInvalid)) {
            try await bench.service.signIn(with: link, as: "ada")
        }
        bench.backend.onSignIn { _ throws(AuthError) in .awaiting(AwaitedStep(kind: .code)) }
        bench.backend.onAnswer { _ throws(AuthError) in
            .session(ScriptedBackend.grant(9, user: SessionUser(subject: "mallory")))
        }
        _ = try await bench.service.signIn(with: link, as: "ada")
        await #expect(throws: AuthError(.reauthenticationInvalid)) {
            try await bench.service.answer(.code(Secret("123456")))
        }
        for token in ["refresh-8", "refresh-9"] {
            try await bench.backend.untilAsked(.revoke(token, .local))
        }
        #expect(bench.service.state.name == "signedIn(ada)" && bench.log.subjects.value.isEmpty)
        bench.backend.onSignIn { _ throws(AuthError) in
            .session(ScriptedBackend.grant(5, user: SessionUser(subject: "ada", emailVerified: true)))
        }
        _ = try await bench.service.signIn(with: link, as: "ada")
        #expect(try await bench.service.accessToken().reveal() == "access-5")
    }

    @Test("R13.1 C-13 A step that is answered without a session is behind the user, who signs in now")
    func stepWithoutSession() async throws {
        let bench = ServiceBench()
        await bench.service.restore()
        bench.backend.onSignIn { _ throws(AuthError) in .awaiting(AwaitedStep(kind: .confirmation)) }
        try await bench.signIn()
        bench.backend.onAnswer { _ throws(AuthError) in throw AuthError(.factorCodeInvalid) }
        await #expect(throws: AuthError(.factorCodeInvalid)) { try await bench.service.answer(.code(Secret("1"))) }
        #expect(bench.service.state.name == "awaiting")
        bench.backend.onAnswer { _ throws(AuthError) in throw AuthError(.reauthenticationNeeded) }
        await #expect(throws: AuthError(.reauthenticationNeeded)) {
            try await bench.service.answer(.code(Secret("2")))
        }
        #expect(bench.service.state.name == "signedOut(neverSignedIn)")
    }
}
