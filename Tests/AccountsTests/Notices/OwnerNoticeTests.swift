// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail
import Testing

@testable import Accounts

/// Whoever changes a way into an account, its owner hears of it by every way in there was before.
@Suite struct OwnerNoticeTests {
    private static let email = "a@example.com"
    private static let phone = "+491701234567"
    private static let newPhone = "+491709999999"
    private let new = Secret(PasswordBench.newPassword)

    /// The kinds of notices, without the messages that carry proofs.
    private func told(_ recipient: String, _ bench: PasswordBench) async throws -> [String] {
        try await bench.base.messages(to: recipient).filter { $0.code == nil && $0.link == nil }.map(\.kind).sorted()
    }

    private enum Change: CaseIterable {
        case update, changePassword, reset, administratorsPassword, administratorsEmail, administratorsPhone
        case email, phone, temporary, deletion

        var kind: String {
            switch self {
            case .administratorsEmail, .email: "email_changed"
            case .administratorsPhone, .phone: "phone_changed"
            case .deletion: "account_deleted"
            default: "password_changed"
            }
        }
    }

    private func make(_ change: Change, by user: User, _ bench: PasswordBench) async throws {
        var administrator = bench.call()
        administrator.actor = .commandLine
        var attributes = UserAttributes()
        switch change {
        case .update: try await bench.update(bench.signIn()) { $0.password = new }
        case .changePassword:
            _ = try await ChangePassword(bench.ports)(
                bench.authenticated(bench.signIn()), current: Secret(PasswordBench.password), new: new,
                call: bench.call())
        case .reset:
            let proof = try await bench.base.proof(.recovery, for: user)
            _ = try await ResetPassword(bench.ports)(.linkToken(proof.linkToken), password: new, call: bench.call())
        case .administratorsPassword: attributes.password = new
        case .administratorsEmail: attributes.email = try EmailAddress("new@example.com")
        case .administratorsPhone: attributes.phone = try PhoneNumber(Self.newPhone)
        case .email:
            try await bench.write(user) { $0.pendingEmail = try EmailAddress("new@example.com") }
            let loose = bench.call { $0.oneTime.secureEmailChange = false }
            let proof = try await bench.base.proof(
                .emailChangeNew, for: user, to: .email(EmailAddress("new@example.com")))
            _ = try await ConfirmAddress(bench.ports)(
                .linkToken(proof.linkToken), purposes: [.emailChangeNew], call: loose)
        case .phone:
            try await bench.write(user) { $0.pendingPhone = try PhoneNumber(Self.newPhone) }
            let proof = try await bench.base.proof(.phoneChange, for: user, to: .phone(PhoneNumber(Self.newPhone)))
            _ = try await ConfirmAddress(bench.ports)(
                .code(.phone(PhoneNumber(Self.newPhone)), proof.code), purposes: [.phoneChange], call: bench.call())
        case .temporary:
            try await bench.write(user) { $0.temporaryPassword = TemporaryPassword(expiresAt: nil) }
            _ = try await ReplaceTemporaryPassword(bench.ports)(bench.ticket(), password: new, call: bench.call())
        case .deletion:
            try await DeleteAccount(bench.ports)(
                bench.authenticated(bench.signIn()), asksForProof: false, call: bench.call())
        }
        guard attributes.password != nil || attributes.email != nil || attributes.phone != nil else { return }
        _ = try await UserAdministration(bench.ports).update(user.id, attributes, call: administrator)
    }

    @Test("R14.2 texts that only tell something are bounded by number and by the Directory's brake; the mail goes on")
    func textsAreBounded() async throws {
        for (brake, wanted) in [(30, 6), (4, 4)] {
            let bench = try await PasswordBench { $0.limits.messagesSent = .init(count: brake, seconds: 3600) }
            let user = try await bench.user(Self.email, phone: Self.phone)
            for _ in 0..<20 {
                try await bench.ports.write(bench.call()) { try OwnerNotice($0).tell(.factorAdded, of: user) }
            }
            #expect(try await told(Self.phone, bench).count == wanted)
            #expect(try await told(Self.email, bench).count == 20)
        }
    }

    @Test("R14.2 texts about an account that has somebody's number without a proof keep none from whose number it is")
    func othersTexts() async throws {
        let bench = try await PasswordBench { $0.signUp.unverifiedSignIn = .allow }
        let owner = try await bench.user(Self.email, phone: Self.phone)
        let stranger = try await bench.user("stranger@example.com", phone: Self.phone) {
            ($0.phoneVerifiedAt, $0.sharesPhone) = (nil, true)
        }
        for _ in 0..<20 {
            try await bench.ports.write(bench.call()) { try OwnerNotice($0).tell(.factorAdded, of: stranger) }
        }
        #expect(try await told(Self.phone, bench).count == 6)
        try await bench.ports.write(bench.call()) { try OwnerNotice($0).tellPasswordReplaced(owner, became: owner) }
        #expect(try await told(Self.phone, bench).count { $0 == "password_changed" } == 1)
    }

    @Test("R8.8 a change of a way in is told by the address and by the number that there were before")
    func everyWay() async throws {
        for change in Change.allCases {
            let bench = try await PasswordBench()
            let user = try await bench.user(Self.email, phone: Self.phone)
            try await make(change, by: user, bench)
            #expect(try await told(Self.email, bench) == [change.kind], "\(change)")
            #expect(try await told(Self.phone, bench) == [change.kind], "\(change)")
            // Whoever has the new one needs no telling, and may be the thief.
            #expect(try await told("new@example.com", bench).isEmpty, "\(change)")
            #expect(try await told(Self.newPhone, bench).isEmpty, "\(change)")
        }
    }

