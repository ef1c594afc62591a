// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite struct SignUpTests {
    @Test("C-1 G-1.1 G-4.1 an account is made with its first mail, and opens nothing before it is confirmed")
    func confirmation() async throws {
        let bench = try await PasswordBench()
        let outcome = try await bench.signUp(metadata: ["name": "A", "nothing": .null])
        let user = try #require(try await bench.found())
        #expect(outcome.record?.user.id == user.id && outcome.session == nil && !outcome.isConcealed)
        #expect(user.emailVerifiedAt == nil && user.userMetadata == ["name": "A"])
        #expect(user.appMetadata == ["provider": "email", "providers": ["email"]])
        #expect(try await bench.base.messages().map(\.kind) == ["confirmation"])
        #expect(try await bench.base.events().map(\.action) == [.confirmationRequested])
        #expect(bench.passwords.all == 1)
        let stored = try await bench.store.read { try $0.identities(of: user.id, in: user.directoryID) }
        #expect(stored.map(\.id) == outcome.record?.identities.map(\.id))
        await #expect(throws: AuthError(.emailNotVerified)) { try await bench.signIn() }
        let link = try #require(try await bench.base.messages().first?.link)
        let token = try #require(link.split(separator: "token=").last?.prefix(56))
        let confirmed = try await VerifyProof(bench.ports)(
            .link(token: String(token)), purposes: [.signUpConfirmation], call: bench.call(after: .minutes(1)))
        #expect(confirmed.session?.user.id == user.id)
        try await bench.signIn()
    }

    @Test("C-1 where addresses confirm themselves a sign-up is a sign-in, without a mail", arguments: [true, false])
    func autoConfirm(byEmail: Bool) async throws {
        let bench = try await PasswordBench {
            $0.signUp.emailAutoConfirm = true
            $0.signUp.phoneAutoConfirm = true
        }
        let number = SignInIdentifier.phone(try PhoneNumber("+491701234567"))
        let outcome = try await bench.signUp(byEmail ? nil : number)
        let issued = try #require(outcome.session)
        #expect((issued.user.emailVerifiedAt != nil) == byEmail && (issued.user.phoneVerifiedAt != nil) == !byEmail)
        #expect(issued.identities.first?.data[byEmail ? "email_verified" : "phone_verified"] == true)
        #expect(issued.session.methods.map(\.name) == [.password])
        #expect(try await bench.base.messages().isEmpty)
        #expect(Set(try await bench.base.events().map(\.action)) == [.signedUp, .signedIn])
        _ = try await bench.authenticated(issued)
        await #expect(throws: AuthError(byEmail ? .emailExists : .phoneExists)) {
            try await bench.signUp(byEmail ? nil : number, password: PasswordBench.newPassword)
        }
        #expect(try await bench.userCount() == 1)
        #expect(bench.passwords.all == 2)
    }

    @Test("C-1 a number gets a code instead of a link")
    func phone() async throws {
        let bench = try await PasswordBench()
        let number = try PhoneNumber("+491701234567")
        try await bench.signUp(.phone(number))
        let message = try #require(try await bench.base.messages(to: number.e164).first)
        #expect(message.channel == .sms && message.code?.count == 6)
        let outcome = try await VerifyProof(bench.ports)(
            .code(.phone(number), try #require(message.code)), purposes: [.signUpConfirmation], call: bench.call())
        #expect(outcome.session?.user.phoneVerifiedAt != nil)
    }

    @Test("G-1.4 a weak password is refused before anything is hashed or looked up, known address or not")
    func weak() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let writes = bench.store.writes
        for address in ["a@example.com", "new@example.com"] {
            for password in ["", "Short1", "alllowercase1", "ALLUPPERCASE1", "NoDigitsHere", "Password1"] {
                let error = await bench.error { try await bench.signUp(bench.email(address), password: password) }
                #expect(error?.code == .weakPassword && error?.violations.isEmpty == false, "\(password)")
            }
        }
        #expect(bench.passwords.all == 0 && bench.store.writes == writes)
    }

    @Test("C-1 what is switched off makes no account and costs no hash")
    func disabled() async throws {
        let bench = try await PasswordBench()
        let number = SignInIdentifier.phone(try PhoneNumber("+491701234567"))
        await #expect(throws: AuthError(.signUpDisabled)) {
            try await bench.signUp(at: bench.call { $0.signUp.enabled = false })
        }
        await #expect(throws: AuthError(.emailSignInDisabled)) {
            try await bench.signUp(at: bench.call { $0.signUp.emailEnabled = false })
        }
        await #expect(throws: AuthError(.phoneSignInDisabled)) {
            try await bench.signUp(number, at: bench.call { $0.signUp.phoneEnabled = false })
        }
        let command = try SignUpCommand(
            identifier: bench.email(), password: Secret(PasswordBench.password), codeChallenge: "short")
        await #expect(throws: AuthError(.invalidRequest)) {
            try await SignUp(bench.ports)(command, call: bench.call())
        }
        #expect(bench.passwords.all == 0)
        #expect(try await bench.userCount() == 0)
    }

    @Test("F24 fifty sign-ups of one address at once make one user and one mail, and the others are told to wait")
    func concurrent() async throws {
        let bench = try await PasswordBench()
        let errors = await withTaskGroup(of: AuthError?.self) { group in
            for _ in 0..<50 { group.addTask { await bench.error { try await bench.signUp() } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(try await bench.userCount() == 1)
        #expect(try await bench.base.messages().count == 1)
        #expect(errors.count { $0 == nil } == 1)
        #expect(errors.count { $0?.code == .mailRateLimited && $0?.retryAfter != nil } == 49)
        #expect(bench.passwords.all == 50)
    }

    @Test("F24 fifty sign-ups at once that confirm themselves open one session")
    func concurrentAutoConfirm() async throws {
        let bench = try await PasswordBench { $0.signUp.emailAutoConfirm = true }
        let errors = await withTaskGroup(of: AuthError?.self) { group in
            for _ in 0..<50 { group.addTask { await bench.error { try await bench.signUp() } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(errors.count { $0 == nil } == 1)
        #expect(errors.count { $0?.code == .emailExists } == 49)
        let user = try #require(try await bench.found())
        #expect(try await bench.base.sessions(of: user).count == 1)
    }

    @Test(
        "I5 when the server dies at any point there is an account with its mail, or neither",
        arguments: UInt64(1)...20)
    func crashes(seed: UInt64) async throws {
        let bench = try await PasswordBench()
        let store = CrashingStore(bench.store, random: SeededRandom(seed: seed), percent: 30)
        for attempt in 0..<4 {
            _ = try? await bench.signUp(at: bench.call(after: .minutes(Int64(attempt * 2))), over: store)
            let users = try await bench.userCount()
            let (mails, events) = (try await bench.base.messages().count, try await bench.base.events().count)
            #expect(users == min(1, mails) && mails == events, "seed \(seed)")
        }
        try await bench.signUp(at: bench.call(after: .hours(1)))
        #expect(try await bench.userCount() == 1)
    }

    @Test("R66 an address that was deleted and signs up again is somebody new")
    func afterDeletion() async throws {
        let bench = try await PasswordBench()
        try await bench.signUp(metadata: ["name": "Old"])
        let old = try #require(try await bench.found())
        try await bench.ports.write(bench.call()) { _ = try AccountEnding($0).softDelete(old) }
        try await bench.signUp(metadata: [:], at: bench.call(after: .minutes(2)))
        let new = try #require(try await bench.found())
        #expect(new.id != old.id && new.userMetadata.isEmpty)
    }
}
