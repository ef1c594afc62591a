// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

@Suite("R14.6 That a program wants somebody disabled waits with their message") struct WaitingBanTests {
    private static let address = "ada@example.com"
    private static let number = "+4915112345678"

    /// What the program says now; shared with its form.
    private final class Said: Sendable {
        let disables = AtomicFlag(true)
    }

    /// A Directory whose program says, while it is told to, that whoever signs up is to be disabled.
    private final class World: Sendable {
        let bench: AccountBench
        let receiver: HookReceiver
        private let says: Said

        init() async throws {
            let says = Said()
            let form = PlainForm {
                var changes = HookChanges()
                changes.isDisabled = says.disables.load() ? true : nil
                return changes
            }
            let receiver = HookReceiver { _ throws(HookCallFailure) in HookReply([:]) }
            bench = try await AccountBench(hooks: PlainForm.hooks([.signUp], receiver, form)) {
                $0.signUp.phoneEnabled = true
            }
            self.receiver = receiver
            self.says = says
        }

        func disables(_ isSo: Bool) { says.disables.store(isSo) }

        func call(from place: Int = 1) -> CallContext {
            var call = bench.call(actor: .unknown)
            call.device.truncatedAddress = "192.0.\(place).0/24"
            call.origin = "192.0.\(place).1"
            return call
        }

        func user(_ recipient: String = WaitingBanTests.address) async throws -> User? {
            let (name, id) = (try Self.name(recipient), bench.directory.id)
            return try await bench.ports.store.read { try $0.user(known: name, in: id) }
        }

        static func name(_ recipient: String) throws -> SignInIdentifier {
            recipient.contains("@") ? .email(try EmailAddress(recipient)) : .phone(try PhoneNumber(recipient))
        }

        /// Asks for a message as one does who signs up without a password, and gives its code.
        func ask(_ recipient: String = WaitingBanTests.address, from place: Int = 1) async throws -> String {
            let before = try await codes(recipient)
            switch try Self.name(recipient) {
            case .email(let email): try await RequestMagicLink(bench.ports)(email, call: call(from: place))
            case .phone(let number): try await RequestPhoneCode(bench.ports)(number, call: call(from: place))
            case .username, .user: break
            }
            return try #require(try await codes(recipient).first { !before.contains($0) })
        }

        func signUp(from place: Int = 1) async throws -> (outcome: SignUpOutcome, code: String?) {
            let before = try await codes(WaitingBanTests.address)
            let command = SignUpCommand(
                identifier: try Self.name(WaitingBanTests.address), password: Secret(AccountBench.password))
            let outcome = try await SignUp(bench.ports)(command, call: call(from: place))
            return (outcome, try await codes(WaitingBanTests.address).first { !before.contains($0) })
        }

        private func codes(_ recipient: String) async throws -> [String] {
            try await bench.messages(to: recipient).compactMap(\.code)
        }

        /// What answering a message is refused with.
        func refusal(
            _ code: String, _ recipient: String = WaitingBanTests.address, from place: Int = 1
        ) async throws -> AuthErrorCode? {
            do {
                _ = try await VerifyProof(bench.ports)(
                    .code(try Self.name(recipient), code), purposes: [.signUpConfirmation, .magicLink, .phoneSignIn],
                    call: call(from: place))
                return nil
            } catch let error as AuthError { return error.code }
        }
    }

    @Test(
        "R14.6 who answers a message of a sign-up without a password is disabled then, and not before",
        arguments: [Self.address, Self.number])
    func answered(recipient: String) async throws {
        let world = try await World()
        let code = try await world.ask(recipient)
        let waiting = try #require(try await world.user(recipient))
        #expect(waiting.bannedUntil == nil && !waiting.isConfirmed)
        #expect(try await world.refusal(code, recipient) == .userBanned)
        let banned = try #require(try await world.user(recipient))
        #expect(banned.bannedUntil == User.forever && banned.isConfirmed)
        // What was answered is spent, and nobody has a session by it.
        #expect(try await world.refusal(code, recipient) != nil)
        let sessions = try await world.bench.ports.store.read { try $0.sessions(of: banned.id, in: banned.directoryID) }
        #expect(sessions.isEmpty)
    }

