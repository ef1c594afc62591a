// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import Testing

@testable import Accounts

extension PasswordBench {
    /// A call from another place than other callers'.
    func call(
        from place: String?, after span: TimeSpan = .zero, _ change: (inout DirectorySettings) -> Void = { _ in }
    ) -> CallContext {
        var call = call(after: span, change)
        call.device.truncatedAddress = place
        return call
    }

    /// Signs up, and gives away the message as only the mailbox's owner would have it.
    func signUpMessage(
        _ password: String, _ metadata: JSONObject = [:], at call: CallContext
    ) async throws -> OutboxMessage {
        let known = try await base.messages(to: "a@example.com").map(\.id)
        let command = try SignUpCommand(
            identifier: email(), password: Secret(password), userMetadata: metadata)
        _ = try await SignUp(ports)(command, call: call)
        return try #require(try await base.messages(to: "a@example.com").first { !known.contains($0.id) })
    }

    func answer(_ message: OutboxMessage, at call: CallContext, byCode: Bool = false) async throws {
        let proof: Proof =
            try byCode
            ? .code(email(), #require(message.code)) : .linkToken(#require(message.tokenHash))
        _ = try await VerifyProof(ports)(proof, purposes: [.signUpConfirmation], call: call)
    }

    func refused(_ password: String, at call: CallContext) async -> AuthErrorCode? {
        await error { try await signIn(password: password, at: call) }?.code
    }
}

/// A stranger signs up with somebody's address, before or after its owner does.
@Suite struct SignUpAttemptTests {
    private static let owners = "Owners-Horse-71"
    private static let strangers = "Strangers-Horse-72"
    private static let home = "192.0.2.0/24"
    private static let away = "198.51.100.0/24"

    @Test(
        "R8.7 the account's password and words are those of the sign-up whose message was answered, whoever came first",
        arguments: [true, false], [true, false])
    func answered(strangerFirst: Bool, byCode: Bool) async throws {
        let bench = try await PasswordBench()
        func stranger(_ seconds: Int64) async throws -> OutboxMessage {
            try await bench.signUpMessage(
                Self.strangers, ["planted": 1],
                at: bench.call(from: Self.away, after: .seconds(seconds)))
        }
        // Within the interval between two messages: the owner has one of their own all the same.
        let planted = strangerFirst ? try await stranger(0) : nil
        let own = try await bench.signUpMessage(
            Self.owners, ["mine": 1], at: bench.call(from: Self.home, after: .seconds(1)))
        let followed = strangerFirst ? nil : try await stranger(2)
        let unanswered = try #require(try await bench.found())
        #expect(unanswered.passwordHash == nil && unanswered.srpVerifier == nil)
        let later = bench.call(from: Self.home, after: .minutes(2))
        try await bench.answer(own, at: later, byCode: byCode)
        let user = try await bench.base.reload(unanswered)
        #expect(user.userMetadata == ["mine": 1])
        #expect(try CountingPasswords.matches(user.passwordHash, Self.owners))
        try await bench.signIn(password: Self.owners, at: later)
        #expect(await bench.refused(Self.strangers, at: later) == .invalidCredentials)
        let dead = try #require(planted ?? followed)
        for byCode in [true, false] {
            await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
                try await bench.answer(dead, at: bench.call(from: Self.away, after: .minutes(3)), byCode: byCode)
            }
        }
        let id = bench.base.directory.id
        #expect(try await bench.store.read { try $0.signUpAttempts(of: user.id, in: id).isEmpty })
    }

