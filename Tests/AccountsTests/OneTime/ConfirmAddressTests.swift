// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// Proofs that open no session, and the look at one that spends nothing.
@Suite struct ConfirmAddressTests {
    private func signedUp(_ bench: PasswordBench) async throws -> (user: User, code: String, link: String) {
        var command = SignUpCommand(
            identifier: .username(try Username("ada")), password: Secret(PasswordBench.password))
        command.email = try EmailAddress("a@example.com")
        guard case .confirmationSent(let record) = try await SignUp(bench.ports)(command, call: bench.call()) else {
            throw AuthError(.internalFailure)
        }
        let message = try #require(try await bench.base.messages(to: "a@example.com").first)
        return (record.user, try #require(message.code), try #require(message.tokenHash))
    }

    @Test("C-1 a sign-up is confirmed by name and code, opens no session, and signs in afterwards")
    func confirms() async throws {
        let bench = try await PasswordBench()
        let (user, code, _) = try await signedUp(bench)
        let name = SignInIdentifier.username(try Username("ADA"))
        // What nobody has proved is no name of theirs.
        await #expect(throws: AuthError(.invalidCredentials)) { try await bench.signIn() }
        await #expect(throws: AuthError(.emailNotVerified)) {
            try await PasswordSignIn(bench.ports)(
                name, password: Secret(PasswordBench.password), call: bench.call())
        }
        let confirm = ConfirmAddress(bench.ports)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await confirm(
                .code(name, ProofBench.wrong(code)), purposes: [.signUpConfirmation], call: bench.call())
        }
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await confirm(.code(name, code), purposes: [.recovery], call: bench.call())
        }
        let record = try await confirm(.code(name, code), purposes: [.signUpConfirmation], call: bench.call())
        #expect(record.user.id == user.id && record.user.emailVerifiedAt == bench.now)
        #expect(record.identities.map(\.provider) == ["email"])
        #expect(try await bench.base.sessions(of: user).isEmpty)
        _ = try await PasswordSignIn(bench.ports)(
            name, password: Secret(PasswordBench.password), call: bench.call())
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await confirm(.code(name, code), purposes: [.signUpConfirmation], call: bench.call())
        }
    }

    @Test("A change of address is confirmed by its user's name, halves and all")
    func changeOfAddress() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user { $0.username = try Username("ada") }
        let wanted = try EmailAddress("new@example.com")
        let proofs = try await bench.ports.write(bench.call()) { step in
            var current = try #require(try step.tx.user(user.id, in: user.directoryID))
            let proofs = try OneTimeIssuer(step).sendEmailChange(
                to: wanted, of: &current, redirectTo: nil, codeChallenge: nil)
            try step.tx.update(current)
            return proofs
        }
        let name = SignInIdentifier.user(user.id)
        let confirm = ConfirmAddress(bench.ports)
        let half = try await confirm(.code(name, proofs[1].code), purposes: [.emailChangeNew], call: bench.call())
        #expect(half.user.email == user.email && half.user.pendingEmailHalfConfirmed)
        let whole = try await confirm(
            .code(name, proofs[0].code), purposes: [.emailChangeCurrent], call: bench.call(after: .seconds(5)))
        #expect(whole.user.email == wanted)
        #expect(whole.user.tokensValidSince == bench.now + .seconds(5))
    }

    @Test("To look at a link spends nothing; what it would not do it does not show")
    func inspects() async throws {
        let bench = try await PasswordBench()
        let (user, _, link) = try await signedUp(bench)
        let inspect = { (link: String, purposes: [OneTimeToken.Purpose], call: CallContext) in
            try await InspectProof(bench.ports)(.linkToken(link), purposes: purposes, call: call)
        }
        for _ in 0..<2 {
            let seen = try #require(try await inspect(link, [.signUpConfirmation], bench.call()))
            #expect(seen.user.user.id == user.id && seen.purpose == .signUpConfirmation)
            #expect(seen.recipient == "a@example.com" && seen.newEmail == nil)
        }
        let (writes, events) = (bench.store.writes, try await bench.base.events().count)
        #expect(try await inspect(link, [.recovery], bench.call()) == nil)
        #expect(try await inspect(link + "0", [.signUpConfirmation], bench.call()) == nil)
        #expect(try await inspect("", [.signUpConfirmation], bench.call()) == nil)
        #expect(try await inspect(link, [.signUpConfirmation], bench.call(after: .days(1))) == nil)
        #expect(bench.store.writes == writes)
        #expect(try await bench.base.events().count == events)
        _ = try await ConfirmAddress(bench.ports)(
            .linkToken(link), purposes: [.signUpConfirmation], call: bench.call())
        #expect(try await inspect(link, [.signUpConfirmation], bench.call()) == nil)
    }

    @Test("A confirmation is sent again by name, to nobody for nobody's name, at the same cost")
    func resends() async throws {
        let bench = try await PasswordBench()
        _ = try await signedUp(bench)
        let resend = ResendMessage(bench.ports)
        let writes = bench.store.writes
        let call = bench.call(after: .minutes(2))
        try await resend(.signUpConfirmation, to: .username(Username("ada")), call: call)
        #expect(try await bench.base.messages(to: "a@example.com").count == 2)
        try await resend(.signUpConfirmation, to: .username(Username("nobody")), call: call)
        try await resend(.phoneChange, to: .username(Username("ada")), call: call)
        #expect(try await bench.base.messages().count == 2)
        #expect(bench.store.writes == writes + 3)
    }
}
