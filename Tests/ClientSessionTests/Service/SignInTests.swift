// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientStorage
import ClientTestSupport
import TestSupport
import Testing

@testable import ClientSession

struct SignInTests {
    @Test("R13.1 Y-US1 G-2.4 Who turns back is where they were, and nothing is shown")
    func cancelled() async throws {
        let bench = ServiceBench()
        await bench.service.restore()
        bench.backend.onSignIn { _ throws(AuthError) in throw AuthError(.cancelled) }
        await #expect(throws: AuthError(.cancelled)) { try await bench.signIn() }
        #expect(bench.service.state.name == "signedOut(neverSignedIn)")
    }

    @Test("R13.1 A step that is awaited is gone on with, or given up")
    func steps() async throws {
        let bench = ServiceBench()
        await bench.service.restore()
        bench.backend.onSignIn { _ throws(AuthError) in .awaiting(AwaitedStep(kind: .oneTimePassword)) }
        #expect(try await bench.signIn().name == "awaiting")
        #expect(bench.service.state.name == "awaiting")
        await bench.service.abandonStep()
        #expect(bench.service.state.name == "signedOut(neverSignedIn)")
        await #expect(throws: AuthError(.invalidRequest)) { try await bench.service.answer(.code(Secret("1"))) }
        try await bench.signIn()
        #expect(try await bench.service.answer(.code(Secret("123456"))).name == "signedIn(ada)")
        await #expect(throws: AuthError(.invalidRequest)) { try await bench.service.answer(.code(Secret("1"))) }
    }

    @Test("R13.1 A wrong code leaves the step where it is")
    func wrongCode() async throws {
        let bench = ServiceBench()
        await bench.service.restore()
        bench.backend.onSignIn { _ throws(AuthError) in .awaiting(AwaitedStep(kind: .code)) }
        bench.backend.onAnswer { _ throws(AuthError) in throw AuthError(.invalidCredentials) }
        try await bench.signIn()
        await #expect(throws: AuthError(.invalidCredentials)) { try await bench.service.answer(.code(Secret("1"))) }
        #expect(bench.service.state.name == "awaiting")
    }

    @Test("R13.1 G-7.5 Y-E1 Without a network a sign-in says so at once")
    func offline() async throws {
        let bench = ServiceBench()
        await bench.service.restore()
        bench.service.networkChanged(isReachable: false)
        await #expect(throws: AuthError(.offlineSignIn)) { try await bench.signIn() }
        #expect(bench.backend.calls.isEmpty)
        bench.service.networkChanged(isReachable: true)
        #expect(try await bench.signIn().name == "signedIn(ada)")
    }

    @Test("R13.1 Two sign-ins: the second ends the first at once, whose late answer signs nobody in and is given back")
    func superseded() async throws {
        let bench = ServiceBench()
        await bench.service.restore()
        let gate = Gate()
        bench.backend.onSignIn { _ throws(AuthError) in
            await gate.pass()
            return .session(ScriptedBackend.grant(7, user: SessionUser(subject: "late")))
        }
        let first = Task { try await bench.signIn() }
        try await gate.untilReached()
        bench.backend.onSignIn { _ throws(AuthError) in
            .session(ScriptedBackend.grant(0, user: SessionUser(subject: "grace")))
        }
        try await bench.signIn()
        // Its service has not answered yet.
        await #expect(throws: AuthError(.superseded)) { try await first.value }
        await gate.open()
        #expect(bench.service.state.name == "signedIn(grace)")
        let contents = await SessionStore(store: bench.store).read()
        guard case .session(let kept, _) = contents else { throw AuthError(.notFound) }
        #expect(kept.user.subject == "grace")
        try await bench.backend.untilAsked(.revoke("refresh-7", .local))
    }