    @Test(
        "R8.7 a sign-up that nobody answered opens nothing: only who knows its password is told to confirm the address, at one comparison"
    )
    func unanswered() async throws {
        let bench = try await PasswordBench.withSRP()
        _ = try await bench.signUpMessage(Self.strangers, at: bench.call(from: Self.away))
        _ = try await bench.signUpMessage(Self.owners, at: bench.call(from: Self.home))
        let compared = bench.passwords.verified
        #expect(await bench.refused(Self.owners, at: bench.call(from: Self.home)) == .emailNotVerified)
        #expect(await bench.refused(Self.strangers, at: bench.call(from: Self.away)) == .emailNotVerified)
        #expect(await bench.refused("Wrong-Horse-73", at: bench.call(from: Self.home)) == .invalidCredentials)
        #expect(bench.passwords.verified == compared + 3)
        for (password, expected) in [(Self.owners, AuthErrorCode.emailNotVerified), ("No", .invalidCredentials)] {
            let client = try SRPClient()
            let (flow, call) = (SRPSignIn(bench.ports), bench.call(from: Self.home))
            let challenge = try await flow.begin(bench.email(), clientPublic: client.publicValue, call: call)
            let wanted = try client.sharedSecret(challenge, password: password, realm: bench.base.directory.id.rawValue)
            let error = await bench.error {
                _ = try await flow.finish(state: challenge.state, call: call) {
                    constantTimeEqual($0.sharedSecret, wanted)
                }
            }
            #expect(error?.code == expected)
        }
        #expect(try await bench.base.sessions(of: #require(await bench.found())).isEmpty)
    }

    @Test("R8.7 once answered, the password signs in by SRP too")
    func srp() async throws {
        let bench = try await PasswordBench.withSRP()
        _ = try await bench.signUpMessage(Self.strangers, at: bench.call(from: Self.away))
        let own = try await bench.signUpMessage(Self.owners, at: bench.call(from: Self.home))
        try await bench.answer(own, at: bench.call())
        let client = try SRPClient()
        let flow = SRPSignIn(bench.ports)
        let challenge = try await flow.begin(bench.email(), clientPublic: client.publicValue, call: bench.call())
        let wanted = try client.sharedSecret(challenge, password: Self.owners, realm: bench.base.directory.id.rawValue)
        _ = try await flow.finish(state: challenge.state, call: bench.call()) {
            constantTimeEqual($0.sharedSecret, wanted)
        }
    }

    @Test(
        "R8.7 by a link or a recovery that the owner asked for themselves, no sign-up's password comes in",
        arguments: [OneTimeToken.Purpose.magicLink, .recovery, .signUpConfirmation])
    func otherProofs(purpose: OneTimeToken.Purpose) async throws {
        let bench = try await PasswordBench()
        let planted = try await bench.signUpMessage(Self.strangers, at: bench.call(from: Self.away))
        let user = try #require(try await bench.found())
        let proof = try await bench.base.proof(purpose, for: user)
        _ = try await VerifyProof(bench.ports)(
            .link(token: proof.linkToken), purposes: [purpose], call: bench.call(from: Self.home))
        let after = try await bench.base.reload(user)
        #expect(after.emailVerifiedAt != nil && after.passwordHash == nil)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) { try await bench.answer(planted, at: bench.call()) }
        #expect(await bench.refused(Self.strangers, at: bench.call(from: Self.away)) == .invalidCredentials)
    }

    @Test("R8.7 many sign-ups by a stranger are few, and do not displace the owner's")
    func bounded() async throws {
        let bench = try await PasswordBench()
        let own = try await bench.signUpMessage(Self.owners, at: bench.call(from: Self.home))
        for minute in Int64(1)...12 {
            _ = try await bench.signUpMessage(
                Self.strangers, at: bench.call(from: Self.away, after: .minutes(minute)))
        }
        let user = try #require(try await bench.found())
        let kept = try await bench.store.read { try $0.signUpAttempts(of: user.id, in: user.directoryID) }
        #expect(kept.count == SignUpAttempts.maximum)
        try await bench.answer(own, at: bench.call(from: Self.home, after: .hours(1)))
        try await bench.signIn(password: Self.owners, at: bench.call(after: .hours(1)))
    }

