// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import TestBench
import Testing

@testable import Accounts

/// Accounts that an operator answers for, though nobody has proved their address: a stranger's sign-up is nothing to
/// them, and their owner gets in.
@Suite struct ClaimedAccountTests {
    private static let stranger = PasswordBench.newPassword

    enum Made: CaseIterable, Sendable {
        case administrator, temporary, invited, linked, imported, changed, grouped
    }

    private func make(_ how: Made, in bench: PasswordBench) async throws -> User {
        var call = bench.call()
        call.actor = .commandLine
        let administration = UserAdministration(bench.ports)
        let address = try EmailAddress("a@example.com")
        var attributes = UserAttributes()
        attributes.email = address
        attributes.password = Secret(PasswordBench.password)
        attributes.userMetadata = ["theirs": 1]
        switch how {
        case .administrator: return try await administration.create(attributes, call: call).user
        case .temporary:
            attributes.passwordIsTemporary = true
            return try await administration.create(attributes, call: call).user
        case .invited: return try await administration.invite(email: address, metadata: ["theirs": 1], call: call).user
        case .linked:
            return try await administration.generateLink(
                .signUpConfirmation, email: address, password: Secret(PasswordBench.password),
                metadata: ["theirs": 1], call: call
            ).record.user
        case .imported:
            let line = #"{"id":"aaaaaaaa-aaaa-4aaa-8aaa-100000000001","email":"a@example.com","user_metadata":{"a":1}}"#
            var lines = [line]
            _ = try await UserImport(store: bench.store, random: bench.ports.random, dialects: []).run(
                into: bench.base.directory, at: bench.now, nextLine: { lines.popLast() },
                fault: { Issue.record("\($0)") })
        case .changed:
            try await bench.signUp(at: bench.call(after: .days(-1)))
            var role = UserAttributes()
            role.role = "editor"
            return try await administration.update(#require(await bench.found()).id, role, call: call).user
        case .grouped:
            try await bench.signUp(at: bench.call(after: .days(-1)))
            let groups = GroupAdministration(bench.ports)
            _ = try await groups.create(name: "staff", call: call)
            try await groups.add(#require(await bench.found()).id, to: "staff", call: call)
        }
        return try #require(try await bench.found())
    }

    @Test(
        "R8.6 a stranger's sign-up changes nothing in an account that an operator answers for, and is told nothing of it",
        arguments: Made.allCases)
    func untouched(how: Made) async throws {
        let bench = try await PasswordBench.withSRP()
        let before = try await make(how, in: bench)
        let identities = try await bench.store.read { try $0.identities(of: before.id, in: before.directoryID) }
        let free = try #require(try await bench.signUp(bench.email("free@example.com"), metadata: ["b": 2]).record)
        let later = bench.call(after: .hours(1))
        let outcome = try await bench.signUp(password: Self.stranger, metadata: ["b": 2], at: later)
        #expect(outcome.isConcealed && outcome.record?.user.id != before.id)
        #expect(outcome.record?.user.userMetadata == free.user.userMetadata)
        let after = try await bench.base.reload(before)
        #expect("\(after)" == "\(before)")
        #expect(
            try await bench.store.read { try $0.identities(of: before.id, in: before.directoryID) }.count
                == identities.count)
        #expect(try await bench.base.messages(to: "a@example.com").first?.kind == "account_exists")
        await #expect(throws: AuthError(.invalidCredentials)) {
            try await bench.signIn(password: Self.stranger, at: later)
        }
    }

