// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import Testing

@testable import Accounts

/// Whoever replaces an account's password or takes it away, the same follows (ADR 0021): pending changes, tokens,
/// sessions, the owner's notice, the audit log.
@Suite struct PasswordReplacementTests {
    /// Every way in which an account comes to another password, or to none.
    enum Variant: CaseIterable, Sendable {
        // By the user.
        case changed, updated, updatedAfterRecovery, temporary
        // By a proof that a message carried.
        case reset, resetUnproved, magicLink, recovery, textedCode, signUp
        // By an operator.
        case administrator, administratorsHash, administratorsTemporary, invitation, link, demo

        var isUnproved: Bool {
            switch self {
            case .resetUnproved, .magicLink, .recovery, .textedCode, .signUp, .invitation, .link: true
            default: false
            }
        }

        /// What was beside the address that is proved, or the number, and that nobody has proved: it goes (ADR 0089).
        var dropped: String? {
            guard isUnproved else { return nil }
            return self == .textedCode ? PasswordReplacementTests.email : PasswordReplacementTests.phone
        }

        /// What the audit log says of who did it.
        var by: String? {
            switch self {
            case .changed, .updated, .updatedAfterRecovery: nil
            case .temporary: "temporary_password"
            case .reset, .resetUnproved, .recovery: "recovery"
            case .magicLink: "magic_link"
            case .textedCode: "phone_sign_in"
            case .signUp: "sign_up"
            case .administrator, .administratorsHash, .administratorsTemporary, .link: "administrator"
            case .invitation: "invitation"
            case .demo: "demo"
            }
        }

        var keepsOwnSession: Bool { self == .changed || self == .updated }
    }

    fileprivate static let email = "a@example.com"
    fileprivate static let phone = "+491701234567"
    private static let evil = "evil@evil.test"
    private static let evilPhone = "+491709999999"
    private let new = Secret(PasswordBench.newPassword)

    /// An account in which somebody has begun everything that can be begun.
    private struct Scene {
        let bench: PasswordBench
        let user: User
        /// The session of whoever calls, and another.
        let mine: IssuedSession
        let other: IssuedSession
        let stale: IssuedProof

        var call: CallContext { bench.call(after: .minutes(2)) }
        var administrator: CallContext {
            call.with { $0.actor = .commandLine }
        }
    }

    private func scene(_ variant: Variant) async throws -> Scene {
        let bench = try await PasswordBench {
            $0.signUp.unverifiedSignIn = .allow
            $0.oneTime.secureEmailChange = false
        }
        let user = try await bench.user(Self.email, phone: Self.phone) {
            if variant.isUnproved { ($0.emailVerifiedAt, $0.phoneVerifiedAt) = (nil, nil) }
            if variant == .demo { $0.appMetadata["demo"] = true }
        }
        let (mine, other) = (try await bench.signIn(), try await bench.signIn())
        try await bench.write(user) {
            $0.pendingEmail = try EmailAddress(Self.evil)
            $0.pendingPhone = try PhoneNumber(Self.evilPhone)
        }
        let stale = try await bench.base.proof(.emailChangeNew, for: user, to: .email(EmailAddress(Self.evil)))
        _ = try await bench.base.proof(.phoneChange, for: user, to: .phone(PhoneNumber(Self.evilPhone)))
        try await bench.store.write { tx in
            try tx.insert(
                AuthorizationCode(
                    id: FlowStateID("a"), directoryID: user.directoryID, userID: user.id, codeHash: [1],
                    request: AuthorizationRequest(challenge: CodeChallenge(for: "")), methods: [],
                    createdAt: bench.now, expiresAt: bench.now + .hours(1)))
            try tx.insert(
                SignUpAttempt(
                    id: SignUpAttemptID("a"), directoryID: user.directoryID, userID: user.id, createdAt: bench.now))
        }
        return Scene(bench: bench, user: user, mine: mine, other: other, stale: stale)
    }

