// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientStorage
import ClientTestSupport
import TestSupport
import Testing

@testable import ClientSession

/// Whose what companions keep is, over the end of sessions and processes.
struct LocalDataTests {
    private func come(_ subject: String, to bench: ServiceBench, _ number: Int = 3) async throws {
        bench.backend.onSignIn { _ throws(AuthError) in
            .session(ScriptedBackend.grant(number, user: SessionUser(subject: subject)))
        }
        bench.backend.onUser { _ throws(AuthError) in SessionUser(subject: subject) }
        try await bench.signIn()
    }

    private func expire(_ bench: ServiceBench) async {
        bench.backend.onRefresh { _, _ throws(AuthError) in throw AuthError(.sessionExpired) }
        bench.clock.advance(by: .hours(2))
        await #expect(throws: AuthError(.sessionExpired)) { try await bench.service.accessToken() }
    }

    @Test(
        "R13.1 G-13.3 Whose session expired is back with their data; another user finds none of it, after a restart too"
    )
    func expired() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        await expire(bench)
        #expect(bench.log.subjects.value.isEmpty)
        let next = bench.another()
        await next.service.restore()
        try await come("grace", to: next)
        #expect(next.log.subjects.value == ["ada"] && next.log.all.first == "cleared")
        await expire(next)
        try await come("grace", to: next)
        #expect(next.log.subjects.value == ["ada"])
    }

    @Test("R13.1 G-13.3 Over a session of another vendor, and from a store that was locked, it is the same")
    func others() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let other = ServiceBench(
            clock: bench.clock, backend: ScriptedBackend(name: "other vendor", subject: "grace"), store: bench.store)
        await other.service.restore()
        #expect(other.service.state.name == "signedOut(neverSignedIn)")
        try await other.signIn()
        #expect(other.log.subjects.value == ["ada"])

        let store = FaultyStore()
        let first = ServiceBench(store: store)
        try await first.signIn()
        let locked = first.another()
        await store.fail(with: .locked)
        await locked.service.restore()
        #expect(locked.service.state.name == "storeLocked")
        try await come("grace", to: locked)
        await store.fail(with: nil)
        locked.service.storeUnlocked()
        try await eventually("the session is stored") { locked.service.isStored }
        #expect(locked.log.subjects.value == ["ada"])
    }

    @Test("R13.1 G-13.6 What the user chose to keep is told of nobody, and waits for them")
    func kept() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        await bench.service.signOut(SignOutOptions(keepsLocalData: true))
        try await come("grace", to: bench)
        #expect(bench.log.all.filter { ["kept", "cleared"].contains($0) } == ["kept"])
        await bench.service.signOut(SignOutOptions())
        #expect(bench.log.subjects.value == ["ada", "grace"])
        let left = try #require(try await bench.store.read(.localData).flatMap { LocalDataNote(decoding: $0) })
        #expect(left == LocalDataNote(subject: "ada", isKept: true))
        try await come("ada", to: bench)
        await bench.service.signOut(SignOutOptions())
        #expect(bench.log.subjects.value == ["ada", "grace", "ada"])
        #expect(try await bench.store.read(.localData) == nil)
    }

    @Test(
        "R13.1 G-13.6 F5 What the user chose to keep, a process that hears of the next user first clears for nobody",
        arguments: ["signed in there", "signed in here", "gone again"])
    func keptElsewhere(next: String) async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let other = bench.another()
        await other.service.restore()
        await bench.service.signOut(SignOutOptions(keepsLocalData: true))
        try await come("grace", to: next == "signed in here" ? other : bench)
        if next == "gone again" { await bench.service.signOut(SignOutOptions()) }
        if next != "signed in here" { other.service.storeChanged() }
        let last = next == "gone again" ? "signedOut(userSignedOut)" : "signedIn(grace)"
        #expect(try await other.until { $0.name == last } != nil)
        #expect(other.log.subjects.value == ["ada"])
        #expect(other.log.all.filter { ["kept", "cleared"].contains($0) } == ["kept"])
        // It is theirs once they are back, and goes by their wish.
        let back = bench.another()
        await back.service.restore()
        try await come("ada", to: back)
        await back.service.signOut(SignOutOptions())
        #expect(
            back.log.subjects.value.last == "ada"
                && back.log.all.last { ["kept", "cleared"].contains($0) } == "cleared")
        #expect(try await bench.store.read(.localData) == nil)
    }

    @Test("R13.1 G-13.6 A note says who kept theirs until they are back, or want it cleared")
    func keptBefore() throws {
        let note = LocalDataNote(subject: "ada", isKept: true).followed(by: "grace")
        #expect(note.keeps("ada") && !note.keeps("grace") && !note.keeps(nil))
        #expect(LocalDataNote(decoding: note.encoded) == note)
        #expect(note.followed(by: "ada") == LocalDataNote(subject: "ada"))
        #expect(note.followed(by: "joan").keeps("ada"))
        #expect(note.released(by: "ada", keeping: false) == LocalDataNote(subject: "grace"))
        // No name is so long that nobody knows any more whose it is.
        let long = LocalDataNote(subject: "grace", keptBefore: String(repeating: "a", count: 5_000))
        #expect(LocalDataNote(decoding: long.encoded) == LocalDataNote(subject: "grace"))
    }

    @Test(
        "R13.1 G-13.3 F5 What another process did to the user, this one's companions hear, with what the user chose there"
    )
    func processes() async throws {
        for keeps in [false, true] {
            let bench = ServiceBench()
            try await bench.signIn()
            let other = bench.another()
            await other.service.restore()
            await bench.service.signOut(SignOutOptions(keepsLocalData: keeps))
            other.service.storeChanged()
            #expect(try await other.until { $0.name == "signedOut(userSignedOut)" } != nil)
            #expect(other.log.subjects.value == ["ada"])
            #expect(other.log.all.contains(keeps ? "kept" : "cleared"))
        }
        let bench = ServiceBench()
        try await bench.signIn()
        let other = bench.another()
        await other.service.restore()
        try await come("grace", to: bench)
        other.service.storeChanged()
        #expect(try await other.until { $0.name == "signedIn(grace)" } != nil)
        #expect(other.log.subjects.value == ["ada"])
    }

    /// What takes longer than anybody waits, the first time.
    private struct Slow: SessionCompanion {
        let clock: ManualClock
        let told = Guarded<[String?]>([])

        func sessionEnded(_ options: SignOutOptions, of subject: String?) async {
            let isFirst = told.withLock { told in
                told.append(subject)
                return told.count == 1
            }
            if isFirst { try? await clock.wait(.hours(1)) }
        }
    }

    @Test(
        "R13.1 G-13.3 What was not cleared in time is cleared before another user comes, or by the next process",
        arguments: [true, false])
    func slow(restarts: Bool) async throws {
        let bench = ServiceBench()
        let slow = Slow(clock: bench.clock)
        let make = {
            SessionService(backend: bench.backend, store: bench.store, clock: bench.clock, companions: [slow])
        }
        let service = make()
        _ = try await service.signIn(with: .anonymous)
        await bench.clock.passingPauses(of: .seconds(6)) { await service.signOut(SignOutOptions()) }
        #expect(slow.told.value.first == "ada")
        if restarts {
            await make().restore()
        } else {
            bench.backend.onSignIn { _ throws(AuthError) in
                .session(ScriptedBackend.grant(3, user: SessionUser(subject: "grace")))
            }
            _ = try await service.signIn(with: .anonymous)
        }
        // In another process the one before would be gone: here it may have told them once more meanwhile.
        #expect(slow.told.value.count >= 2 && slow.told.value.allSatisfy { $0 == "ada" })
        #expect(try await bench.store.read(.leaving) == nil)
    }

    @Test(
        "R13.1 G-13.3 What was not cleared in time is told again though nobody comes, and to who was slow alone",
        .timeLimit(.minutes(1)))
    func toldAgain() async throws {
        let bench = ServiceBench()
        let slow = Slow(clock: bench.clock)
        let service = SessionService(
            backend: bench.backend, store: bench.store, clock: bench.clock, companions: [bench.log, slow])
        _ = try await service.signIn(with: .anonymous)
        try await bench.clock.passingPauses(of: .seconds(6)) {
            await service.signOut(SignOutOptions())
            try await eventually("the note is gone") { try await bench.store.read(.leaving) == nil }
        }
        #expect(slow.told.value == ["ada", "ada"])
        #expect(bench.log.all.filter { $0 == "cleared" } == ["cleared"])
        #expect(try await bench.store.read(.localData) == nil)
    }

    @Test("R13.1 G-10.5 G-10.6 An account that is deleted leaves nothing on the device, not at the providers either")
    func deleted() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let family = try #require(bench.service.core.withLock { $0.machine.phase.session?.kept.family })
        await bench.service.settle(.ended(family: family, .accountDeleted))
        #expect(bench.log.all.filter { !$0.hasPrefix("ready") } == ["cleared", "provider"])
        #expect(try await bench.store.read(.localData) == nil)
        #expect(try await bench.store.read(.session) == nil)
        guard case .signedOut(.accountDeleted) = bench.service.state else {
            Issue.record("\(bench.service.state)")
            return
        }
        try await bench.backend.untilAsked(.revoke("refresh-0", .local))
    }

    @Test("R13.1 G-13.3 A note that nobody can read is somebody else's")
    func damaged() async throws {
        let bench = ServiceBench()
        try await bench.store.write(Array("{".utf8), for: .localData)
        try await bench.signIn()
        #expect(bench.log.subjects.value == [nil] && bench.log.all.first == "cleared")
        let note = LocalDataNote(subject: "ada", isKept: true)
        #expect(LocalDataNote(decoding: note.encoded) == note)
        for length in 0..<note.encoded.count {
            #expect(LocalDataNote(decoding: Array(note.encoded.prefix(length))) == nil)
        }
    }

    @Test(
        "R13.1 H-5 Whoever signed out is asked again by the pages, in the next process too, until somebody is signed in"
    )
    func asksAgain() async throws {
        let asked = Guarded<[Bool]>([])
        let bench = ServiceBench()
        let proof = SignInProof.browser(provider: nil, options: BrowserSignInOptions())
        let answer = { (fails: Bool) in
            bench.backend.onSignIn { proof throws(AuthError) in
                if case .browser(_, let options) = proof { asked.withLock { $0.append(options.asksAgain) } }
                if fails { throw AuthError(.network) }
                return .session(ScriptedBackend.grant(0, user: SessionUser(subject: "ada")))
            }
        }
        answer(false)
        _ = try await bench.service.signIn(with: proof)
        await bench.service.signOut(SignOutOptions())
        let next = bench.another()
        await next.service.restore()
        answer(true)
        await #expect(throws: AuthError(.network)) { try await next.service.signIn(with: proof) }
        answer(false)
        _ = try await next.service.signIn(with: proof)
        _ = try await next.service.signIn(with: proof)
        #expect(asked.value == [false, true, true, false])
    }

    @Test("R13.1 H-5 What can't be ended everywhere is ended here, and what is not ended is said")
    func everywhere() async throws {
        for scope in [SignOutScope.global, .others] {
            let problems = Guarded<[SessionProblem]>([])
            let bench = ServiceBench { problem in problems.withLock { $0.append(problem) } }
            bench.backend.onScopedRevoke { _, scope throws(AuthError) in
                if scope != .local { throw AuthError(.unsupported) }
            }
            try await bench.signIn()
            await bench.service.signOut(SignOutOptions(scope: scope))
            try await eventually("a problem is told of") { !problems.value.isEmpty }
            #expect(problems.value == [.notEnded(scope, .unsupported)])
            guard scope == .global else {
                #expect(bench.service.state.name == "signedIn(ada)")
                continue
            }
            try await bench.backend.untilAsked(.revoke("refresh-0", .local))
        }
    }
}
