// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientStorage
import ClientTestSupport
import Testing

@testable import ClientSession

struct RestoreTests {
    @Test(
        "R13.1 F-6 G-5.2 G-14.4 At its start the app knows from what is stored who is signed in, and asks the service")
    func restores() async throws {
        let first = ServiceBench()
        await first.service.restore()
        #expect(first.service.state.name == "signedOut(neverSignedIn)")
        try await first.signIn()
        let next = first.another()
        #expect(next.service.state.name == "restoring")
        await next.service.restore()
        #expect(next.service.state.name == "signedIn(ada)")
        #expect(try await next.service.accessToken().reveal() == "access-0")
        try await next.backend.untilAsked(.user("access-0"))
        #expect(next.backend.refreshes == 0)
    }

    @Test("R13.1 F7 However much a service tells of a user, the session is there at the next start", arguments: 0..<3)
    func longProfile(_ way: Int) async throws {
        var deep = JSONValue.null
        for _ in 0..<40 { deep = .array([deep]) }
        let attributes: JSONObject =
            switch way {
            case 0: ["a": deep]
            case 1: ["a": .array(Array(repeating: .null, count: 20_000))]
            default: ["a": .string(String(repeating: "a", count: 2 << 20))]
            }
        let first = ServiceBench()
        first.backend.onSignIn { _ throws(AuthError) in
            .session(ScriptedBackend.grant(0, user: SessionUser(subject: "ada", attributes: attributes)))
        }
        try await first.signIn()
        let next = first.another()
        await next.service.restore()
        #expect(next.service.state.name == "signedIn(ada)")
    }

    @Test("R13.1 G-6.5 Y-E4 A session that was revoked elsewhere ends at the next start, and says why")
    func revoked() async throws {
        let first = ServiceBench()
        try await first.signIn()
        first.backend.onUser { _ throws(AuthError) in throw AuthError(.tokenInvalid) }
        first.backend.onRefresh { _, _ throws(AuthError) in throw AuthError(.refreshTokenNotFound) }
        let next = first.another()
        await next.service.restore()
        let state = try await next.until { if case .signedOut = $0 { true } else { false } }
        #expect(state?.name == "signedOut(sessionRevoked)")
    }

    @Test("R13.1 F5 Two processes on one store: one refresh, and the second takes what the first one stored")
    func twoProcesses() async throws {
        let first = ServiceBench()
        try await first.signIn()
        let second = first.another()
        await second.service.restore()
        first.clock.advance(by: .hours(2))
        async let one = first.service.accessToken()
        async let other = second.service.accessToken()
        let tokens = try await [one.reveal(), other.reveal()]
        #expect(tokens == ["access-1", "access-1"])
        #expect(first.backend.refreshes == 1)
    }

    @Test("R13.1 F6 Killed between receiving and storing: the next start asks with the old token, and goes on")
    func killed() async throws {
        let store = FaultyStore()
        let first = ServiceBench(store: store)
        try await first.signIn()
        first.clock.advance(by: .hours(2))
        await store.fail(with: .unavailable(reason: "killed"))
        _ = try await first.service.accessToken()
        await store.fail(with: nil)
        let next = first.another()
        await next.service.restore()
        #expect(try await next.service.accessToken().reveal() == "access-2")
        #expect(next.backend.calls.filter { $0 == .refresh("refresh-0") }.count == 2)
    }

    @Test(
        "R13.1 F7 Y-E3 Anything in the session's place that is no session is put aside, once, and nobody is signed in")
    func corrupted() async throws {
        let good = SessionCodec.encode(
            KeptSession(
                backend: "scripted", family: "f", revision: 1, tokens: ScriptedBackend.grant(0).tokens,
                user: SessionUser(subject: "ada"), expiry: Instant(seconds: 0), skew: .zero))
        #expect(SessionCodec.decode(good) != nil)
        var damaged: [[UInt8]] = [[], [0], Array("null".utf8), Array("{}".utf8), Array(repeating: 0x7B, count: 9999)]
        damaged += stride(from: 0, to: good.count, by: 7).map { Array(good.prefix($0)) }
        for bytes in damaged {
            let bench = ServiceBench()
            try await bench.store.write(bytes, for: .session)
            await bench.service.restore()
            #expect(bench.service.state.name == "signedOut(storeCorrupted)")
            #expect(try await bench.store.read(.session) == nil)
            #expect(try await bench.store.read(SessionStore.quarantine) == bytes)
            try await bench.signIn()
            #expect(bench.service.state.name == "signedIn(ada)")
        }
    }

    @Test("R13.1 F8 A locked store is not an empty one: the session is there after unlocking")
    func locked() async throws {
        let store = FaultyStore()
        let first = ServiceBench(store: store)
        try await first.signIn()
        await store.fail(with: .locked)
        let next = first.another()
        await next.service.restore()
        #expect(next.service.state.name == "storeLocked")
        await #expect(throws: AuthError(.storeUnavailable)) { try await next.service.accessToken() }
        await store.fail(with: nil)
        next.service.storeUnlocked()
        #expect(try await next.service.accessToken().reveal() == "access-0")
    }

    @Test("R13.1 F9 G-5.5 Offline at the start with an expired token: the session is kept")
    func offline() async throws {
        let first = ServiceBench()
        try await first.signIn()
        first.clock.advance(by: .days(3))
        first.backend.onRefresh { _, _ throws(AuthError) in throw AuthError(.network) }
        let next = first.another()
        await next.service.restore()
        let state = try await next.clock.passingPauses {
            try await next.until { if case .offline = $0 { true } else { false } }
        }
        #expect(state?.name == "offline(full)")
        #expect(try await next.store.read(.session) != nil)
    }

    @Test("R13.1 A session that can't be stored is used all the same, and the app is told")
    func full() async throws {
        let store = FaultyStore()
        let problems = Guarded<[SessionProblem]>([])
        let bench = ServiceBench(store: store) { problem in problems.withLock { $0.append(problem) } }
        await store.fail(with: .full)
        try await bench.signIn()
        #expect(bench.service.state.name == "signedIn(ada)")
        #expect(problems.value == [.notStored(.full)])
        await store.fail(with: nil)
        bench.service.storeUnlocked()
        await bench.service.settle(.clockTick)
        #expect(try await bench.store.read(.session) != nil)
    }
}
