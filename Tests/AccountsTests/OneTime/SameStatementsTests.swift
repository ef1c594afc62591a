// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// What takes the same steps takes the same time: known and unknown names run the same statements.
@Suite struct SameStatementsTests {
    enum Call: CaseIterable, Sendable {
        case recover, recoverByPhone, recoverByName, link, linkWithSignUp, text, textWithSignUp
        case resend, resendText, code, reset
    }

    enum Person: CaseIterable, Sendable { case unknown, known, asked, unconfirmed, banned, passwordless }

    private func make(_ person: Person, _ bench: PasswordBench) async throws {
        guard person != .unknown else { return }
        try await bench.user("a@example.com", phone: "+491701234567") { user in
            user.username = try Username("ada")
            switch person {
            case .unconfirmed: (user.emailVerifiedAt, user.phoneVerifiedAt) = (nil, nil)
            case .banned: user.bannedUntil = bench.now + .hours(1)
            case .passwordless: user.passwordHash = nil
            default: break
            }
        }
    }

    private func run(_ call: Call, _ ports: AccountPorts, _ context: CallContext) async throws {
        let email = try EmailAddress("a@example.com")
        let phone = try PhoneNumber("+491701234567")
        switch call {
        case .recover: try await RequestRecovery(ports)(email, call: context)
        case .recoverByPhone: try await RequestRecovery(ports)(.phone(phone), call: context)
        case .recoverByName: try await RequestRecovery(ports)(.username(Username("ada")), call: context)
        case .link: try await RequestMagicLink(ports)(email, createsUser: false, call: context)
        case .linkWithSignUp: try await RequestMagicLink(ports)(email, call: context)
        case .text: try await RequestPhoneCode(ports)(phone, createsUser: false, call: context)
        case .textWithSignUp: try await RequestPhoneCode(ports)(phone, call: context)
        case .resend: try await ResendMessage(ports)(.signUpConfirmation, to: .email(email), call: context)
        case .resendText: try await ResendMessage(ports)(.phoneSignIn, to: .phone(phone), call: context)
        case .code:
            await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
                try await VerifyProof(ports)(.code(.email(email), "000000x"), purposes: [.magicLink], call: context)
            }
        case .reset:
            await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
                _ = try await ResetPassword(ports)(
                    .code(.email(email), "000000x"), password: Secret(PasswordBench.newPassword), call: context)
            }
        }
    }

    @Test(
        "R8.12 the same statements are run for who is there and who is not, and write as many rows",
        arguments: Call.allCases)
    func alike(call: Call) async throws {
        var traces: [Person: [RecordingStore.Step]] = [:]
        for person in Person.allCases {
            let bench = try await PasswordBench()
            try await make(person, bench)
            let store = RecordingStore(bench.store)
            let ports = bench.ports(over: store)
            // Somebody else, whom nobody knows, has asked before; for one of the people, so have they.
            try await RequestRecovery(ports)(EmailAddress("nobody@example.com"), call: bench.call())
            try await RequestMagicLink(ports)(EmailAddress("other@example.com"), call: bench.call())
            try await RequestMagicLink(ports)(EmailAddress("other@example.com"), call: bench.call(after: .minutes(5)))
            if person == .asked { try await run(call, ports, bench.call(after: .seconds(-30))) }
            _ = store.taken()
            try await run(call, ports, bench.call())
            // Which key seals a secret is asked once for each secret that a user has.
            traces[person] = store.taken().filter { !$0.sql.contains("data_keys") }
        }
        let unknown = try #require(traces[.unknown])
        #expect(unknown.count > 4)
        for person in Person.allCases {
            #expect(traces[person]?.map(\.sql) == unknown.map(\.sql), "\(person)")
        }
        // What is made anew, and what takes the place of something, differ in the rows that are gone; not in those
        // that are written.
        func written(_ trace: [RecordingStore.Step]?) -> [RecordingStore.Step]? {
            trace?.filter { !$0.sql.hasPrefix("DELETE") && !$0.sql.hasPrefix("UPDATE one_time_tokens") }
        }
        for person in Person.allCases { #expect(written(traces[person]) == written(unknown), "\(person)") }
    }

    @Test("R8.12 what is done for nobody is in no list, no count and no mailbox, and leads nowhere")
    func invisible() async throws {
        let bench = try await PasswordBench()
        for number in 0..<5 {
            let call = bench.call(after: .minutes(Int64(number)))
            try await RequestRecovery(bench.ports)(EmailAddress("nobody\(number)@example.com"), call: call)
            try await RequestPhoneCode(bench.ports)(
                PhoneNumber("+49170000000\(number)"), createsUser: false, call: call)
        }
        #expect(try await bench.userCount() == 0)
        #expect(try await bench.base.messages().isEmpty)
        let directory = bench.base.directory.id
        #expect(try await bench.store.scan(in: nil) { try $0.users(in: directory, after: nil, limit: 10).isEmpty })
        #expect(
            try await bench.store.scan(in: nil) {
                try $0.users(in: directory, search: nil, offset: 0, limit: 10).isEmpty
            })
        #expect(
            try await bench.store.read {
                try $0.usersDeleted(in: directory, before: bench.now + .days(36_500), limit: 9).isEmpty
            })
        let due = try await bench.store.write {
            try $0.claimOutbox(.sms, at: bench.now + .days(1), leaseEnd: bench.now + .days(2), limit: 9)
        }
        #expect(due.isEmpty)
    }
}