    @Test("R8.7 an address is sent no more than five messages in the interval, from however many places")
    func manyPlaces() async throws {
        let bench = try await PasswordBench()
        var sent = 0
        for place in 0..<20 {
            let error = await bench.error {
                try await bench.signUp(at: bench.call(from: "198.51.\(place).0/24", after: .seconds(Int64(place))))
            }
            #expect(error == nil || error?.code == .mailRateLimited)
            if let error { #expect(error.retryAfter == .seconds(Int64(60 - place))) } else { sent += 1 }
        }
        #expect(sent == 5)
        #expect(try await bench.base.messages().count == 5)
        try await bench.signUp(at: bench.call(from: Self.home, after: .seconds(60)))
    }

    @Test(
        "R8.7 sent again is the caller's own sign-up; where it could be a stranger's, what confirms the address and no password"
    )
    func resend() async throws {
        let bench = try await PasswordBench()
        func resent(from place: String, minutes: Int64) async throws -> OutboxMessage {
            let call = bench.call(from: place, after: .minutes(minutes))
            try await ResendMessage(bench.ports)(.signUpConfirmation, to: bench.email(), call: call)
            return try #require(try await bench.base.messages(to: "a@example.com").first)
        }
        func signUp(_ id: OutboxMessage) async throws -> SignUpAttempt? {
            let hash = OneTimeToken.hash(link: OneTimeToken.linkToken(of: try #require(id.tokenHash)))
            let directory = bench.base.directory.id
            return try await bench.store.read { tx in
                let token = try #require(try tx.oneTimeToken(linkHash: hash, in: directory))
                return try token.signUp.flatMap { try tx.signUpAttempt($0, in: directory) }
            }
        }
        let first = try await bench.signUpMessage(Self.owners, at: bench.call(from: Self.home))
        // All there is came from one place, and from another anybody may ask.
        #expect(try await signUp(resent(from: "203.0.113.0/24", minutes: 2)) == nil)
        _ = try await bench.signUpMessage(Self.strangers, at: bench.call(from: Self.away, after: .minutes(3)))
        let own = try await resent(from: Self.home, minutes: 4)
        // The earlier message of the same sign-up ends.
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) { try await bench.answer(first, at: bench.call()) }
        #expect(try CountingPasswords.matches(try await signUp(own)?.passwordHash, Self.owners))
        #expect(try await signUp(resent(from: "203.0.113.0/24", minutes: 5)) == nil)
        try await bench.answer(own, at: bench.call(from: Self.home, after: .minutes(6)))
        try await bench.signIn(password: Self.owners, at: bench.call(after: .minutes(6)))
    }

    @Test("R8.7 an administrator who confirms an account confirms its only sign-up, and of several nobody's")
    func administrator() async throws {
        for strangerCame in [false, true] {
            let bench = try await PasswordBench()
            if strangerCame { _ = try await bench.signUpMessage(Self.strangers, at: bench.call(from: Self.away)) }
            _ = try await bench.signUpMessage(Self.owners, ["mine": 1], at: bench.call(from: Self.home))
            var call = bench.call(after: .minutes(1))
            call.actor = .commandLine
            var attributes = UserAttributes()
            attributes.emailConfirm = true
            let user = try #require(try await bench.found())
            _ = try await UserAdministration(bench.ports).update(user.id, attributes, call: call)
            #expect(await bench.refused(Self.owners, at: call) == (strangerCame ? .invalidCredentials : nil))
            #expect(await bench.refused(Self.strangers, at: call) == .invalidCredentials)
            let left = try await bench.store.read { try $0.signUpAttempts(of: user.id, in: user.directoryID) }
            #expect(left.isEmpty)
        }
    }

    @Test("R8.7 an administrator's link of verification is that of the only sign-up; of several, it brings no password")
    func verificationLink() async throws {
        for strangerCame in [false, true] {
            let bench = try await PasswordBench()
            if strangerCame { _ = try await bench.signUpMessage(Self.strangers, at: bench.call(from: Self.away)) }
            _ = try await bench.signUpMessage(Self.owners, at: bench.call(from: Self.home))
            var call = bench.call(after: .minutes(1))
            call.actor = .commandLine
            let proof = try await UserAdministration(bench.ports)
                .verificationLink(of: EmailAddress("a@example.com"), call: call)
            _ = try await ConfirmAddress(bench.ports)(
                .linkToken(proof.linkToken), purposes: [.signUpConfirmation], call: call)
            #expect(await bench.refused(Self.owners, at: call) == (strangerCame ? .invalidCredentials : nil))
            #expect(await bench.refused(Self.strangers, at: call) == .invalidCredentials)
        }
    }

    @Test("R8.7 what an operator changed of an unanswered account stands when its owner answers")
    func changedMeanwhile() async throws {
        let bench = try await PasswordBench()
        let own = try await bench.signUpMessage(Self.owners, ["mine": 1, "plan": "free"], at: bench.call())
        var call = bench.call()
        call.actor = .commandLine
        var attributes = UserAttributes()
        attributes.userMetadata = ["plan": "gold"]
        _ = try await UserAdministration(bench.ports).update(#require(await bench.found()).id, attributes, call: call)
        try await bench.answer(own, at: bench.call())
        #expect(try await bench.found()?.userMetadata == ["mine": 1, "plan": "gold"])
        try await bench.signIn(password: Self.owners)
    }

    @Test(
        "R8.7 where a password signs in before its address is confirmed, who answers their own message has the account, and the stranger nothing"
    )
    func unverifiedSignIn() async throws {
        let bench = try await PasswordBench { $0.signUp.unverifiedSignIn = .allow }
        let own = try await bench.signUpMessage(Self.owners, ["mine": 1], at: bench.call(from: Self.home))
        let planted = try await bench.signUpMessage(Self.strangers, at: bench.call(from: Self.away))
        let session = try await bench.signIn(password: Self.strangers, at: bench.call(from: Self.away))
        // That it was used makes it nobody's: the owner's later sign-up has a message of its own.
        #expect(try await !bench.signUp(at: bench.call(from: Self.home, after: .minutes(5))).isConcealed)
        try await bench.answer(own, at: bench.call(from: Self.home, after: .minutes(6)))
        #expect(try await bench.session(session).revokedAt != nil)
        #expect(try await bench.found()?.userMetadata == ["mine": 1])
        let later = bench.call(after: .minutes(7))
        #expect(await bench.refused(Self.strangers, at: later) == .invalidCredentials)
        try await bench.signIn(password: Self.owners, at: later)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) { try await bench.answer(planted, at: later) }
    }

    @Test("R8.7 who signs in before they confirm keeps their session and what they changed when they do")
    func unverifiedOwner() async throws {
        let bench = try await PasswordBench { $0.signUp.unverifiedSignIn = .allow }
        let own = try await bench.signUpMessage(Self.owners, ["theme": "dark"], at: bench.call())
        let issued = try await bench.signIn(password: Self.owners)
        try await bench.update(issued) { $0.userMetadata = ["theme": "light"] }
        try await bench.answer(own, at: bench.call(after: .minutes(1)))
        #expect(try await bench.session(issued).revokedAt == nil)
        #expect(try await bench.found()?.userMetadata == ["theme": "light"])
        try await bench.signIn(password: Self.owners)
    }

    @Test("R8.7 of two messages answered at once one counts, and its password alone", arguments: 0..<8)
    func race(round: Int) async throws {
        let bench = try await PasswordBench()
        let messages = [
            (Self.strangers, try await bench.signUpMessage(Self.strangers, at: bench.call(from: Self.away))),
            (Self.owners, try await bench.signUpMessage(Self.owners, at: bench.call(from: Self.home))),
        ]
        let won = await withTaskGroup(of: String?.self) { group in
            for (password, message) in round % 2 == 0 ? messages : messages.reversed() {
                group.addTask {
                    await bench.error { try await bench.answer(message, at: bench.call()) } == nil ? password : nil
                }
            }
            return await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
        }
        #expect(won.count == 1)
        for password in [Self.strangers, Self.owners] {
            #expect(await bench.refused(password, at: bench.call()) == (won == [password] ? nil : .invalidCredentials))
        }
    }

    @Test("R8.7 a sign-up at the moment of the answer changes nothing of it", arguments: 0..<8)
    func raceOfSignUp(round: Int) async throws {
        let bench = try await PasswordBench()
        let own = try await bench.signUpMessage(Self.owners, ["mine": 1], at: bench.call(from: Self.home))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for place in 0..<4 {
                group.addTask {
                    try await bench.signUp(
                        password: Self.strangers, metadata: ["planted": 1], at: bench.call(from: "198.51.\(place).0/24")
                    )
                }
            }
            group.addTask { try await bench.answer(own, at: bench.call(from: Self.home)) }
            try await group.waitForAll()
        }
        #expect(try await bench.found()?.userMetadata == ["mine": 1])
        try await bench.signIn(password: Self.owners)
        #expect(await bench.refused(Self.strangers, at: bench.call()) == .invalidCredentials)
        let mails = try await bench.base.messages(to: "a@example.com")
        for mail in mails where mail.kind == "confirmation" {
            await #expect(throws: AuthError(.oneTimeTokenInvalid)) { try await bench.answer(mail, at: bench.call()) }
        }
    }
}
