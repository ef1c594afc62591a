// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientStorage
import ClientTestSupport
import TestSupport
import Testing

@testable import ClientSession

/// Who shows anew who they are.
struct ReauthenticationTests {
    /// A vendor whose users sign in anew as a test says.
    private struct Vendor: AccountBackend {
        let scripted: ScriptedBackend
        let returning: @Sendable () async throws(AuthError) -> SessionGrant

        var name: String { scripted.name }
        func signIn(_ proof: SignInProof) async throws(AuthError) -> SignInStep { try await scripted.signIn(proof) }
        func answer(_ step: AwaitedStep, with answer: StepAnswer) async throws(AuthError) -> SignInStep {
            try await scripted.answer(step, with: answer)
        }
        func refresh(_ tokens: TokenSet) async throws(AuthError) -> SessionGrant { try await scripted.refresh(tokens) }
        func revoke(_ tokens: TokenSet, scope: SignOutScope) async throws(AuthError) {
            try await scripted.revoke(tokens, scope: scope)
        }
        func user(_ tokens: TokenSet) async throws(AuthError) -> SessionUser { try await scripted.user(tokens) }
        func reauthenticate(_ tokens: TokenSet, with proof: SignInProof) async throws(AuthError) -> SignInStep {
            .session(try await returning())
        }
        func link(_ proof: SignInProof, to tokens: TokenSet) async throws(AuthError) -> SessionGrant {
            try await returning()
        }
        func unlink(provider: String, from tokens: TokenSet) async throws(AuthError) -> SessionGrant {
            throw AuthError(.unsupported)
        }
        func changePassword(
            _ tokens: TokenSet, current: Secret<String>?, new: Secret<String>
        ) async throws(AuthError) -> SessionGrant? { throw AuthError(.unsupported) }
        func deleteAccount(_ tokens: TokenSet) async throws(AuthError) -> AccountDeletion {
            throw AuthError(.unsupported)
        }
    }

    private let scripted = ScriptedBackend()
    private let clock = ManualClock()
    private let store = FaultyStore()

    /// Signed in as `ada` with `refresh-0`.
    private func service(returning subject: String?, replacing: Bool? = nil) async throws -> SessionService {
        let backend = Vendor(scripted: scripted) { () throws(AuthError) in
            var grant = ScriptedBackend.grant(9, user: subject.map { SessionUser(subject: $0) })
            grant.replacesSession = replacing
            return grant
        }
        let service = SessionService(backend: backend, store: store, clock: clock)
        try await service.signIn(with: .anonymous)
        return service
    }

    private func untilRevoked(_ token: String, times: Int = 1) async throws {
        try await scripted.untilAsked(.revoke(token, .local), times: times)
    }

