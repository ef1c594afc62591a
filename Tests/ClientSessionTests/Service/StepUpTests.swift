// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientTestSupport
import Testing

@testable import ClientSession

/// A second factor that is shown in a session that is there, or by a new sign-in that asks for it.
struct StepUpTests {
    /// A vendor that raises sessions as a test says.
    private struct Vendor: StepUpBackend, AccountBackend, SecondFactorBackend {
        typealias Raise = @Sendable (AwaitedStep, StepAnswer) async throws(AuthError) -> SignInStep

        let scripted: ScriptedBackend
        var raising: Raise = { _, _ throws(AuthError) in
            .session(ScriptedBackend.grant(9, user: SessionUser(subject: "ada")))
        }
        let told = Guarded<[String]>([])

        var name: String { scripted.name }
        func signIn(_ proof: SignInProof) async throws(AuthError) -> SignInStep { try await scripted.signIn(proof) }
        func answer(_ step: AwaitedStep, with answer: StepAnswer) async throws(AuthError) -> SignInStep {
            told.withLock { $0.append("answer") }
            return try await raising(step, answer)
        }
        func refresh(_ tokens: TokenSet) async throws(AuthError) -> SessionGrant { try await scripted.refresh(tokens) }
        func revoke(_ tokens: TokenSet, scope: SignOutScope) async throws(AuthError) {
            try await scripted.revoke(tokens, scope: scope)
        }
        func user(_ tokens: TokenSet) async throws(AuthError) -> SessionUser { try await scripted.user(tokens) }
        func beginStepUp(_ tokens: TokenSet) async throws(AuthError) -> AwaitedStep {
            AwaitedStep(kind: .oneTimePassword, ticket: Secret(["factor": "f1"]))
        }
        func stepUp(
            _ step: AwaitedStep, with answer: StepAnswer, _ tokens: TokenSet
        ) async throws(AuthError) -> SignInStep {
            told.withLock { $0.append("stepUp " + tokens.accessToken.reveal()) }
            return try await raising(step, answer)
        }
        func reauthenticate(_ tokens: TokenSet, with proof: SignInProof) async throws(AuthError) -> SignInStep {
            .awaiting(AwaitedStep(kind: .oneTimePassword, ticket: Secret(["pending": "p"])))
        }
        func secondFactors(_ tokens: TokenSet) async throws(AuthError) -> SecondFactors { SecondFactors(factors: []) }
        func enrol(_ factor: NewSecondFactor, _ tokens: TokenSet) async throws(AuthError) -> EnrolmentStep {
            .awaiting(FactorEnrolment(kind: factor.kind, secret: Secret("JBSWY3DPEHPK3PXP")))
        }
        func confirm(
            _ enrolment: FactorEnrolment, with code: Secret<String>, _ tokens: TokenSet
        ) async throws(AuthError) -> SessionGrant? {
            told.withLock { $0.append("confirm " + tokens.accessToken.reveal()) }
            return nil
        }
        func removeFactor(_ id: String, _ tokens: TokenSet) async throws(AuthError) -> SessionGrant? { nil }
        func link(_ proof: SignInProof, to tokens: TokenSet) async throws(AuthError) -> SessionGrant {
            throw AuthError(.unsupported)
        }
        func unlink(provider: String, from tokens: TokenSet) async throws(AuthError) -> SessionGrant {
            throw AuthError(.unsupported)
        }
        func changePassword(
            _ tokens: TokenSet, current: Secret<String>?, new: Secret<String>
        ) async throws(AuthError) -> SessionGrant? { throw AuthError(.unsupported) }
        func deleteAccount(_ tokens: TokenSet) async throws(AuthError) -> AccountDeletion { AccountDeletion() }
    }

    private let scripted = ScriptedBackend()
    private let clock = ManualClock()
    private let store = FaultyStore()
    private let code = StepAnswer.code(Secret("123456"))

    private func service(_ vendor: Vendor) async throws -> SessionService {
        let service = SessionService(backend: vendor, store: store, clock: clock)
        try await service.signIn(with: .anonymous)
        return service
    }