    @Test("R14.6 a number that an app signs in with is disabled in the same way")
    func appNumber() async throws {
        let world = try await World()
        let (phone, number) = (PhoneSignIn(world.bench.ports), try PhoneNumber(Self.number))
        let session = try await phone.ask(number, call: world.call())
        let code = try #require(try await world.bench.messages(to: Self.number).first?.code)
        let error = await #expect(throws: AuthError.self) {
            _ = try await phone(.code(session: session, code), call: world.call())
        }
        #expect(error?.code == .userBanned)
        #expect(try await world.user(Self.number)?.bannedUntil == User.forever)
    }

    @Test("R14.6 that a stranger's request was to be disabled says nothing of the owner's own sign-up")
    func ownersSignUp() async throws {
        let world = try await World()
        _ = try await world.ask(from: 2)
        world.disables(false)
        let own = try await world.signUp()
        guard case .confirmationSent = own.outcome else { throw StoreConflict.stale("outcome") }
        #expect(try await world.refusal(try #require(own.code)) == nil)
        let user = try #require(try await world.user())
        #expect(user.isConfirmed && user.bannedUntil == nil && user.passwordHash != nil)
    }

    @Test("R14.6 nor does it of the owner's own request for a code, which the program is asked about again")
    func ownersCode() async throws {
        let world = try await World()
        _ = try await world.ask(from: 2)
        world.bench.advance(by: .minutes(5))
        world.disables(false)
        let code = try await world.ask()
        #expect(world.receiver.received.count == 2)
        #expect(try await world.refusal(code) == nil)
        #expect(try await world.user()?.bannedUntil == nil)
    }

    @Test("R14.6 whoever asks a second time does not get round what is said of them: it is said of each message")
    func twice() async throws {
        let world = try await World()
        _ = try await world.ask()
        world.bench.advance(by: .minutes(5))
        let second = try await world.ask()
        #expect(world.receiver.received.count == 2)
        #expect(try await world.user()?.bannedUntil == nil)
        #expect(try await world.refusal(second) == .userBanned)
        #expect(try await world.user()?.bannedUntil == User.forever)
        // Nor by a sign-up that the program would let pass now.
        world.disables(false)
        world.bench.advance(by: .minutes(5))
        let later = try await world.signUp()
        guard case .concealed = later.outcome else { throw StoreConflict.stale("outcome") }
        #expect(try await world.user()?.bannedUntil == User.forever)
    }

    @Test(
        "R14.6 an operator's ban of an account that still waits is lifted by no sign-up, no request and no answered message"
    )
    func operators() async throws {
        let world = try await World()
        world.disables(false)
        let first = try await world.signUp()
        var ban = UserAttributes()
        ban.ban = .indefinitely
        let id = try #require(try await world.user()?.id)
        _ = try await UserAdministration(world.bench.ports).update(id, ban, call: world.bench.call())
        #expect(try await world.user()?.bannedUntil == User.forever)

        // With a ban what was sent before ends.
        #expect(try await world.refusal(try #require(first.code)) != nil)
        world.bench.advance(by: .minutes(5))
        let second = try await world.signUp(from: 2)
        if let code = second.code { #expect(try await world.refusal(code, from: 2) == .userBanned) }
        world.bench.advance(by: .minutes(5))
        let sent = try await world.bench.messages(to: Self.address).count
        try await RequestMagicLink(world.bench.ports)(EmailAddress(Self.address), call: world.call(from: 3))
        let messages = try await world.bench.messages(to: Self.address)
        if messages.count > sent, let code = messages.first?.code {
            #expect(try await world.refusal(code, from: 3) == .userBanned)
        }
        let user = try #require(try await world.user())
        #expect(user.id == id && user.bannedUntil == User.forever && !user.isConfirmed)
    }
}