    @Test(
        "R13.1 Somebody else's proof shows nothing: the session goes on, and theirs is ended, though the service was out"
    )
    func stranger() async throws {
        let service = try await service(returning: "grace")
        let tries = Guarded(0)
        scripted.onRevoke { [tries] _ throws(AuthError) in
            let number = tries.withLock { tries in
                tries += 1
                return tries
            }
            if number == 1 { throw AuthError(.network) }
        }
        await #expect(throws: AuthError(.reauthenticationInvalid)) {
            try await service.reauthenticate(with: .anonymous)
        }
        #expect(service.state.name == "signedIn(ada)")
        #expect(try await service.accessToken().reveal() == "access-0")
        try await clock.passingPauses(of: .minutes(1)) { try await untilRevoked("refresh-9", times: 2) }
        #expect(!scripted.calls.contains(.revoke("refresh-0", .local)))
    }

    @Test(
        "R13.1 The user's own proof brings a session in the place of the former, which is ended once the new one is stored"
    )
    func own() async throws {
        let service = try await service(returning: "ada")
        let stored = Guarded<[String?]>([])
        scripted.onRevoke { [store, stored] _ throws(AuthError) in
            guard case .session(let kept, _) = await SessionStore(store: store).look() else { return }
            stored.withLock { $0.append(kept.tokens.refreshToken?.reveal()) }
        }
        try await service.reauthenticate(with: .anonymous)
        #expect(try await service.accessToken().reveal() == "access-9")
        try await untilRevoked("refresh-0")
        try await eventually("the store is looked at") { !stored.value.isEmpty }
        #expect(stored.value == ["refresh-9"])
        #expect(service.state.name == "signedIn(ada)")
    }

    @Test("R13.1 G-13.2 A session that an operation brings in the place of this one leaves none behind at the service")
    func replaced() async throws {
        let service = try await service(returning: "ada", replacing: true)
        try await service.link(.anonymous)
        try await untilRevoked("refresh-0")
        #expect(try await service.accessToken().reveal() == "access-9")
    }

    @Test("R13.1 RFC 7009, section 2.1: where ending the session before would end this one too, it is let be")
    func related() async throws {
        let service = try await service(returning: "ada", replacing: false)
        try await service.reauthenticate(with: .anonymous)
        #expect(try await service.accessToken().reveal() == "access-9")
        await service.signOut(SignOutOptions())
        try await untilRevoked("refresh-9")
        #expect(!scripted.calls.contains(.revoke("refresh-0", .local)))
    }

    @Test("R13.1 RFC 7009, section 2.1: nor is a proof's own session ended where its user has come anew meanwhile")
    func relatedLate() async throws {
        let gate = Gate()
        let backend = Vendor(scripted: scripted) { () throws(AuthError) in
            await gate.pass()
            var grant = ScriptedBackend.grant(9, user: SessionUser(subject: "ada"))
            grant.replacesSession = false
            return grant
        }
        let service = SessionService(backend: backend, store: store, clock: clock)
        try await service.signIn(with: .anonymous)
        let proving = Task { _ = try await service.reauthenticate(with: .anonymous) }
        try await gate.untilReached()
        scripted.onSignIn { _ throws(AuthError) in
            .session(ScriptedBackend.grant(7, user: SessionUser(subject: "ada")))
        }
        try await service.signIn(with: .anonymous)
        await gate.open()
        await #expect(throws: AuthError(.superseded)) { try await proving.value }
        await service.signOut(SignOutOptions())
        try await untilRevoked("refresh-7")
        #expect(!scripted.calls.contains(.revoke("refresh-9", .local)))
    }

    @Test("R13.1 Where the store does not take what an operation brought, the session before it is not ended")
    func notReplaced() async throws {
        let service = try await service(returning: "ada", replacing: true)
        await store.fail(with: .full)
        try await service.link(.anonymous)
        #expect(try await service.accessToken().reveal() == "access-9" && !service.isStored)
        #expect(!scripted.calls.contains(.revoke("refresh-0", .local)))
        try await untilThereIsRoom(service)
    }

    /// The new one is stored then, and what it replaced is ended.
    private func untilThereIsRoom(_ service: SessionService) async throws {
        await store.fail(with: nil)
        service.storeUnlocked()
        try await untilRevoked("refresh-0")
        #expect(service.isStored && !scripted.calls.contains(.revoke("refresh-9", .local)))
    }

    @Test("R13.1 Where the store does not take the new session, the former is not ended: a restart begins with it")
    func notStored() async throws {
        let service = try await service(returning: "ada")
        await store.fail(with: .full)
        try await service.reauthenticate(with: .anonymous)
        #expect(try await service.accessToken().reveal() == "access-9" && !service.isStored)
        #expect(!scripted.calls.contains(.revoke("refresh-0", .local)))
        try await untilThereIsRoom(service)
    }

    @Test("R13.1 A service that does not say who signed in has shown nothing")
    func nobody() async throws {
        let service = try await service(returning: nil)
        await #expect(throws: AuthError(.reauthenticationInvalid)) {
            try await service.reauthenticate(with: .anonymous)
        }
        #expect(try await service.accessToken().reveal() == "access-0")
    }

    @Test("R13.1 Another user's tokens by any other operation are refused too, and given back")
    func operation() async throws {
        let service = try await service(returning: nil)
        await #expect(throws: AuthError(.reauthenticationInvalid)) {
            try await service.withTokens { _ in ScriptedBackend.grant(7, user: SessionUser(subject: "grace")) }
        }
        try await untilRevoked("refresh-7")
        #expect(service.state.name == "signedIn(ada)")
        #expect(try await service.accessToken().reveal() == "access-0")
    }
}
