// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientStorage
import ClientTestSupport
import TestSupport
import Testing

@testable import ClientSession

/// The same user signs in anew: what was theirs before does not live on at the service.
@Suite(.timeLimit(.minutes(1))) struct ReplacedSessionTests {
    private let bench = ServiceBench()

    private func comeAnew(_ number: Int, to bench: ServiceBench) async throws {
        bench.backend.onSignIn { _ throws(AuthError) in
            .session(ScriptedBackend.grant(number, user: SessionUser(subject: "ada")))
        }
        try await bench.signIn()
    }

    private var revoked: [ScriptedBackend.Call] {
        bench.backend.calls.filter { if case .revoke = $0 { true } else { false } }
    }

    @Test("R13.1 G-13.2 Who signs in anew leaves no session at the service, which hears of it once the next is stored")
    func anew() async throws {
        try await bench.signIn()
        let stored = Guarded<[String?]>([])
        bench.backend.onRevoke { [store = bench.store] _ throws(AuthError) in
            guard case .session(let kept, _) = await SessionStore(store: store).look() else { return }
            stored.withLock { $0.append(kept.tokens.refreshToken?.reveal()) }
        }
        try await comeAnew(7, to: bench)
        try await eventually("the former session is ended") { !stored.value.isEmpty }
        #expect(stored.value == ["refresh-7"] && revoked == [.revoke("refresh-0", .local)])
        #expect(try await bench.service.accessToken().reveal() == "access-7")
        // Nothing of theirs has gone, and no page asks them anew.
        #expect(bench.log.subjects.value.isEmpty && !bench.service.core.withLock { $0.asksAgain })
    }

    @Test("R13.1 F5 G-13.2 Nor does a process that has not looked into the store leave what it writes over")
    func unseen() async throws {
        try await bench.signIn()
        try await comeAnew(7, to: bench.another())
        try await eventually("the former session is ended") { revoked.contains(.revoke("refresh-0", .local)) }
        #expect(revoked.count == 1)
    }

    @Test(
        "R13.1 G-13.2 What a refresh of the former session brings late is given back too, where it is known to be apart"
    )
    func late() async throws {
        for isRelated in [false, true] {
            let bench = ServiceBench()
            let gate = Gate()
            bench.backend.onRefresh { _, _ throws(AuthError) in
                await gate.pass()
                var grant = ScriptedBackend.grant(1)
                grant.replacesSession = isRelated ? false : nil
                return grant
            }
            try await bench.signIn()
            bench.clock.advance(by: .hours(2))
            let caller = Task { try await bench.service.accessToken() }
            try await gate.untilReached()
            let refresh = bench.service.core.withLock { $0.refresh }
            try await comeAnew(7, to: bench)
            #expect(try await caller.value.reveal() == "access-7")
            await gate.open()
            if isRelated {
                await refresh?.value
                #expect(!bench.backend.calls.contains(.revoke("refresh-1", .local)))
            } else {
                try await eventually("what came late is given back") {
                    bench.backend.calls.contains(.revoke("refresh-1", .local))
                }
            }
            #expect(try await bench.service.accessToken().reveal() == "access-7")
        }
    }
}