    @Test("R8.8 a first number is told by mail, and a first address by text message")
    func first() async throws {
        let bench = try await PasswordBench()
        let mailed = try await bench.user(Self.email)
        try await make(.phone, by: mailed, bench)
        #expect(try await told(Self.email, bench) == ["phone_changed"])
        let other = try await PasswordBench()
        let texted = try await other.user(nil, phone: Self.phone)
        try await make(.email, by: texted, other)
        #expect(try await told(Self.phone, other) == ["email_changed"])
    }

    @Test(
        "R10.5 who loses an address or a number is told that it was removed, in their language",
        arguments: MessageLanguage.allCases)
    func removed(language: MessageLanguage) async throws {
        for (part, kind) in [(AccountPart.email, "email_removed"), (.phone, "phone_removed")] {
            let bench = try await PasswordBench()
            let user = try await bench.user(Self.email, phone: Self.phone)
            var call = bench.call()
            call.actor = .commandLine
            call.language = language
            var attributes = UserAttributes()
            attributes.removes = [part]
            _ = try await UserAdministration(bench.ports).update(user.id, attributes, call: call)
            for recipient in [Self.email, Self.phone] {
                #expect(try await told(recipient, bench) == [kind])
                let message = try #require(try await bench.base.messages(to: recipient).first)
                #expect(message.text.contains(language == .en ? "was removed" : "entfernt"), "\(message.text)")
                #expect(!message.text.contains("–"))
            }
        }
    }

    @Test(
        "R14.70 what somebody else causes is told in the owner's language: what they say they read, or last signed in with"
    )
    func ownersLanguage() async throws {
        let rows: [(profile: String?, claim: String?, signIn: MessageLanguage?, expected: MessageLanguage)] = [
            ("de-CH", "en", .en, .de), ("en_GB", "de", .de, .en), (nil, "de", .en, .de), (nil, nil, .de, .de),
            // Of a language that no mail is written in, the next best.
            ("fr", nil, .de, .de), ("", "x", nil, .en), (nil, nil, nil, .en),
        ]
        for row in rows {
            let bench = try await PasswordBench()
            let user = try await bench.user(Self.email, phone: Self.phone) {
                $0.userMetadata["locale"] = row.claim.map { .string($0) }
                $0.language = row.signIn
            }
            if let locale = row.profile {
                let profile = Profile(
                    userID: user.id, directoryID: user.directoryID, locale: locale, updatedAt: bench.call().now)
                try await bench.ports.store.write { try $0.upsert(profile) }
            }
            var call = bench.call()
            (call.actor, call.language) = (.commandLine, .en)
            var attributes = UserAttributes()
            attributes.password = new
            _ = try await UserAdministration(bench.ports).update(user.id, attributes, call: call)
            for recipient in [Self.email, Self.phone] {
                let message = try #require(try await bench.base.messages(to: recipient).first)
                #expect(message.text.contains(row.expected == .en ? "password" : "Passwort"), "\(row)")
            }
        }
    }

    @Test(
        "R14.70 whoever is signed in is told in the language that they ask in, and it is remembered for their next mail"
    )
    func callersLanguage() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user(Self.email) { $0.language = .en }
        var call = bench.call()
        (call.actor, call.language) = (.user(user.id), .de)
        let addressed = try await bench.ports.write(call) { try $0.addressing(user).language }
        #expect(addressed == .de)
        _ = try await bench.signIn()
        #expect(
            try await bench.ports.store.read { try $0.user(user.id, in: user.directoryID)?.language }
                == bench.call().language)
    }

    @Test("R8.8 a number that was there unproved is told by mail when its code confirms it")
    func confirmedLater() async throws {
        let bench = try await PasswordBench()
        // An operator wrote it there: one of a stranger's own becomes an account of its own.
        let user = try await bench.user(Self.email, phone: Self.phone) {
            ($0.phoneVerifiedAt, $0.origin) = (nil, .administrator)
        }
        let proof = try await bench.base.proof(.phoneSignIn, for: user, to: .phone(PhoneNumber(Self.phone)))
        _ = try await ConfirmAddress(bench.ports)(
            .code(.phone(PhoneNumber(Self.phone)), proof.code), purposes: [.phoneSignIn], call: bench.call())
        #expect(try await told(Self.email, bench) == ["phone_changed"])
    }

    @Test("R8.8 nobody is told where nobody had proved to be: the address may be a stranger's")
    func unproved() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user(Self.email, phone: Self.phone) {
            ($0.emailVerifiedAt, $0.phoneVerifiedAt) = (nil, nil)
        }
        try await make(.administratorsPassword, by: user, bench)
        #expect(try await bench.base.messages().isEmpty)
    }

    @Test("R8.8 what is told by text message carries no link and no address", arguments: MessageLanguage.allCases)
    func text(language: MessageLanguage) async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user(Self.email, phone: Self.phone)
        var call = bench.call()
        call.language = language
        call.actor = .commandLine
        var attributes = UserAttributes()
        attributes.password = new
        _ = try await UserAdministration(bench.ports).update(user.id, attributes, call: call)
        let message = try #require(try await bench.base.messages(to: Self.phone).first)
        #expect(message.channel == .sms && !message.text.contains("http") && !message.text.contains("@"))
        #expect(message.text.contains(language == .en ? "password" : "Passwort"))
    }
}
