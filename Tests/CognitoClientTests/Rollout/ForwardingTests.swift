// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientStorage
import ClientTestSupport
import Testing

@testable import CognitoClient

/// A way in that has all that a vendor can have, and counts what it is asked.
private final class WholeWay: SecondFactorBackend, StepUpBackend, BackupCodeBackend, PasskeyBackend, AccountBackend,
    VerificationBackend
{
    let name: String
    let calls = Guarded<[String]>([])
    /// What a sign-in awaits first.
    let asks = Guarded(false)

    init(_ name: String) { self.name = name }

    private func note(_ call: String, _ tokens: TokenSet? = nil) {
        calls.withLock { $0.append(tokens.map { call + " " + $0.accessToken.reveal() } ?? call) }
    }
    private func grant() -> SessionGrant {
        let number = calls.value.count
        return SessionGrant(
            tokens: TokenSet(
                accessToken: Secret("\(name)-\(number)"), refreshToken: Secret("r"), lifetime: .hours(1),
                attachments: Secret(["own": name])),
            user: SessionUser(subject: "5b1c"), serverDate: nil)
    }
    private var step: AwaitedStep {
        AwaitedStep(kind: .oneTimePassword, lifetime: .minutes(3), ticket: Secret(["own": name]))
    }

    func signIn(_ proof: SignInProof) async throws(AuthError) -> SignInStep {
        note("signIn")
        return asks.value ? .awaiting(step) : .session(grant())
    }
    func answer(_ step: AwaitedStep, with answer: StepAnswer) async throws(AuthError) -> SignInStep {
        note("answer")
        if case .choice = answer { return .awaiting(self.step) }
        guard step.ticket.reveal()["own"] == name else { throw AuthError(.flowStateNotFound) }
        return .session(grant())
    }
    func refresh(_ tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        note("refresh", tokens)
        return grant()
    }
    func revoke(_ tokens: TokenSet, scope: SignOutScope) async throws(AuthError) { note("revoke", tokens) }
    func user(_ tokens: TokenSet) async throws(AuthError) -> SessionUser { SessionUser(subject: "5b1c") }
    func secondFactors(_ tokens: TokenSet) async throws(AuthError) -> SecondFactors {
        note("factors", tokens)
        return SecondFactors(factors: [])
    }
    func enrol(_ factor: NewSecondFactor, _ tokens: TokenSet) async throws(AuthError) -> EnrolmentStep {
        note("enrol", tokens)
        return .done(grant())
    }
    func confirm(
        _ enrolment: FactorEnrolment, with code: Secret<String>, _ tokens: TokenSet
    ) async throws(AuthError) -> SessionGrant? {
        note("confirm", tokens)
        return grant()
    }
    func removeFactor(_ id: String, _ tokens: TokenSet) async throws(AuthError) -> SessionGrant? {
        note("remove", tokens)
        return grant()
    }
    func beginStepUp(_ tokens: TokenSet) async throws(AuthError) -> AwaitedStep {
        note("beginStepUp", tokens)
        return step
    }
    func stepUp(
        _ step: AwaitedStep, with answer: StepAnswer, _ tokens: TokenSet
    ) async throws(AuthError) -> SignInStep {
        note("stepUp", tokens)
        return .session(grant())
    }
    func makeBackupCodes(_ tokens: TokenSet) async throws(AuthError) -> [Secret<String>] {
        note("codes", tokens)
        return [Secret("1")]
    }
    func sendVerification(_ tokens: TokenSet) async throws(AuthError) { note("verification", tokens) }
    func passkeys(_ tokens: TokenSet) async throws(AuthError) -> [Passkey] {
        note("passkeys", tokens)
        return []
    }
    func addPasskey(_ tokens: TokenSet) async throws(AuthError) { note("addPasskey", tokens) }
    func removePasskey(_ id: String, _ tokens: TokenSet) async throws(AuthError) { note("removePasskey", tokens) }
    func link(_ proof: SignInProof, to tokens: TokenSet) async throws(AuthError) -> SessionGrant { grant() }
    func unlink(provider: String, from tokens: TokenSet) async throws(AuthError) -> SessionGrant { grant() }
    func changePassword(
        _ tokens: TokenSet, current: Secret<String>?, new: Secret<String>
    ) async throws(AuthError) -> SessionGrant? { grant() }
    func reauthenticate(_ tokens: TokenSet, with proof: SignInProof) async throws(AuthError) -> SignInStep {
        note("reauthenticate", tokens)
        return .awaiting(step)
    }
    func deleteAccount(_ tokens: TokenSet) async throws(AuthError) -> AccountDeletion {
        note("delete", tokens)
        return AccountDeletion(dueAt: Instant(seconds: 5))
    }
    func accountEnded(_ tokens: TokenSet) async { note("ended", tokens) }
}

/// Backends that stand before others hand them everything that is about the account, and keep the sessions theirs.
struct ForwardingTests {
    private typealias Backend = SecondFactorBackend & StepUpBackend & BackupCodeBackend & PasskeyBackend
        & AccountBackend & VerificationBackend
    private let proof = SignInProof.browser(provider: "google", options: BrowserSignInOptions())