    @Test(
        "G-9 R13.1 A factor that is shown gives the session that is there its next tokens, and no other session is begun"
    )
    func raises() async throws {
        let vendor = Vendor(scripted: scripted)
        let service = try await service(vendor)
        let step = try await service.beginStepUp()
        #expect(step.kind == .oneTimePassword && !"\(step)".contains("f1"))
        #expect(try await service.raise(step, with: code) == nil)
        #expect(vendor.told.value == ["stepUp access-0"])
        #expect(try await service.accessToken().reveal() == "access-9" && service.isStored)
        #expect(!scripted.calls.contains(.revoke("refresh-0", .local)))
    }

    @Test("G-9 What was asked in one session is answered in no other: the vendor hears nothing of it")
    func bound() async throws {
        let vendor = Vendor(scripted: scripted)
        let service = try await service(vendor)
        let step = try await service.beginStepUp()
        let enrolment = try #require(try await service.enrol(NewSecondFactor(.authenticator)))
        await service.signOut(SignOutOptions())
        scripted.onSignIn { _ throws(AuthError) in
            .session(ScriptedBackend.grant(3, user: SessionUser(subject: "grace")))
        }
        try await service.signIn(with: .anonymous)
        await #expect(throws: AuthError(.superseded)) { try await service.raise(step, with: code) }
        await #expect(throws: AuthError(.superseded)) { try await service.confirm(enrolment, with: Secret("123456")) }
        #expect(vendor.told.value.isEmpty)
        #expect(try await service.accessToken().reveal() == "access-3")
        // Nor is one that was made up, or is a sign-in's.
        await #expect(throws: AuthError(.invalidRequest)) {
            try await service.raise(AwaitedStep(kind: .code), with: code)
        }
    }

    @Test("G-9 Who signs in anew is asked for the factor, and stays who they were until it is shown")
    func reauthentication() async throws {
        let vendor = Vendor(scripted: scripted)
        let service = try await service(vendor)
        let step = try #require(try await service.reauthenticate(with: .anonymous))
        #expect(try await service.accessToken().reveal() == "access-0")
        #expect(try await service.raise(step, with: code) == nil)
        #expect(vendor.told.value == ["answer"])
        #expect(try await service.accessToken().reveal() == "access-9")
        try await scripted.untilAsked(.revoke("refresh-0", .local))
    }

    @Test("G-9 A wrong code leaves the session as it is, and another may follow")
    func wrong() async throws {
        let tries = Guarded(0)
        let vendor = Vendor(scripted: scripted) { _, _ throws(AuthError) in
            let isFirst = tries.withLock { tries in
                tries += 1
                return tries == 1
            }
            if isFirst { throw AuthError(.factorCodeInvalid) }
            return .session(ScriptedBackend.grant(9, user: SessionUser(subject: "ada")))
        }
        let service = try await service(vendor)
        let step = try await service.beginStepUp()
        await #expect(throws: AuthError(.factorCodeInvalid)) { try await service.raise(step, with: code) }
        #expect(try await service.accessToken().reveal() == "access-0")
        #expect(try await service.raise(step, with: code) == nil)
    }

    @Test("G-9 F5 A refresh that is refused since another process has shown a factor signs nobody out")
    func twoProcesses() async throws {
        let vendor = Vendor(scripted: scripted)
        let first = try await service(vendor)
        let second = SessionService(backend: vendor, store: store, clock: clock)
        await second.restore()
        let step = try await first.beginStepUp()
        scripted.onRefresh { tokens, _ throws(AuthError) in
            // By the system's sheet, which holds no lock: the code comes in between.
            _ = try await first.raise(step, with: .passkey)
            throw AuthError(.refreshTokenNotFound)
        }
        let token = try await second.accessToken(insteadOf: Secret("access-0"))
        #expect(token.reveal() == "access-9")
        #expect(try await first.accessToken().reveal() == "access-9")
    }
}
