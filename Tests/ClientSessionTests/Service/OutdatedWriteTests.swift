// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientStorage
import ClientTestSupport
import Testing

@testable import ClientSession

/// A process that writes its session once more, and does not know yet what another one has done to it.
@Suite(.timeLimit(.minutes(1))) struct OutdatedWriteTests {
    private let bench = ServiceBench()
    private let other: ServiceBench
    /// Whether the service calls its user Ada by now: whoever was restored has asked for it, and may be told late.
    private let isRenamed = Guarded(false)

    init() async throws {
        other = bench.another()
        try await bench.signIn()
        bench.backend.onUser { [isRenamed] tokens throws(AuthError) in
            tokens.accessToken.reveal() == "access-3"
                ? SessionUser(subject: "grace") : SessionUser(subject: "ada", name: isRenamed.value ? "Ada" : nil)
        }
        await other.service.restore()
        // The start's own question is answered by now, and writes nothing: it would come upon the change midway.
        try await bench.backend.untilAsked(.user("access-0"))
    }

    private func kept() async -> String? {
        guard case .session(let kept, _) = await SessionStore(store: bench.store).read() else { return nil }
        return kept.user.subject
    }

    private func replace() async throws {
        bench.backend.onSignIn { _ throws(AuthError) in
            .session(ScriptedBackend.grant(3, user: SessionUser(subject: "grace")))
        }
        try await bench.signIn()
        // Nobody waits for what is written beside a session.
        await bench.service.settle(.waiterLeft(0))
    }

    @Test("R13.1 F5 A profile that has changed is not written over the user who has signed in elsewhere meanwhile")
    func anotherUser() async throws {
        try await replace()
        isRenamed.withLock { $0 = true }
        _ = try? await other.service.refreshUser()
        #expect(try await other.until { $0.name == "signedIn(grace)" } != nil)
        #expect(await kept() == "grace")
        #expect(try await bench.service.accessToken().reveal() == "access-3")
    }

    @Test("R13.1 F5 G-13.3 A profile that has changed does not bring back a session that was signed out elsewhere")
    func signedOut() async throws {
        await bench.service.signOut(SignOutOptions())
        isRenamed.withLock { $0 = true }
        _ = try? await other.service.refreshUser()
        #expect(try await other.until { $0.name == "signedOut(userSignedOut)" } != nil)
        #expect(await kept() == nil)
    }

    @Test("R13.1 F5 G-7.1 When somebody was last confirmed is not written over by a process that has another user")
    func standing() async throws {
        try await replace()
        other.service.clockChanged()
        // Whatever was asked for before has been done.
        await other.service.settle(.waiterLeft(0))
        #expect(await SessionStore(store: bench.store).standing(of: "grace") != nil)
    }

    @Test(
        "R13.1 F5 G-13.3 New tokens of an operation neither replace another user nor undo a sign-out elsewhere",
        arguments: [true, false])
    func operation(comes: Bool) async throws {
        let bench = bench
        let replace = replace
        _ = try? await other.service.withTokens { _ -> SessionGrant in
            if comes { try await replace() } else { await bench.service.signOut(SignOutOptions()) }
            return ScriptedBackend.grant(9, user: SessionUser(subject: "ada"))
        }
        let expected = comes ? "signedIn(grace)" : "signedOut(userSignedOut)"
        #expect(try await other.until { $0.name == expected } != nil)
        #expect(await kept() == (comes ? "grace" : nil))
    }
}
