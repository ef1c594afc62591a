// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientStorage
import ClientTestSupport
import TestSupport
import Testing

@testable import ClientSession

/// What happens while the link that ends a sign-in in a browser is redeemed.
struct LinkSignInTests {
    /// A link whose answer waits for `gate`, beside other ways, which go on until they are cancelled.
    private func linkBench(_ gate: Gate, store: any SecureStore = MemoryStore()) -> ServiceBench {
        let bench = ServiceBench(store: store)
        bench.backend.onSignIn { proof throws(AuthError) in
            guard case .callback = proof else {
                throw await pageIsClosed()
            }
            await gate.pass()
            return .session(ScriptedBackend.grant(7, user: SessionUser(subject: "ada")))
        }
        return bench
    }

    private static let link = SignInProof.callback(url: Secret("app://auth?code=c"))

    @Test("R13.1 A link signs in although the sign-in before it was given up, as by closing the page for it, meanwhile")
    func givenUpForLink() async throws {
        let gate = Gate()
        let bench = linkBench(gate)
        await bench.service.restore()
        let first = Task { try await bench.signIn() }
        try await eventually("the sign-in is under way") { bench.service.core.withLock { $0.machine.asking } != nil }
        let second = Task { try await bench.service.signIn(with: Self.link) }
        try await gate.untilReached()
        first.cancel()
        await #expect(throws: AuthError(.cancelled)) { try await first.value }
        await gate.open()
        #expect(try await second.value.name == "signedIn(ada)")
    }

    @Test("R13.1 A link signs in although the session that was kept turns out to be over while it is redeemed")
    func endedForLink() async throws {
        let store = MemoryStore()
        let former = ServiceBench(store: store)
        try await former.signIn()
        let gate = Gate()
        let bench = linkBench(gate, store: store)
        bench.backend.onRefresh { _, _ throws(AuthError) in throw AuthError(.sessionNotFound) }
        bench.clock.advance(by: .hours(2))
        let signing = Task { try await bench.service.signIn(with: Self.link) }
        try await gate.untilReached()
        await bench.service.restore()
        await #expect(throws: AuthError.self) { try await bench.service.accessToken() }
        let ended = try await bench.until { if case .signedOut = $0 { true } else { false } }
        #expect(ended != nil)
        await gate.open()
        #expect(try await signing.value.name == "signedIn(ada)")
    }

    @Test("R13.1 A link signs in although the network goes once it is redeemed")
    func unreachable() async throws {
        let gate = Gate()
        let bench = linkBench(gate)
        await bench.service.restore()
        let signing = Task { try await bench.service.signIn(with: Self.link) }
        try await gate.untilReached()
        bench.service.networkChanged(isReachable: false)
        await gate.open()
        #expect(try await signing.value.name == "signedIn(ada)")
    }

    @Test("R13.1 H-5 Whoever signs out or cancels while a link is redeemed is not signed in by it")
    func leftLink() async throws {
        for isCancelled in [false, true] {
            let gate = Gate()
            let bench = linkBench(gate)
            await bench.service.restore()
            let signing = Task { try await bench.service.signIn(with: Self.link) }
            try await gate.untilReached()
            if isCancelled {
                signing.cancel()
                await #expect(throws: AuthError(.cancelled)) { try await signing.value }
                await gate.open()
            } else {
                await bench.service.signOut(SignOutOptions())
                await gate.open()
                await #expect(throws: AuthError(.superseded)) { try await signing.value }
            }
            try await bench.backend.untilAsked(.revoke("refresh-7", .local))
            guard case .signedOut = bench.service.state else {
                Issue.record("\(bench.service.state.name)")
                continue
            }
        }
    }
}
