// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientTestSupport
import Testing

@testable import ClientSession

/// What a service awaits while its user reads a code in another app, and the system ends this one.
struct KeptStepTests {
    private let clock = ManualClock()
    private let store = FaultyStore()
    private let backend = ScriptedBackend()

    private func service(_ backend: ScriptedBackend? = nil) -> SessionService {
        SessionService(backend: backend ?? self.backend, store: store, clock: clock)
    }

    private func awaiting(_ kind: AwaitedStep.Kind, lifetime: TimeSpan?) async throws {
        let step = AwaitedStep(
            kind: kind, identifier: "ada@example.org", destination: "+*** 12",
            choices: [FactorChoice(id: "f2", kind: .phone, destination: "+*** 34")], takesBackupCode: true,
            enrolment: FactorEnrolment(kind: .authenticator, secret: Secret("JBSWY3DPEHPK3PXP")), lifetime: lifetime,
            ticket: Secret(["session": "ticket-1"]))
        backend.onSignIn { _ throws(AuthError) in .awaiting(step) }
        let service = service()
        await service.restore()
        await service.abandonStep()
        try await service.signIn(with: .anonymous)
        #expect((try await store.read(.awaitedStep) != nil) == (lifetime != nil && kind != Self.linking))
    }

    private static let linking = AwaitedStep.Kind.linking(providers: ["google.com"])

    private func restored(_ backend: ScriptedBackend? = nil) async -> (SessionService, AwaitedStep?) {
        let service = service(backend)
        await service.restore()
        guard case .awaiting(let step) = service.state else { return (service, nil) }
        return (service, step)
    }

    @Test("G-9 A step is there after a restart with all that it shows, and is answered by what was kept")
    func restart() async throws {
        try await awaiting(.oneTimePassword, lifetime: .minutes(3))
        clock.advance(by: .minutes(2))
        let (service, found) = await restored()
        let step = try #require(found)
        #expect(step.kind == .oneTimePassword && step.identifier == "ada@example.org" && step.takesBackupCode)
        #expect(step.choices == [FactorChoice(id: "f2", kind: .phone, destination: "+*** 34")])
        #expect(step.enrolment?.secret?.reveal() == "JBSWY3DPEHPK3PXP" && step.lifetime == .minutes(1))
        #expect(step.ticket.reveal() == ["session": "ticket-1"])
        try await service.answer(.code(Secret("123456")))
        #expect(try await service.accessToken().reveal() == "access-0")
        // It is behind the user.
        await service.signOut(SignOutOptions())
        #expect(await restored().1 == nil)
    }

    @Test("G-9 A step is gone with its time, with a clock that was set back, and for another backend")
    func over() async throws {
        try await awaiting(.code, lifetime: .minutes(3))
        #expect(await restored(ScriptedBackend(name: "other")).1 == nil)
        try await awaiting(.code, lifetime: .minutes(3))
        clock.advance(by: .minutes(3))
        #expect(await restored().1 == nil)
        try await awaiting(.code, lifetime: .minutes(3))
        clock.set(clock.now - .hours(1))
        #expect(await restored().1 == nil)
    }

    @Test("G-9 F-9 What has no time, what was given up, and what would add a provider is not kept")
    func notKept() async throws {
        try await awaiting(.code, lifetime: nil)
        #expect(await restored().1 == nil)
        try await awaiting(Self.linking, lifetime: .minutes(3))
        #expect(await restored().1 == nil)
        try await awaiting(.code, lifetime: .minutes(3))
        let (service, step) = await restored()
        #expect(step != nil)
        await service.abandonStep()
        #expect(await restored().1 == nil)
    }

    @Test(
        "G-9 R13.1 Another user's sign-in, and a sign-out before the store has answered, take a step out of the store")
    func others() async throws {
        try await awaiting(.code, lifetime: .minutes(3))
        backend.onSignIn { _ throws(AuthError) in
            .session(ScriptedBackend.grant(4, user: SessionUser(subject: "grace")))
        }
        let other = service()
        try await other.signIn(with: .anonymous)
        await other.signOut(SignOutOptions())
        #expect(await restored().1 == nil)
        try await awaiting(.code, lifetime: .minutes(3))
        await service().signOut(SignOutOptions())
        #expect(await restored().1 == nil)
    }

    @Test(
        "G-9 R13.1 A step that may lead to one user's session alone is not kept, since nobody would know whose after a restart"
    )
    func bound() async throws {
        backend.onSignIn { _ throws(AuthError) in .awaiting(AwaitedStep(kind: .code, lifetime: .minutes(3))) }
        let service = service()
        await service.restore()
        try await service.signIn(with: .anonymous, as: "ada")
        guard case .awaiting = service.state else { throw AuthError(.internalFailure) }
        #expect(try await store.read(.awaitedStep) == nil)
        // The next one is anybody's.
        try await service.signIn(with: .anonymous)
        #expect(try await store.read(.awaitedStep) != nil)
    }

    @Test("G-9 G-11 A step whose answer meets terms is over, here and after a restart: its code is spent")
    func terms() async throws {
        backend.onSignIn { _ throws(AuthError) in .awaiting(AwaitedStep(kind: .code, lifetime: .minutes(3))) }
        let service = service()
        await service.restore()
        try await service.signIn(with: .anonymous)
        backend.onAnswer { _ throws(AuthError) in throw AuthError(.termsNotAgreed) }
        await #expect(throws: AuthError(.termsNotAgreed)) { try await service.answer(.code(Secret("123456"))) }
        guard case .signedOut = service.state else { throw AuthError(.internalFailure) }
        #expect(await restored().1 == nil)
    }

    @Test("What somebody wrote in its place is no step, and takes nobody's sign-in along")
    func damaged() async throws {
        for bytes: [UInt8] in [[], Array("{}".utf8), Array(#"{"version":1,"kind":"code"}"#.utf8), [0xFF, 0x00]] {
            try await store.write(bytes, for: .awaitedStep)
            let (service, step) = await restored()
            #expect(step == nil)
            guard case .signedOut(.neverSignedIn) = service.state else { throw AuthError(.internalFailure) }
        }
    }
}