    @Test("R13.1 A link that only looks like a redirect takes the place of no sign-in that is under way")
    func foreignCallback() async throws {
        let bench = ServiceBench()
        await bench.service.restore()
        let gate = Gate()
        bench.backend.onSignIn { proof throws(AuthError) in
            if case .callback = proof { throw AuthError(.flowStateNotFound) }
            await gate.pass()
            return .session(ScriptedBackend.grant(0, user: SessionUser(subject: "ada")))
        }
        let first = Task { try await bench.signIn() }
        try await gate.untilReached()
        await #expect(throws: AuthError(.flowStateNotFound)) {
            try await bench.service.signIn(with: .callback(url: Secret("app://auth?code=theirs")))
        }
        await gate.open()
        #expect(try await first.value.name == "signedIn(ada)")
    }

    @Test(
        "R13.1 Whoever cancels a sign-in is told at once, and is not signed in by what the service answers all the same"
    )
    func givenUp() async throws {
        let bench = ServiceBench()
        await bench.service.restore()
        let gate = Gate()
        bench.backend.onSignIn { _ throws(AuthError) in
            await gate.pass()
            return .session(ScriptedBackend.grant(7, user: SessionUser(subject: "late")))
        }
        let signing = Task { try await bench.signIn() }
        try await gate.untilReached()
        signing.cancel()
        await #expect(throws: AuthError(.cancelled)) { try await signing.value }
        await gate.open()
        try await bench.backend.untilAsked(.revoke("refresh-7", .local))
        #expect(bench.service.state.name == "signedOut(neverSignedIn)")
        #expect(bench.service.core.withLock { $0.asking.isEmpty && $0.attempts.isEmpty })
    }

    @Test("R13.1 H-5 Who signs out while a provider's page is open is told, and the page is closed")
    func signedOutMeanwhile() async throws {
        let bench = ServiceBench()
        await bench.service.restore()
        let (reached, isClosed) = (Gate(), Guarded(false))
        bench.backend.onSignIn { _ throws(AuthError) in
            await reached.pass()
            let end = await pageIsClosed()
            isClosed.withLock { $0 = end.code == .cancelled }
            throw end
        }
        await reached.open()
        let signing = Task { try await bench.signIn() }
        try await reached.untilReached()
        await bench.service.signOut(SignOutOptions())
        await #expect(throws: AuthError(.superseded)) { try await signing.value }
        try await eventually("the page is closed") { isClosed.value }
    }

    @Test("R13.1 G-14.6 Each listener gets the present state first, and then the last of what follows")
    func listeners() async throws {
        let bench = ServiceBench()
        await bench.service.restore()
        var listeners = (0..<10).map { _ in bench.service.states().makeAsyncIterator() }
        for index in listeners.indices { #expect(await listeners[index].next()?.name == "signedOut(neverSignedIn)") }
        try await bench.signIn()
        await bench.service.signOut(SignOutOptions())
        // Slow as they were, they see where it ended.
        for index in listeners.indices { #expect(await listeners[index].next()?.name == "signedOut(userSignedOut)") }
    }

    @Test("R13.1 G-14.6 A listener sees each change once, and no state twice")
    func once() async throws {
        let bench = ServiceBench()
        await bench.service.restore()
        let seen = Guarded<[String]>([])
        let listener = Task {
            for await state in bench.service.states() { seen.withLock { $0.append(state.name) } }
        }
        try await eventually("the listener has seen a state") { !seen.value.isEmpty }
        for _ in 0..<3 {
            // Nothing changes by these.
            await bench.service.settle(.storeUnlocked)
            await bench.service.signOut(SignOutOptions())
            await bench.service.signOut(SignOutOptions())
            try await eventually("the sign-out is seen") { seen.value.last == "signedOut(userSignedOut)" }
            try await bench.signIn()
            try await eventually("the sign-in is seen") { seen.value.last == "signedIn(ada)" }
            bench.service.networkChanged(isReachable: true)
            await bench.service.settle(.clockTick)
        }
        for _ in 0..<100 { await Task.yield() }
        listener.cancel()
        await listener.value
        let cycle = ["signedOut(userSignedOut)", "signedIn(ada)"]
        #expect(seen.value == ["signedOut(neverSignedIn)"] + cycle + cycle + cycle)
        try await eventually("the listener is forgotten") { bench.service.core.withLock { $0.listeners.isEmpty } }
    }

    @Test("R13.1 G-14.6 Who was away while a state came and went sees nothing of it, and not the same one again")
    func away() async {
        let box = StateListener(.restoring, ShownKey(name: "restoring")) {}
        #expect(await box.next()?.name == "restoring")
        box.offer(.storeLocked, ShownKey(name: "storeLocked"))
        box.offer(.restoring, ShownKey(name: "restoring"))
        async let next = box.next()
        for _ in 0..<50 { await Task.yield() }
        box.offer(.signedOut(.neverSignedIn), ShownKey(name: "signedOut"))
        #expect(await next?.name == "signedOut(neverSignedIn)")
        box.end()
        #expect(await box.next() == nil)
    }

    @Test(
        "R13.1 C-13 No password is in reach of the service after the call that used it, nor after one that was given up"
    )
    func passwords() async throws {
        let bench = ServiceBench()
        await bench.service.restore()
        let proof = SignInProof.password(identifier: "ada@example.org", password: Secret("hidden"))
        #expect(Self.holdsProof(proof))
        bench.backend.onSignIn { _ throws(AuthError) in
            .awaiting(AwaitedStep(kind: .confirmation, identifier: "ada@example.org"))
        }
        _ = try await bench.service.signIn(with: proof)
        #expect(!Self.holdsProof(bench.service.core.value))
        await bench.service.abandonStep()
        bench.backend.onSignIn { _ throws(AuthError) in throw AuthError(.invalidCredentials) }
        _ = try? await bench.service.signIn(with: proof)
        #expect(!Self.holdsProof(bench.service.core.value))
        bench.backend.onSignIn { _ throws(AuthError) in
            .session(ScriptedBackend.grant(0, user: SessionUser(subject: "ada")))
        }
        _ = try await bench.service.signIn(with: proof)
        #expect(!Self.holdsProof(bench.service.core.value))
        #expect(
            try await bench.store.read(.session).map { !String(decoding: $0, as: UTF8.self).contains("hidden") } == true
        )
    }

    /// Whether a value of a type that can carry a password is anywhere in it.
    private static func holdsProof(_ value: Any, depth: Int = 0) -> Bool {
        if value is SignInProof || value is SignUpRequest || value is StepAnswer { return true }
        guard depth < 12 else { return false }
        return Mirror(reflecting: value).children.contains { holdsProof($0.value, depth: depth + 1) }
    }
}
