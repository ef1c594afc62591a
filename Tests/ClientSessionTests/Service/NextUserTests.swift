// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientStorage
import ClientTestSupport
import TestSupport
import Testing

@testable import ClientSession

/// Another user comes while what is the former's is going still, or a companion takes its time with it.
@Suite(.timeLimit(.minutes(1))) struct NextUserTests {
    private let bench = ServiceBench()

    /// Says when it is told, and takes as long as the test does.
    private struct Waiting: SessionCompanion {
        let gate = Gate()
        func sessionEnded(_ options: SignOutOptions, of subject: String?) async { await gate.pass() }
    }

    /// Takes longer than anybody waits, the first time or for one user.
    private struct Slow: SessionCompanion {
        let clock: ManualClock
        var always: String?
        let told = Guarded<[(subject: String?, isKept: Bool)]>([])

        func sessionEnded(_ options: SignOutOptions, of subject: String?) async {
            let isFirst = told.withLock { told in
                told.append((subject, options.keepsLocalData))
                return told.count == 1
            }
            if always.map({ $0 == subject }) ?? isFirst { try? await clock.wait(.hours(1)) }
        }
    }

    private func service(_ companion: any SessionCompanion, _ store: (any SecureStore)? = nil) -> SessionService {
        SessionService(
            backend: bench.backend, store: store ?? bench.store, clock: bench.clock, companions: [companion])
    }

    private func next(_ subject: String) {
        bench.backend.onSignIn { _ throws(AuthError) in
            .session(ScriptedBackend.grant(3, user: SessionUser(subject: subject)))
        }
    }

    @Test(
        "R13.1 G-13.3 Nobody who asks for a token or the state finds the next user before what was another's has gone",
        arguments: [false, true])
    func asking(elsewhere: Bool) async throws {
        let companion = Waiting()
        let service = service(companion)
        bench.backend.onUser { tokens throws(AuthError) in
            SessionUser(subject: tokens.accessToken.reveal() == "access-3" ? "grace" : "ada")
        }
        try await bench.signIn()
        await service.restore()
        #expect(service.state.name == "signedIn(ada)" && service.liveAccessToken != nil)
        next("grace")
        var signing: Task<Void, any Error>?
        if elsewhere {
            try await bench.signIn()
            service.storeChanged()
        } else {
            signing = Task { _ = try await service.signIn(with: .anonymous) }
        }
        try await companion.gate.untilReached()
        #expect(service.state.name == "signedIn(ada)" && service.liveAccessToken == nil)
        let asking = Task { try await service.accessToken().reveal() }
        await companion.gate.open()
        #expect(try await asking.value == "access-3")
        if let signing { try await signing.value }
        #expect(service.state.name == "signedIn(grace)" && service.liveAccessToken?.reveal() == "access-3")
    }

    @Test("R13.1 G-13.6 What the user chose to keep stays though a companion is slow, and another user comes meanwhile")
    func kept() async throws {
        let slow = Slow(clock: bench.clock)
        let service = service(slow)
        _ = try await service.signIn(with: .anonymous)
        await bench.clock.passingPauses(of: .seconds(6)) {
            await service.signOut(SignOutOptions(keepsLocalData: true))
        }
        let left = try await bench.store.read(.localData).flatMap { LocalDataNote(decoding: $0) }
        #expect(left == LocalDataNote(subject: "ada", isKept: true))
        next("grace")
        _ = try await service.signIn(with: .anonymous)
        #expect(!slow.told.value.isEmpty && slow.told.value.allSatisfy { $0.subject == "ada" && $0.isKept })
        let noted = try await bench.store.read(.localData).flatMap { LocalDataNote(decoding: $0) }
        #expect(noted?.subject == "grace" && noted?.keeps("ada") == true)
    }

    @Test(
        "R13.1 G-13.3 Whose is not cleared yet stays noted beside who came, and so does who came for the next process")
    func uncleared() async throws {
        let service = service(Slow(clock: bench.clock, always: "ada"))
        _ = try await service.signIn(with: .anonymous)
        next("grace")
        try await bench.clock.passingPauses(of: .seconds(6)) { _ = try await service.signIn(with: .anonymous) }
        let noted = try await bench.store.read(.localData).flatMap { LocalDataNote(decoding: $0) }
        #expect(noted == LocalDataNote(subject: "grace", uncleared: ["ada"]))
        // A process that was killed as it had written the next user's session.
        guard case .session(var kept, _) = await SessionStore(store: bench.store).look() else {
            Issue.record("not stored")
            return
        }
        (kept.family, kept.user) = ("next", SessionUser(subject: "joan"))
        try await SessionStore(store: bench.store).write(kept)
        let last = bench.another()
        bench.backend.onUser { _ throws(AuthError) in SessionUser(subject: "joan") }
        await last.service.restore()
        #expect(last.log.subjects.value == ["ada", "grace"])
        let left = try await bench.store.read(.localData).flatMap { LocalDataNote(decoding: $0) }
        #expect(left == LocalDataNote(subject: "joan"))
    }

    @Test("R13.1 G-13.3 A note says of how many users what is on the device has to go")
    func notes() {
        let note = LocalDataNote(subject: "ada").followed(by: "grace", uncleared: ["ada"])
        #expect(LocalDataNote(decoding: note.encoded) == note)
        #expect(note.others(than: "joan") == ["ada", "grace"] && note.others(than: "ada") == ["grace"])
        #expect(note.released(by: "ada", keeping: false) == LocalDataNote(subject: "grace"))
        #expect(note.released(by: "grace", keeping: false) == LocalDataNote(subject: "ada"))
        #expect(note.released(by: "grace", keeping: true)?.others(than: "joan") == ["ada"])
        let many = LocalDataNote(subject: "ada", uncleared: (0..<100).map { "\($0)" })
        #expect(LocalDataNote(decoding: many.encoded) == many && many.uncleared.last == "99")
    }

    /// Has no room for one value, when told so.
    private actor FullStore: SecureStore {
        private let memory = MemoryStore()
        private var full: SecureStoreKey?

        func refuse(_ key: SecureStoreKey?) { full = key }
        func read(_ key: SecureStoreKey) async throws(SecureStoreError) -> [UInt8]? { try await memory.read(key) }
        func write(_ value: [UInt8], for key: SecureStoreKey) async throws(SecureStoreError) {
            if key == full { throw .full }
            try await memory.write(value, for: key)
        }
        func remove(_ key: SecureStoreKey) async throws(SecureStoreError) { try await memory.remove(key) }
        func exclusively<Value: Sendable>(
            _ key: SecureStoreKey, _ body: @Sendable () async throws -> Value
        ) async throws -> Value { try await memory.exclusively(key, body) }
    }

    @Test("R13.1 G-13.3 Before the next user's session is stored the store says whose is on the device")
    func former() async throws {
        let (companion, store) = (Waiting(), FullStore())
        let service = service(companion, store)
        await store.refuse(.localData)
        _ = try await service.signIn(with: .anonymous)
        #expect(try await store.read(.localData) == nil)
        await store.refuse(nil)
        next("grace")
        let signing = Task { try await service.signIn(with: .anonymous) }
        try await companion.gate.untilReached()
        // The next process finds this, should the present one be killed now.
        #expect(
            try await store.read(.localData).flatMap { LocalDataNote(decoding: $0) } == LocalDataNote(subject: "ada"))
        await companion.gate.open()
        _ = try await signing.value
        #expect(
            try await store.read(.localData).flatMap { LocalDataNote(decoding: $0) } == LocalDataNote(subject: "grace"))
    }

    @Test("R13.1 G-13.3 Whom the store can't take, and who comes after them, bring nobody back who was there before")
    func twoUnwritten() async throws {
        let store = FullStore()
        let bench = ServiceBench(store: store)
        try await bench.signIn()
        await store.refuse(.session)
        for subject in ["grace", "joan"] {
            bench.backend.onSignIn { _ throws(AuthError) in
                .session(ScriptedBackend.grant(3, user: SessionUser(subject: subject)))
            }
            try await bench.signIn()
        }
        #expect(bench.service.state.name == "signedIn(joan)" && !bench.service.isStored)
        let next = bench.another()
        await next.service.restore()
        #expect(next.service.state.name == "signedOut(userSignedOut)")
    }

    @Test("R13.1 G-13 A sign-out removes what the store held still of a session that another took the place of")
    func unwrittenSignOut() async throws {
        let store = FullStore()
        let bench = ServiceBench(store: store)
        try await bench.signIn()
        await store.refuse(.session)
        bench.backend.onSignIn { _ throws(AuthError) in
            .session(ScriptedBackend.grant(3, user: SessionUser(subject: "ada")))
        }
        try await bench.signIn()
        #expect(try await store.read(.session) != nil)
        // Another process holds the store's lock, as long as its refresh takes.
        let gate = Gate()
        let holding = Task { try await store.exclusively(.session) { await gate.pass() } }
        try await gate.untilReached()
        await bench.service.signOut(SignOutOptions())
        #expect(try await store.read(.session) == nil)
        await gate.open()
        try await holding.value
    }

    @Test(
        "R13.1 G-13.3 F5 Another process's note of a sign-out stays for its next start, whoever has followed it slowly")
    func othersNote() async throws {
        try await bench.signIn()
        let family = try #require(bench.service.core.withLock { $0.machine.phase.session?.kept.family })
        let slow = Slow(clock: bench.clock)
        let other = service(slow)
        await other.restore()
        // The first one has died as it had noted that.
        try await SessionStore(store: bench.store).begin(
            Leaving(family: family, subject: "ada", keepsLocalData: false))
        try await bench.clock.passingPauses(of: .seconds(6)) {
            other.storeChanged()
            try await eventually("it is told again") { slow.told.value.count == 2 }
            try await eventually("it has come to its end") { other.core.withLock { $0.machine.tellings.isEmpty } }
        }
        await other.settle(.waiterLeft(0))
        #expect(try await bench.store.read(.leaving) != nil)
        let next = bench.another()
        await next.service.restore()
        #expect(next.log.all == ["cleared", "provider"])
        #expect(try await bench.store.read(.leaving) == nil)
    }
}