    /// Does everything that a screen can, and returns the session's last tokens.
    private func all(_ backend: any Backend, _ first: TokenSet) async throws -> TokenSet {
        var tokens = first
        #expect(try await backend.secondFactors(tokens).factors.isEmpty)
        guard case .done(let enrolled?) = try await backend.enrol(NewSecondFactor(.phone), tokens) else {
            throw AuthError(.unsupported)
        }
        tokens = enrolled.tokens
        let enrolment = FactorEnrolment(kind: .authenticator)
        tokens = try #require(try await backend.confirm(enrolment, with: Secret("1"), tokens)).tokens
        let step = try await backend.beginStepUp(tokens)
        guard case .session(let raised) = try await backend.stepUp(step, with: .code(Secret("1")), tokens) else {
            throw AuthError(.unsupported)
        }
        tokens = raised.tokens
        #expect(try await backend.makeBackupCodes(tokens).count == 1)
        tokens = try #require(try await backend.removeFactor("f", tokens)).tokens
        try await backend.sendVerification(tokens)
        _ = try await backend.passkeys(tokens)
        try await backend.addPasskey(tokens)
        try await backend.removePasskey("p", tokens)
        guard case .awaiting(let asked) = try await backend.reauthenticate(tokens, with: proof),
            case .session(let again) = try await backend.answer(asked, with: .code(Secret("1")))
        else { throw AuthError(.unsupported) }
        #expect(try await backend.deleteAccount(again.tokens).dueAt == Instant(seconds: 5))
        await backend.accountEnded(again.tokens)
        return again.tokens
    }

    private static let operations = [
        "signIn", "factors", "enrol", "confirm", "beginStepUp", "stepUp", "codes", "remove", "verification", "passkeys",
        "addPasskey",
        "removePasskey", "reauthenticate", "answer", "delete", "ended",
    ]

    private func names(_ way: WholeWay) -> [String] {
        way.calls.value.map { String($0.split(separator: " ")[0]) }
    }

    @Test(
        "G-9 G-10.4 H-9 Factors, passkeys and deletion go by the way that a session came, and so does what it is after them"
    )
    func switching() async throws {
        for isNew in [true, false] {
            let (old, new) = (WholeWay("old"), WholeWay("new"))
            let backend = SwitchingBackend(
                old: old, new: new, flag: RolloutFlag(name: "hybrid", percentage: isNew ? 100 : 0), for: "install-1",
                clock: ManualClock())
            guard case .session(let grant) = try await backend.signIn(proof) else { throw AuthError(.unsupported) }
            // The rule changes; the session stays where it is.
            backend.apply(RolloutFlag(name: "hybrid", percentage: isNew ? 0 : 100))
            let last = try await all(backend, grant.tokens)
            _ = try await backend.refresh(last)
            let (used, unused) = isNew ? (new, old) : (old, new)
            #expect(names(used) == Self.operations + ["refresh"] && unused.calls.value.isEmpty)
        }
    }

    private func hybrid(_ session: (any IdentityBackend)?, _ kit: ScriptedKit = ScriptedKit()) -> HybridBackend {
        HybridBackend(
            HybridConfiguration(
                identityPool: IdentityPoolCredentialsTests.configuration,
                userSyncURL: "https://app.example/v1/user-sync"),
            native: kit, session: session, transport: HybridBackendTests().service(), store: MemoryStore(),
            clock: ManualClock(now: Recorded.date))
    }

    @Test("G-9 G-10.4 H-9 The same where a backend opens a hybrid sign-in's sessions: they stay hybrid ones")
    func throughHybrid() async throws {
        let (way, kit) = (WholeWay("server"), ScriptedKit())
        let backend = hybrid(way, kit)
        guard case .session(let grant) = try await backend.signIn(proof) else { throw AuthError(.unsupported) }
        let last = try await all(backend, grant.tokens)
        #expect(names(way) == Self.operations)
        #expect(last.attachments.reveal()["own"] == "server")
        #expect(HybridLogin(of: last)?.signIn == HybridLogin(of: grant.tokens)?.signIn)
        // Its end is the kit's too.
        try await backend.revoke(last, scope: .local)
        #expect(kit.calls.value == ["signIn", "signIn", "signOut"])
    }

    @Test(
        "G-9 H-3 H-6 A hybrid sign-in whose server asks for a second factor goes on with it, and nobody has credentials before"
    )
    func asked() async throws {
        let (way, kit) = (WholeWay("server"), ScriptedKit())
        way.asks.withLock { $0 = true }
        let backend = hybrid(way, kit)
        guard case .awaiting(let step) = try await backend.signIn(proof) else { throw AuthError(.unsupported) }
        #expect(step.kind == .oneTimePassword && step.lifetime == .minutes(3))
        await #expect(throws: AuthError(.notSignedIn)) { try await backend.credentials.credentials() }
        guard case .awaiting(let other) = try await backend.answer(step, with: .choice("sms")),
            case .session(let grant) = try await backend.answer(other, with: .code(Secret("1")))
        else { throw AuthError(.unsupported) }
        await backend.sessionBecame(grant.tokens)
        #expect(try await backend.credentials.credentials().accessKeyID == "ASIA1")
        #expect(HybridLogin(of: grant.tokens)?.subject == "google-1")
    }

    @Test("G-9 An identity pool alone has none of it")
    func alone() async throws {
        let backend = hybrid(nil)
        guard case .session(let grant) = try await backend.signIn(proof) else { throw AuthError(.unsupported) }
        await #expect(throws: AuthError(.unsupported)) { try await backend.secondFactors(grant.tokens) }
        await #expect(throws: AuthError(.unsupported)) { try await backend.beginStepUp(grant.tokens) }
        await #expect(throws: AuthError(.unsupported)) { try await backend.makeBackupCodes(grant.tokens) }
        await #expect(throws: AuthError(.unsupported)) { try await backend.passkeys(grant.tokens) }
        await #expect(throws: AuthError(.unsupported)) { try await backend.sendVerification(grant.tokens) }
        await #expect(throws: AuthError(.unsupported)) { try await backend.deleteAccount(grant.tokens) }
    }
}