    @Test(
        "R8.6 after a stranger's sign-up the owner gets in by recovery, and the stranger's password is nothing",
        arguments: Made.allCases)
    func recovery(how: Made) async throws {
        let bench = try await PasswordBench()
        _ = try await make(how, in: bench)
        try await bench.signUp(password: Self.stranger)
        let later = bench.call(after: .minutes(5))
        try await RequestRecovery(bench.ports)(bench.email(), call: later)
        let message = try #require(try await bench.base.messages(to: "a@example.com").first { $0.kind == "recovery" })
        _ = try await ResetPassword(bench.ports)(
            .linkToken(#require(message.tokenHash)), password: Secret("Owner-Horse-99"), call: later)
        try await bench.signIn(password: "Owner-Horse-99", at: later)
        for old in [Self.stranger, PasswordBench.password] {
            await #expect(throws: AuthError(.invalidCredentials)) { try await bench.signIn(password: old, at: later) }
        }
    }

    @Test(
        "R8.6 after a stranger's sign-up a temporary password still lets its owner choose their own, and tells them so")
    func temporaryPassword() async throws {
        let bench = try await PasswordBench()
        let user = try await make(.temporary, in: bench)
        try await bench.write(user) { $0.pendingEmail = try EmailAddress("evil@evil.test") }
        try await bench.signUp(password: Self.stranger)
        let issued = try await ReplaceTemporaryPassword(bench.ports)(
            bench.ticket(), password: Secret("Owner-Horse-99"), call: bench.byAccount
        ).session()
        #expect(issued.user.confirmedAt != nil && issued.user.pendingEmail == nil)
        #expect(try await bench.base.messages(to: "a@example.com").contains { $0.kind == "password_changed" })
        try await bench.signIn(password: "Owner-Horse-99", at: bench.byAccount)
    }

    @Test(
        "R8.6 after a stranger's sign-up the owner of a password that an administrator gave confirms and signs in by it"
    )
    func confirmation() async throws {
        let bench = try await PasswordBench()
        let user = try await make(.administrator, in: bench)
        try await bench.signUp(password: Self.stranger)
        await #expect(throws: AuthError(.emailNotVerified)) { try await bench.signIn() }
        let later = bench.call(after: .minutes(5))
        try await ResendMessage(bench.ports)(.signUpConfirmation, to: bench.email(), call: later)
        let mails = try await bench.base.messages(to: "a@example.com")
        let message = try #require(mails.first { $0.kind == "confirmation" })
        _ = try await VerifyProof(bench.ports)(
            .linkToken(#require(message.tokenHash)), purposes: [.signUpConfirmation], call: later)
        try await bench.signIn(at: later)
        #expect(try await bench.base.reload(user).userMetadata == ["theirs": 1])
    }

    @Test("R8.6 an invitation is accepted after a stranger's sign-up, with nothing of the stranger's")
    func invitation() async throws {
        let bench = try await PasswordBench()
        let user = try await make(.invited, in: bench)
        try await bench.signUp(password: Self.stranger, metadata: ["planted": 1])
        let mails = try await bench.base.messages(to: "a@example.com")
        let message = try #require(mails.first { $0.kind == "invite" })
        let outcome = try await VerifyProof(bench.ports)(
            .linkToken(#require(message.tokenHash)), purposes: [.invitation], call: bench.call())
        #expect(outcome.session?.user.id == user.id)
        let after = try await bench.base.reload(user)
        #expect(after.passwordHash == nil && after.userMetadata == ["theirs": 1])
    }

    @Test(
        "R8.6 an invitation to an account that only a stranger made keeps nothing of theirs: no password, no session, no words, no pending address"
    )
    func invitedOverStranger() async throws {
        let bench = try await PasswordBench {
            $0.signUp.unverifiedSignIn = .allow
            $0.oneTime.secureEmailChange = false
        }
        try await bench.signUp(password: Self.stranger, metadata: ["planted": 1])
        let issued = try await bench.signIn(password: Self.stranger)
        try await bench.update(issued) { $0.email = try EmailAddress("evil@evil.test") }
        let change = try #require(try await bench.base.messages(to: "evil@evil.test").first?.tokenHash)
        var call = bench.call(after: .minutes(1))
        call.actor = .commandLine
        let record = try await UserAdministration(bench.ports).invite(
            email: EmailAddress("a@example.com"), metadata: ["ours": 1], call: call)
        #expect(record.user.pendingEmail == nil && record.user.passwordHash == nil)
        #expect(record.user.userMetadata == ["ours": 1] && record.user.origin == .invitation)
        #expect(try await bench.base.sessions(of: record.user).isEmpty)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await VerifyProof(bench.ports)(
                .linkToken(change), purposes: [.emailChangeNew], call: bench.call(after: .minutes(2)))
        }
        // Asking for the change once more does not bring it back.
        try await ResendMessage(bench.ports)(.emailChange, to: bench.email(), call: bench.call(after: .minutes(3)))
        #expect(try await bench.base.messages(to: "evil@evil.test").count == 1)
    }

    @Test("R8.6 how an account came to be is exported and imported; a line that says nothing came by import")
    func origins() async throws {
        let bench = try await PasswordBench()
        for origin in User.Origin.allCases {
            let user = try await bench.base.user(email: "\(origin.rawValue)@example.com") { $0.origin = origin }
            let record = TransferRecord(user: user, identities: [], groups: [])
            let read = try TransferRecord(
                parsing: record.line, directory: bench.base.directory, dialects: [], random: bench.ports.random,
                at: bench.now)
            #expect(read.user.origin == origin)
        }
        func parse(_ more: String) throws -> User.Origin {
            try TransferRecord(
                parsing: #"{"id":"aaaaaaaa-aaaa-4aaa-8aaa-100000000001"\#(more)}"#, directory: bench.base.directory,
                dialects: [], random: bench.ports.random, at: bench.now
            ).user.origin
        }
        #expect(try parse("") == .transfer)
        #expect(throws: AuthError(.invalidRequest)) { try parse(#","origin":"nobody""#) }
    }
}