    private func replace(_ variant: Variant, _ scene: Scene) async throws {
        let (bench, user, call, ports) = (scene.bench, scene.user, scene.call, scene.bench.ports)
        let address = try EmailAddress(Self.email)
        func proof(_ purpose: OneTimeToken.Purpose, to recipient: Recipient? = nil) async throws -> Proof {
            .linkToken(try await bench.base.proof(purpose, for: user, to: recipient, call: call).linkToken)
        }
        func administer(_ change: (inout UserAttributes) throws -> Void) async throws {
            var attributes = UserAttributes()
            try change(&attributes)
            _ = try await UserAdministration(ports).update(user.id, attributes, call: scene.administrator)
        }
        switch variant {
        case .changed:
            _ = try await ChangePassword(ports)(
                bench.authenticated(scene.mine, at: call), current: Secret(PasswordBench.password), new: new,
                call: call)
        case .updated: try await bench.update(scene.mine, at: call) { $0.password = new }
        case .updatedAfterRecovery:
            let session = try #require(
                try await VerifyProof(ports)(proof(.recovery), purposes: [.recovery], call: call).session)
            try await bench.update(session, at: call) { $0.password = new }
        case .temporary:
            try await bench.write(user) { $0.temporaryPassword = TemporaryPassword(expiresAt: nil) }
            _ = try await ReplaceTemporaryPassword(ports)(
                bench.ticket(at: call), password: new, call: call)
        case .reset, .resetUnproved:
            _ = try await ResetPassword(ports)(proof(.recovery), password: new, call: call)
        case .magicLink:
            _ = try await VerifyProof(ports)(proof(.magicLink), purposes: [.magicLink], call: call)
        case .recovery:
            _ = try await VerifyProof(ports)(proof(.recovery), purposes: [.recovery], call: call)
        case .textedCode:
            _ = try await ConfirmAddress(ports)(
                proof(.phoneSignIn, to: .phone(PhoneNumber(Self.phone))), purposes: [.phoneSignIn], call: call)
        case .signUp:
            let link = try await ports.write(call) { step in
                var current = try #require(try step.tx.user(user.id, in: user.directoryID))
                let attempt = SignUpAttempt(
                    id: SignUpAttemptID("b"), directoryID: user.directoryID, userID: user.id,
                    passwordHash: try CountingPasswords.form(PasswordBench.newPassword), createdAt: call.now)
                try step.tx.insert(attempt)
                let proof = try OneTimeIssuer(step).send(
                    .signUpConfirmation, to: &current, recipient: .email(address), redirectTo: nil,
                    codeChallenge: nil, signUp: attempt)
                try step.tx.update(current)
                return proof.linkToken
            }
            _ = try await VerifyProof(ports)(.linkToken(link), purposes: [.signUpConfirmation], call: call)
        case .administrator: try await administer { $0.password = new }
        case .administratorsHash:
            try await administer { $0.passwordHash = try CountingPasswords.form(PasswordBench.newPassword, salt: 1) }
        case .administratorsTemporary:
            try await administer { ($0.password, $0.passwordIsTemporary) = (new, true) }
        case .invitation:
            _ = try await UserAdministration(ports).invite(email: address, call: scene.administrator)
        case .link:
            _ = try await UserAdministration(ports).generateLink(
                .signUpConfirmation, email: address, password: new, call: scene.administrator)
        case .demo: _ = try await DemoData(ports).make(email: address, password: new, call: call)
        }
    }

    private func told(_ recipient: String, _ scene: Scene) async throws -> Int {
        try await scene.bench.base.messages(to: recipient).count { $0.kind == "password_changed" }
    }

    @Test("R9.3 no former password signs in", arguments: Variant.allCases)
    func password(variant: Variant) async throws {
        let scene = try await scene(variant)
        try await replace(variant, scene)
        #expect(await scene.bench.refused(PasswordBench.password, at: scene.call) == .invalidCredentials)
    }

    @Test(
        "R9.3 pending changes end, and asking for them once more does not bring them back", arguments: Variant.allCases)
    func pending(variant: Variant) async throws {
        let scene = try await scene(variant)
        let sent = try await scene.bench.base.messages(to: Self.evil).count
        try await replace(variant, scene)
        let after = try await scene.bench.base.reload(scene.user)
        #expect(after.pendingEmail == nil && after.pendingPhone == nil && !after.pendingEmailHalfConfirmed)
        let later = scene.bench.call(after: .hours(1))
        try await ResendMessage(scene.bench.ports)(.emailChange, to: scene.bench.email(), call: later)
        #expect(try await scene.bench.base.messages(to: Self.evil).count == sent)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await VerifyProof(scene.bench.ports)(
                .linkToken(scene.stale.linkToken), purposes: [.emailChangeNew], call: later)
        }
        let email = try await scene.bench.base.reload(scene.user).email?.rawValue
        #expect(email == (variant.dropped == Self.email ? nil : Self.email))
    }

    @Test("R9.3 links, codes and sign-ups under way end, and tokens issued until now", arguments: Variant.allCases)
    func tokens(variant: Variant) async throws {
        let scene = try await scene(variant)
        try await replace(variant, scene)
        let (user, bench) = (scene.user, scene.bench)
        for purpose in OneTimeToken.Purpose.allCases {
            // What an operator has just asked for is not of before.
            let token = try await bench.base.token(purpose, of: user)
            #expect(token.map { $0.createdAt == scene.call.now } ?? true, "\(purpose)")
        }
        let (code, attempts) = try await bench.store.read { tx in
            (
                try tx.authorizationCode(hash: [1], in: user.directoryID),
                try tx.signUpAttempts(of: user.id, in: user.directoryID)
            )
        }
        #expect(code == nil && attempts.isEmpty)
        let since = try await bench.base.reload(user).tokensValidSince
        #expect(since == Instant(seconds: scene.call.now.seconds))
    }

    @Test("R9.3 every session ends but the one in which the user chose the new password", arguments: Variant.allCases)
    func sessions(variant: Variant) async throws {
        let scene = try await scene(variant)
        try await replace(variant, scene)
        let (mine, other) = (try await scene.bench.session(scene.mine), try await scene.bench.session(scene.other))
        #expect((mine.revokedAt == nil) == variant.keepsOwnSession)
        #expect(variant.keepsOwnSession || mine.revocation == .passwordChanged)
        #expect(other.revocation == .passwordChanged)
    }

    @Test("R9.3 the owner is told once by each way in that there was, and nobody else", arguments: Variant.allCases)
    func notice(variant: Variant) async throws {
        let scene = try await scene(variant)
        try await replace(variant, scene)
        for way in [Self.email, Self.phone] {
            #expect(try await told(way, scene) == (way == variant.dropped ? 0 : 1), "\(way)")
        }
        for way in [Self.evil, Self.evilPhone] { #expect(try await told(way, scene) == 0, "\(way)") }
    }

    @Test("R9.3 the audit log says once that the password was replaced, and by what right", arguments: Variant.allCases)
    func audit(variant: Variant) async throws {
        let scene = try await scene(variant)
        try await replace(variant, scene)
        let events = try await scene.bench.base.events(.passwordChanged)
        #expect(events.map(\.userID) == [scene.user.id])
        #expect(events.map { $0.details["by"]?.stringValue } == [variant.by])
    }

    @Test("R9.3 the first password of a sign-up is no replacement: nobody is told of it")
    func first() async throws {
        let bench = try await PasswordBench { $0.signUp.unverifiedSignIn = .allow }
        let message = try await bench.signUpMessage(PasswordBench.password, at: bench.call())
        try await bench.answer(message, at: bench.call(after: .minutes(1)))
        try await bench.signUp(bench.email("b@example.com"))
        var attributes = UserAttributes()
        attributes.emailConfirm = true
        var administrator = bench.call(after: .minutes(1))
        administrator.actor = .commandLine
        let other = try #require(try await bench.found("b@example.com"))
        _ = try await UserAdministration(bench.ports).update(other.id, attributes, call: administrator)
        for email in ["a@example.com", "b@example.com"] {
            #expect(try await bench.base.messages(to: email).map(\.kind) == ["confirmation"])
            try await bench.signIn(email)
        }
        #expect(try await bench.base.events(.passwordChanged).isEmpty)
    }

    @Test("R9.3 a first password beside other ways in is one more way in: its owner is told of it")
    func added() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user { $0.passwordHash = nil }
        let proof = try await bench.base.proof(.magicLink, for: user)
        let session = try #require(
            try await VerifyProof(bench.ports)(
                .linkToken(proof.linkToken), purposes: [.magicLink], call: bench.call()
            ).session)
        try await bench.update(session) { $0.password = new }
        #expect(try await bench.base.messages(to: "a@example.com").contains { $0.kind == "password_changed" })
        #expect(try await bench.base.events(.passwordChanged).count == 1)
    }

    @Test("R9.3 an invitation that is accepted after a stranger asked for another address leaves them none")
    func invitationAccepted() async throws {
        let scene = try await scene(.invitation)
        let bench = scene.bench
        try await replace(.invitation, scene)
        let invitation = try #require(try await bench.base.messages(to: Self.email).first { $0.kind == "invite" })
        let later = bench.call(after: .minutes(3))
        try await ResendMessage(bench.ports)(.emailChange, to: bench.email(), call: later)
        _ = try await VerifyProof(bench.ports)(
            .linkToken(#require(invitation.tokenHash)), purposes: [.invitation], call: later)
        for message in try await bench.base.messages(to: Self.evil) {
            guard let hash = message.tokenHash else { continue }
            await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
                try await VerifyProof(bench.ports)(.linkToken(hash), purposes: [.emailChangeNew], call: later)
            }
        }
        #expect(try await bench.base.reload(scene.user).email?.rawValue == Self.email)
    }
}
