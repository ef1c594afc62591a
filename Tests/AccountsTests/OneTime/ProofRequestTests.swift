// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite struct ProofRequestTests {
    private let known = "known@example.com"
    private let unknown = "other@example.com"

    /// Runs `request` and says what it left: transactions, audit events, messages.
    private func cost(_ bench: ProofBench, _ request: () async throws -> Void) async throws -> (Int, Int, Int) {
        let before = (bench.store.writes, try await bench.events().count, try await bench.messages().count)
        try await request()
        return (
            bench.store.writes - before.0, try await bench.events().count - before.1,
            try await bench.messages().count - before.2
        )
    }

    @Test("G-3.2 G-3.6 recovery of a known and of an unknown address return alike after one transaction and one event")
    func recovery() async throws {
        let bench = try await ProofBench()
        _ = try await bench.confirmedUser(known)
        let request = RequestRecovery(bench.ports)
        let forKnown = try await cost(bench) { try await request(EmailAddress(known), call: bench.call()) }
        let forUnknown = try await cost(bench) { try await request(EmailAddress(unknown), call: bench.call()) }
        #expect(forKnown == (1, 1, 1))
        #expect(forUnknown == (1, 1, 0))
        #expect(try await bench.messages(to: unknown).isEmpty)
        let message = try #require(try await bench.messages(to: known).first)
        #expect(message.kind == "recovery")
        let events = try await bench.events(.recoveryRequested)
        #expect(events.count == 2)
        #expect(events.allSatisfy { $0.emailHash != nil && !$0.details.text.contains("example.com") })
    }

    @Test("G-3.4 a recovered user signs in by the link and by the code of the mail")
    func recoveryEndToEnd() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser(known)
        try await RequestRecovery(bench.ports)(
            EmailAddress(known), redirectTo: "https://other.example/reset", call: bench.call())
        let message = try #require(try await bench.messages(to: known).first)
        #expect(message.link?.hasSuffix("redirect_to=https://other.example/reset") == true)
        let outcome = try await VerifyProof(bench.ports)(
            .linkToken(try #require(message.tokenHash)), purposes: [.recovery], call: bench.call())
        #expect(outcome.session?.user.id == user.id)
        #expect(try await bench.reload(user).sent.recovery == bench.now)
    }

    @Test(
        "A magic link makes an account where it may, and says nothing where it may not",
        arguments: [
            (true, true, 1), (true, false, 0), (false, true, 0),
        ])
    func magicLinkForUnknown(createsUser: Bool, signUpEnabled: Bool, users: Int) async throws {
        let bench = try await ProofBench { $0.signUp.enabled = signUpEnabled }
        let forUnknown = try await cost(bench) {
            try await RequestMagicLink(bench.ports)(
                EmailAddress(unknown), createsUser: createsUser, userMetadata: ["name": "N"], call: bench.call())
        }
        #expect(forUnknown == (1, 1, users))
        let id = bench.directory.id
        #expect(try await bench.store.read { try $0.userCount(in: id) } == users)
        guard users == 1 else { return }
        let message = try #require(try await bench.messages(to: unknown).first)
        #expect(message.kind == "confirmation")
        let outcome = try await VerifyProof(bench.ports)(
            .code(.email(EmailAddress(unknown)), try #require(message.code)),
            purposes: [.signUpConfirmation, .magicLink], call: bench.call())
        let session = try #require(outcome.session)
        #expect(session.user.userMetadata == ["name": "N"])
        #expect(session.user.appMetadata["providers"] == ["email"])
        #expect(session.user.passwordHash == nil && session.user.emailVerifiedAt != nil)
    }

    @Test("A magic link signs a known user in")
    func magicLink() async throws {
        let bench = try await ProofBench()
        let user = try await bench.confirmedUser(known)
        try await RequestMagicLink(bench.ports)(EmailAddress(known), call: bench.call())
        let message = try #require(try await bench.messages(to: known).first)
        #expect(message.kind == "magic_link")
        let outcome = try await VerifyProof(bench.ports)(
            .link(token: try #require(message.tokenHash)), purposes: [.magicLink], call: bench.call())
        #expect(outcome.session?.user.id == user.id)
        #expect(try await bench.reload(user).passwordHash != nil)
    }

    @Test("R10.5 where sign-in by mailed links is off, none is sent, to whomever; recovery goes on")
    func magicLinksOff() async throws {
        let bench = try await ProofBench { $0.signUp.emailLinkEnabled = false }
        _ = try await bench.confirmedUser(known)
        let writes = bench.store.writes
        for address in [known, unknown] {
            await #expect(throws: AuthError(.emailSignInDisabled)) {
                try await RequestMagicLink(bench.ports)(EmailAddress(address), call: bench.call())
            }
        }
        #expect(bench.store.writes == writes)
        try await RequestRecovery(bench.ports)(EmailAddress(known), call: bench.call())
        #expect(try await bench.messages(to: known).count == 1)
    }

    @Test("A phone code is sent to a known number, and to an unknown one where people may sign up")
    func phoneCode() async throws {
        let bench = try await ProofBench()
        let request = RequestPhoneCode(bench.ports)
        let refused = try await cost(bench) {
            try await request(PhoneNumber("+491701234567"), createsUser: false, call: bench.call())
        }
        #expect(refused == (1, 1, 0))
        try await request(PhoneNumber("+491701234567"), call: bench.call())
        let message = try #require(try await bench.messages(to: "+491701234567").first)
        let outcome = try await VerifyProof(bench.ports)(
            .code(.phone(PhoneNumber("+491701234567")), try #require(message.code)), purposes: [.phoneSignIn],
            call: bench.call())
        #expect(outcome.session?.user.phoneVerifiedAt == bench.now)
    }

    @Test("G-4.4 a second wish within the resend interval is answered alike and sends nothing")
    func resendInterval() async throws {
        let bench = try await ProofBench()
        _ = try await bench.confirmedUser(known)
        let request = RequestRecovery(bench.ports)
        try await request(EmailAddress(known), call: bench.call())
        let first = try #require(try await bench.messages(to: known).first?.tokenHash)
        let second = try await cost(bench) {
            try await request(EmailAddress(known), call: bench.call(after: .seconds(59)))
        }
        #expect(second == (1, 1, 0))
        _ = try await VerifyProof(bench.ports)(
            .linkToken(first), purposes: [.recovery], call: bench.call(after: .seconds(59)))
        // Once the proof was used, there is nothing to spare the user from.
        let third = try await cost(bench) {
            try await request(EmailAddress(known), call: bench.call(after: .seconds(59)))
        }
        #expect(third == (1, 1, 1))
        let fourth = try await cost(bench) {
            try await request(EmailAddress(known), call: bench.call(after: .seconds(119)))
        }
        #expect(fourth == (1, 1, 1))
    }

    @Test("G-4.4 resending is silent where there is nothing to confirm", arguments: ResendMessage.Subject.allCases)
    func resendNothing(subject: ResendMessage.Subject) async throws {
        let bench = try await ProofBench()
        _ = try await bench.user(email: known, phone: "+491701234567") {
            $0.emailVerifiedAt = Instant(seconds: 1)
            $0.phoneVerifiedAt = Instant(seconds: 1)
        }
        let isMail = subject == .signUpConfirmation || subject == .emailChange
        for identifier: SignInIdentifier in isMail
            ? [.email(try EmailAddress(known)), .email(try EmailAddress(unknown))]
            : [.phone(try PhoneNumber("+491701234567")), .phone(try PhoneNumber("+491709999999"))]
        {
            let spent = try await cost(bench) {
                try await ResendMessage(bench.ports)(subject, to: identifier, call: bench.call())
            }
            #expect(spent == (1, 1, 0))
        }
    }

    @Test("G-4.4 resending sends what is still to be confirmed")
    func resend() async throws {
        let bench = try await ProofBench()
        let pending = try EmailAddress("new@example.com")
        let mailed = try await bench.user(email: known) { $0.pendingEmail = pending }
        let phoned = try await bench.user(phone: "+491701234567") { $0.pendingPhone = try PhoneNumber("+491701111111") }
        let resend = ResendMessage(bench.ports)
        try await resend(.signUpConfirmation, to: .email(EmailAddress(known)), call: bench.call())
        try await resend(.emailChange, to: .email(EmailAddress(known)), call: bench.call())
        try await resend(.phoneSignIn, to: .phone(PhoneNumber("+491701234567")), call: bench.call())
        try await resend(.phoneChange, to: .phone(PhoneNumber("+491701234567")), call: bench.call())
        #expect(Set(try await bench.messages(to: known).map(\.kind)) == ["confirmation", "email_change_current"])
        #expect(try await bench.messages(to: "new@example.com").map(\.kind) == ["email_change_new"])
        #expect(try await bench.messages(to: "+491701234567").map(\.kind) == ["phone_sign_in"])
        #expect(try await bench.messages(to: "+491701111111").map(\.kind) == ["phone_change"])
        #expect(try await bench.reload(mailed).sent.emailChange == bench.now)
        #expect(try await bench.reload(phoned).sent.phoneChange == bench.now)
    }

    @Test("A change to an address that another user has is not resent to them")
    func resendTaken() async throws {
        let bench = try await ProofBench()
        _ = try await bench.confirmedUser(unknown)
        let pending = try EmailAddress(unknown)
        _ = try await bench.user(email: known) { $0.pendingEmail = pending }
        let spent = try await cost(bench) {
            try await ResendMessage(bench.ports)(.emailChange, to: .email(EmailAddress(known)), call: bench.call())
        }
        #expect(spent == (1, 1, 0))
    }

    @Test("What a Directory has switched off is refused for everybody")
    func disabled() async throws {
        let bench = try await ProofBench {
            $0.signUp.emailEnabled = false
            $0.signUp.phoneEnabled = false
        }
        let ports = bench.ports
        let call = bench.call()
        let email = try EmailAddress(known)
        let phone = try PhoneNumber("+491701234567")
        await #expect(throws: AuthError(.emailSignInDisabled)) { try await RequestRecovery(ports)(email, call: call) }
        await #expect(throws: AuthError(.emailSignInDisabled)) { try await RequestMagicLink(ports)(email, call: call) }
        await #expect(throws: AuthError(.phoneSignInDisabled)) { try await RequestPhoneCode(ports)(phone, call: call) }
        await #expect(throws: AuthError(.emailSignInDisabled)) {
            try await ResendMessage(ports)(.emailChange, to: .email(email), call: call)
        }
        await #expect(throws: AuthError(.phoneSignInDisabled)) {
            try await ResendMessage(ports)(.phoneChange, to: .phone(phone), call: call)
        }
        await #expect(throws: AuthError(.invalidRequest)) {
            try await ResendMessage(ports)(.phoneChange, to: .email(email), call: call)
        }
    }

    @Test("A malformed challenge is refused before anybody is looked up")
    func malformedChallenge() async throws {
        let bench = try await ProofBench()
        _ = try await bench.confirmedUser(known)
        for address in [known, unknown] {
            let writes = bench.store.writes
            let email = try EmailAddress(address)
            await #expect(throws: AuthError(.invalidRequest)) {
                try await RequestRecovery(bench.ports)(email, codeChallenge: "plain", call: bench.call())
            }
            await #expect(throws: AuthError(.invalidRequest)) {
                try await RequestMagicLink(bench.ports)(email, codeChallenge: "plain", call: bench.call())
            }
            #expect(bench.store.writes == writes)
        }
    }

    @Test("Reauthentication goes to what the user has verified, and else says what is missing")
    func reauthentication() async throws {
        let bench = try await ProofBench()
        let request = RequestReauthentication(bench.ports)
        func ask(_ user: User) async throws {
            let session = try await bench.ports.write(bench.call()) {
                try $0.issue(for: user, by: .magicLink)
            }
            try await request(
                AuthenticatedUser(user: session.user, identities: session.identities, session: session.session),
                call: bench.call())
        }
        try await ask(try await bench.confirmedUser(known))
        #expect(try await bench.messages(to: known).map(\.kind) == ["reauthentication"])
        try await ask(try await bench.user(phone: "+491701234567") { $0.phoneVerifiedAt = bench.now })
        #expect(try await bench.messages(to: "+491701234567").map(\.kind) == ["reauthentication"])
        let unverified = try await bench.user(email: unknown)
        await #expect(throws: AuthError(.emailNotVerified)) { try await ask(unverified) }
        let anonymous = try await bench.user { $0.isAnonymous = true }
        await #expect(throws: AuthError(.invalidRequest)) { try await ask(anonymous) }
    }
}
