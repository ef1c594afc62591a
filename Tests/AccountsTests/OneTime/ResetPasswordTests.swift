// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// A recovery that ends in a password instead of a session.
@Suite struct ResetPasswordTests {
    private static let new = "Another-Horse-8"

    private func recover(_ bench: PasswordBench, _ identifier: SignInIdentifier, to recipient: String) async throws
        -> OutboxMessage
    {
        try await RequestRecovery(bench.ports)(identifier, call: bench.call())
        return try #require(try await bench.base.messages(to: recipient).first { $0.kind == "recovery" })
    }

    @Test("G-3.4 a recovery by code or link sets the password, ends what was before, and confirms the address")
    func resets() async throws {
        for isCode in [true, false] {
            let bench = try await PasswordBench.withSRP()
            let user = try await bench.user { $0.username = try Username("ada") }
            let session = try await bench.signIn()
            let name = SignInIdentifier.username(try Username("Ada"))
            let message = try await recover(bench, name, to: "a@example.com")
            let proof: Proof =
                isCode ? .code(name, try #require(message.code)) : .linkToken(try #require(message.tokenHash))
            let later = bench.call(after: .seconds(61))
            let hashed = bench.passwords.all
            let record = try await ResetPassword(bench.ports)(proof, password: Secret(Self.new), call: later)
            #expect(bench.passwords.all == hashed + 1)
            #expect(record.user.id == user.id && record.user.emailVerifiedAt != nil)
            #expect(record.user.srpVerifier != nil)
            #expect(record.user.tokensValidSince == Instant(seconds: later.now.seconds))
            #expect(try await bench.session(session).revocation == .passwordChanged)
            #expect(try await bench.base.sessions(of: user).isEmpty)
            #expect(try await bench.base.messages().contains { $0.kind == "password_changed" })
            _ = try await bench.signIn(password: Self.new)
            await #expect(throws: AuthError(.invalidCredentials)) { try await bench.signIn() }
            await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
                try await ResetPassword(bench.ports)(proof, password: Secret(Self.new), call: later)
            }
        }
    }

    @Test("G-3.4 a temporary password and a never confirmed account are both settled by a recovery")
    func settles() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user {
            $0.emailVerifiedAt = nil
            $0.temporaryPassword = TemporaryPassword(expiresAt: bench.now)
        }
        let message = try await recover(bench, try bench.email(), to: "a@example.com")
        let record = try await ResetPassword(bench.ports)(
            .code(bench.email(), #require(message.code)), password: Secret(Self.new), call: bench.call())
        #expect(record.user.id == user.id)
        #expect(record.user.temporaryPassword == nil && record.user.emailVerifiedAt == bench.now)
        _ = try await bench.signIn(password: Self.new)
    }

    @Test("G-3.6 wrong codes of known and unknown people cost one hash and one transaction each, and say the same")
    func sameWork() async throws {
        let bench = try await PasswordBench()
        try await bench.user { $0.username = try Username("ada") }
        _ = try await recover(bench, try bench.email(), to: "a@example.com")
        let names: [SignInIdentifier] = [
            try bench.email(), try bench.email("nobody@example.com"), .username(try Username("ada")),
            .username(try Username("nobody")), .user(UserID(bench.ports.random.uuid())),
        ]
        for name in names {
            let (writes, hashes) = (bench.store.writes, bench.passwords.all)
            let error = await bench.error {
                _ = try await ResetPassword(bench.ports)(
                    .code(name, "no"), password: Secret(Self.new), call: bench.call())
            }
            #expect(error?.code == .oneTimeTokenInvalid && error?.reason == nil)
            #expect(bench.passwords.all == hashes + 1 && bench.store.writes == writes + 1)
            // The policy comes first, and asks nobody.
            await #expect(throws: AuthError(.weakPassword)) {
                try await ResetPassword(bench.ports)(.code(name, "no"), password: Secret("short"), call: bench.call())
            }
            #expect(bench.passwords.all == hashes + 1 && bench.store.writes == writes + 1)
        }
        #expect(try await bench.base.events(.verificationFailed).count == names.count)
    }

    @Test("A banned user's recovery is refused and not spent; a proof of another kind sets no password")
    func refused() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user { $0.bannedUntil = bench.now + .seconds(30) }
        let message = try await recover(bench, try bench.email(), to: "a@example.com")
        let code = try #require(message.code)
        await #expect(throws: AuthError(.userBanned)) {
            try await ResetPassword(bench.ports)(
                .code(bench.email(), code), password: Secret(Self.new), call: bench.call())
        }
        let magic = try await bench.base.proof(.magicLink, for: user)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await ResetPassword(bench.ports)(
                .linkToken(magic.linkToken), password: Secret(Self.new), call: bench.call())
        }
        _ = try await ResetPassword(bench.ports)(
            .code(bench.email(), code), password: Secret(Self.new), call: bench.call(after: .seconds(31)))
    }

    @Test("G-3.6 a recovery by name goes to the address that was proved, and for nobody's name costs the same")
    func byName() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user("a@example.com", phone: "+491701234567") {
            $0.username = try Username("ada")
            $0.emailVerifiedAt = nil
        }
        let writes = bench.store.writes
        try await RequestRecovery(bench.ports)(.username(Username("ada")), call: bench.call())
        #expect(try await bench.base.messages(to: "+491701234567").count == 1)
        #expect(try await bench.base.messages(to: "a@example.com").isEmpty)
        #expect(bench.store.writes == writes + 1)
        try await RequestRecovery(bench.ports)(.username(Username("nobody")), call: bench.call())
        try await RequestRecovery(bench.ports)(.user(user.id), call: bench.call())
        #expect(bench.store.writes == writes + 3)
        // Too soon after the first.
        #expect(try await bench.base.messages().count == 1)
        #expect(try await bench.base.events(.recoveryRequested).count == 3)
        // A user with neither address nor number is sent nothing.
        let bare = try await bench.base.user { $0.username = try Username("bare") }
        try await RequestRecovery(bench.ports)(.user(bare.id), call: bench.call())
        #expect(try await bench.base.messages().count == 1)
    }
}
