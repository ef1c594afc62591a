// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Logging
import TestBench
import Testing

@testable import Accounts

@Suite struct AskingTests {
    private func signUp(_ bench: AccountBench, _ email: String = "ada@example.com") async throws -> SignUpOutcome {
        let command = try SignUpCommand(
            identifier: .email(EmailAddress(email)), password: Secret(AccountBench.password))
        return try await SignUp(bench.ports)(command, call: bench.call(actor: .unknown))
    }

    @Test("R14.6 no question is put inside a transaction: whoever is asked can have others write meanwhile")
    func outside() async throws {
        let store = Mutex<(any AccountStoring)?>(nil)
        let receiver = HookReceiver { _ throws(HookCallFailure) in
            guard let store = store.withLock({ $0 }) else { throw .unreachable }
            do {
                try await store.write { try $0.set(.written, at: Instant(seconds: 1)) }
            } catch { throw .unreachable }
            return HookReply([:])
        }
        let bench = try await AccountBench(hooks: PlainForm.hooks([.signUp, .signIn], receiver)) {
            $0.signUp.emailAutoConfirm = true
        }
        store.withLock { $0 = bench.ports.store }
        guard case .signedIn(let step) = try await signUp(bench) else { throw StoreConflict.stale("outcome") }
        // Asked once each, of the very user whom there then is.
        #expect(receiver.received.map { $0.object["moment"]?.stringValue } == ["sign_up", "sign_in"])
        #expect(receiver.received.allSatisfy { $0.object["user"]?.stringValue == step.user.id.rawValue })
    }

    @Test("R14.6 what is refused leaves nothing behind, in the store or the outbox, and what is said is bounded")
    func refused() async throws {
        let receiver = HookReceiver { received throws(HookCallFailure) in
            HookReply(status: received.object["moment"]?.stringValue == "sign_in" ? 403 : 200)
        }
        let bench = try await AccountBench(hooks: PlainForm.hooks([.signUp, .signIn], receiver)) {
            $0.signUp.emailAutoConfirm = true
        }
        let error = await #expect(throws: AuthError.self) { try await signUp(bench) }
        #expect(error?.code == .hookRefused && error?.field == "sign_in")
        #expect(error?.message?.count == 1000 && error?.message?.contains("\u{7}") == false)
        let id = bench.directory.id
        #expect(try await bench.ports.store.read { try $0.userCount(in: id) } == 0)
        #expect(try await OutboxInspection(bench.ports).messages(limit: 9).isEmpty)
    }

    @Test("R14.6 what follows is told in order once it is durable, and of what was undone nothing is told")
    func followUps() async throws {
        let seen = Mutex<(store: (any AccountStoring)?, users: [User], refuses: Bool)>((nil, [], false))
        let receiver = HookReceiver { received throws(HookCallFailure) in
            let (store, refuses) = seen.withLock { ($0.store, $0.refuses) }
            let moment = received.object["moment"]?.stringValue
            if moment == "sign_in" { return HookReply(status: refuses ? 403 : 200) }
            guard let id = received.object["user"]?.stringValue, let store else { throw .unreachable }
            do {
                // In a transaction of its own: none is under way that would hold it up, and all is there to be read.
                let user = try await store.write { tx in
                    try tx.directories().first.flatMap { try tx.user(UserID(id), in: $0.id) }
                }
                seen.withLock { if let user { $0.users.append(user) } }
            } catch { throw .unreachable }
            return HookReply(status: moment == "signed_in" ? 403 : 200)
        }
        let moments: [HookMoment] = [.signIn, .signedIn, .confirmed, .created]
        let bench = try await AccountBench(hooks: PlainForm.hooks(moments, receiver)) {
            $0.signUp.emailAutoConfirm = true
        }
        seen.withLock { ($0.store, $0.refuses) = (bench.ports.store, true) }
        await #expect(throws: AuthError.self) { try await signUp(bench) }
        #expect(receiver.received.map { $0.object["moment"]?.stringValue } == ["sign_in"])

        seen.withLock { $0.refuses = false }
        let error = await #expect(throws: AuthError.self) { try await signUp(bench) }
        #expect(error?.code == .hookRefused && error?.field == "signed_in")
        let told = receiver.received.dropFirst().map { $0.object["moment"]?.stringValue }
        #expect(told == ["sign_in", "created", "confirmed", "signed_in"])
        let users = seen.withLock { $0.users }
        #expect(users.count == 3 && users.allSatisfy { $0.isConfirmed && $0.lastSignInAt != nil })
        // The account stays; the session, which nobody has, does not.
        let user = try #require(users.first)
        let sessions = try await bench.ports.store.read { try $0.sessions(of: user.id, in: user.directoryID) }
        #expect(sessions.allSatisfy { $0.revokedAt != nil })
        #expect(try await bench.ports.store.read { try $0.userCount(in: user.directoryID) } == 1)
    }

    @Test("R14.6 of 20 sign-ups of one address at once that are all asked about, one makes the account")
    func race() async throws {
        let receiver = HookReceiver { _ throws(HookCallFailure) in HookReply([:]) }
        let bench = try await AccountBench(hooks: PlainForm.hooks([.signUp], receiver)) {
            $0.signUp.emailAutoConfirm = true
        }
        let made = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 { group.addTask { (try? await signUp(bench)) != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(made == 1)
        let id = bench.directory.id
        #expect(try await bench.ports.store.read { try $0.userCount(in: id) } == 1)
    }

    @Test("R14.6 a hook of another Directory, or one without its form's answer, is not asked, or lets nobody past")
    func whose() async throws {
        let receiver = HookReceiver { _ throws(HookCallFailure) in HookReply([:]) }
        var hooks = PlainForm.hooks([.signUp], receiver)
        hooks.blocking[0].directory = "other"
        let bench = try await AccountBench(hooks: hooks)
        _ = try await signUp(bench)
        #expect(receiver.received.isEmpty)

        let formless = Hooks(blocking: [
            BlockingHook(
                name: "x", moment: .signUp, dialect: PlainForm.dialect, directory: "default", secrets: [],
                caller: receiver)
        ])
        let closed = try await AccountBench(hooks: formless)
        let error = await #expect(throws: AuthError.self) { try await signUp(closed) }
        #expect(error?.code == .hookFailed)
    }

    @Test("R14.6 what is said of a sign-up is said of an account that was nobody's too, and becomes this sign-up's")
    func taken() async throws {
        let isLater = Mutex(false)
        let form = PlainForm {
            var changes = HookChanges()
            guard isLater.withLock({ $0 }) else { return changes }
            changes.provesEmail = true
            changes.attributes = ["tier": "gold"]
            return changes
        }
        let receiver = HookReceiver { _ throws(HookCallFailure) in HookReply([:]) }
        let bench = try await AccountBench(hooks: PlainForm.hooks([.signUp], receiver, form))
        guard case .confirmationSent = try await signUp(bench) else { throw StoreConflict.stale("outcome") }
        isLater.withLock { $0 = true }
        guard case .signedIn(let step) = try await signUp(bench) else { throw StoreConflict.stale("outcome") }
        let id = bench.directory.id
        let user = try await bench.ports.store.read { try $0.user(step.user.id, in: id) }
        #expect(user?.dialectData[PlainForm.dialect].byOperator["tier"] == "gold")
        #expect(try await bench.ports.store.read { try $0.userCount(in: id) } == 1)
    }

    @Test(
        "R14.6 of several sign-ups that wait at one address, what was said of the one that is confirmed counts: attributes, profile, and that it is disabled",
        arguments: [1, 2])
    func waiting(confirmed: Int) async throws {
        let number = Mutex(0)
        let form = PlainForm {
            var changes = HookChanges()
            let count = number.withLock { $0 }
            changes.name = .string("Name \(count)")
            changes.attributes = ["tier": .integer(Int64(count)), "of": .string("everybody")]
            changes.isDisabled = count == 2
            return changes
        }
        let receiver = HookReceiver { _ throws(HookCallFailure) in HookReply([:]) }
        let bench = try await AccountBench(hooks: PlainForm.hooks([.signUp], receiver, form))
        let name = SignInIdentifier.email(try EmailAddress("ada@example.com"))
        var codes: [String] = []
        for count in 1...2 {
            number.withLock { $0 = count }
            // From another place: from the same one they would be told to wait.
            var call = bench.call(actor: .unknown)
            call.device.truncatedAddress = "192.0.\(count).0/24"
            let command = SignUpCommand(identifier: name, password: Secret(AccountBench.password))
            guard case .confirmationSent = try await SignUp(bench.ports)(command, call: call) else {
                throw StoreConflict.stale("outcome")
            }
            let sent = try await bench.messages(to: "ada@example.com").compactMap(\.code)
            codes.append(try #require(sent.first { !codes.contains($0) }))
        }
        var refusal: AuthErrorCode?
        do {
            _ = try await VerifyProof(bench.ports)(
                .code(name, codes[confirmed - 1]), purposes: [.signUpConfirmation], call: bench.call(actor: .unknown))
        } catch let error as AuthError { refusal = error.code }
        #expect(refusal == (confirmed == 2 ? .userBanned : nil))
        guard confirmed == 1 else { return }
        let id = bench.directory.id
        let user = try #require(
            try await bench.ports.store.read { try $0.user(email: EmailAddress("ada@example.com"), in: id) })
        #expect(user.dialectData[PlainForm.dialect].byOperator == ["tier": 1, "of": "everybody"])
        #expect(user.userMetadata["name"] == "Name 1" && user.bannedUntil == nil && user.isConfirmed)
    }

    @Test(
        "R14.6 that an account counts as confirmed says nothing where its address is to be proved: the message is sent all the same"
    )
    func confirmedAccount() async throws {
        let form = PlainForm {
            var changes = HookChanges()
            changes.confirmsAccount = true
            return changes
        }
        let receiver = HookReceiver { _ throws(HookCallFailure) in HookReply([:]) }
        let bench = try await AccountBench(hooks: PlainForm.hooks([.signUp], receiver, form))
        guard case .confirmationSent(let record) = try await signUp(bench) else { throw StoreConflict.stale("outcome") }
        let id = bench.directory.id
        let user = try await bench.ports.store.read { try $0.user(record.user.id, in: id) }
        #expect(user?.isConfirmed == false)
        // Where accounts are what is confirmed, it does.
        let other = try await AccountBench(hooks: PlainForm.hooks([.signUp], receiver, form))
        var call = other.call()
        call.confirmation = .account
        let command = try SignUpCommand(
            identifier: .email(EmailAddress("ada@example.com")), password: Secret(AccountBench.password))
        guard case .signedIn(let step) = try await SignUp(other.ports)(command, call: call) else {
            throw StoreConflict.stale("outcome")
        }
        #expect(step.issued != nil && step.user.emailVerifiedAt == nil)
    }

    @Test("R14.6 no program makes an address or a number that one user has proved another's too")
    func unique() async throws {
        let receiver = HookReceiver { _ throws(HookCallFailure) in HookReply([:]) }
        let bench = try await AccountBench(hooks: PlainForm.hooks([.signUp], receiver)) {
            $0.signUp.emailAutoConfirm = true
            $0.signUp.uniqueEmails = true
        }
        _ = try await signUp(bench)
        let error = await #expect(throws: AuthError.self) {
            try await bench.ports.write(bench.call()) { step in
                var user = try step.newUser()
                user.email = try EmailAddress("ada@example.com")
                user.sharesEmail = true
                var changes = HookChanges()
                changes.provesEmail = true
                try user.take(changes, of: PlainForm.dialect, step)
            }
        }
        #expect(error?.code == .emailExists)
    }

    @Test("R14.6 a message that is tried again is asked for by the same identifier")
    func again() async throws {
        let receiver = HookReceiver { _ throws(HookCallFailure) in HookReply([:]) }
        let bench = try await AccountBench(hooks: PlainForm.hooks([.mail], receiver))
        let letters = HookedLetters(bench.ports, links: bench.call().links)
        let letter = Letter(kind: "recovery", recipient: "ada@example.com", text: "text")
        for _ in 0..<2 {
            let left = try await letters.deliver(
                letter, isText: false, isCarried: true, in: bench.directory.id, id: OutboxMessageID("m1"),
                at: bench.clock.now)
            #expect(left == nil)
        }
        #expect(receiver.received.map { $0.object["id"]?.stringValue } == ["m1", "m1"])
    }
}
