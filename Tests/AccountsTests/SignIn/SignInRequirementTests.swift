// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import Testing

@testable import Accounts

/// What is asked for between a proof and a session, and in which order: no store, no flow.
@Suite struct SignInRequirementTests {
    private static let now = Instant(seconds: 1_800_000_000)

    /// What may be wrong with an account, in the order in which it is told.
    enum Flaw: CaseIterable {
        case foreign, deleted, banned, expiredPassword, temporaryPassword, unconfirmed

        var unmet: SignInRequirement.Unmet {
            switch self {
            case .foreign, .deleted: .refused(.userNotFound)
            case .banned: .refused(.userBanned)
            case .expiredPassword: .refused(.temporaryPasswordExpired)
            case .temporaryPassword: .asks(.newPassword)
            case .unconfirmed: .refused(.emailNotVerified)
            }
        }

        /// Whether only a password brings it up: whoever answers a message has proved its address.
        var isOfPasswords: Bool {
            switch self {
            case .foreign, .deleted, .banned: false
            case .expiredPassword, .temporaryPassword, .unconfirmed: true
            }
        }

        func mark(_ user: inout User) {
            switch self {
            case .foreign: user.directoryID = DirectoryID("another")
            case .deleted: user.deletedAt = now
            case .banned: user.bannedUntil = User.forever
            case .expiredPassword: user.temporaryPassword = TemporaryPassword(expiresAt: now)
            // Where the former is there too, it stands.
            case .temporaryPassword:
                user.temporaryPassword = user.temporaryPassword ?? TemporaryPassword(expiresAt: nil)
            case .unconfirmed: user.emailVerifiedAt = nil
            }
        }
    }

    private func call(_ change: (inout DirectorySettings) -> Void = { _ in }) -> CallContext {
        var directory = Directory(
            id: DirectoryID("d"), name: "d", settings: DirectorySettings(), tokenKey: Secret([1]),
            createdAt: Self.now, updatedAt: Self.now)
        change(&directory.settings)
        return CallContext(
            directory: directory, now: Self.now, device: DeviceMetadata(), language: .en, links: ConfiguredLinks())
    }

    private func user(_ flaws: [Flaw] = []) throws -> User {
        var user = User(id: UserID("u"), directoryID: DirectoryID("d"), createdAt: Self.now)
        user.email = try EmailAddress("a@example.com")
        user.emailVerifiedAt = Self.now
        user.passwordHash = try CountingPasswords.form("one")
        for flaw in flaws { flaw.mark(&user) }
        return user
    }

    @Test("R9.2 of everything that is wrong with an account at once, the first in the order is what follows")
    func order() throws {
        for mask in 0..<(1 << Flaw.allCases.count) {
            let flaws = Flaw.allCases.enumerated().filter { mask >> $0.offset & 1 == 1 }.map(\.element)
            let user = try user(flaws)
            for method in [AuthenticationMethod.Name.password, .oneTimeCode, .magicLink, .anonymous, .recovery] {
                let expected = flaws.first { method == .password || !$0.isOfPasswords }?.unmet
                let proof = SignInProof(method, at: Self.now)
                #expect(
                    SignInRequirement.firstUnmet(by: user, proof, call(), factors: FactorNeed(), terms: false)
                        == expected,
                    "\(flaws) \(method)")
            }
        }
    }

    @Test("R9.2 a password asks for what was named beside it to be confirmed, and for a name any address")
    func confirmation() throws {
        let email = SignInIdentifier.email(try EmailAddress("a@example.com"))
        let phone = SignInIdentifier.phone(try PhoneNumber("+491701234567"))
        let name = SignInIdentifier.username(try Username("ada"))
        for (emailIs, phoneIs) in [(false, false), (true, false), (false, true), (true, true)] {
            var user = try user()
            user.phone = try PhoneNumber("+491701234567")
            user.emailVerifiedAt = emailIs ? Self.now : nil
            user.phoneVerifiedAt = phoneIs ? Self.now : nil
            func unmet(_ identifier: SignInIdentifier?, _ call: CallContext) -> SignInRequirement.Unmet? {
                SignInRequirement.firstUnmet(
                    by: user, SignInProof(.password, at: Self.now, identifier: identifier), call, factors: FactorNeed(),
                    terms: false)
            }
            #expect(unmet(email, call()) == (emailIs ? nil : .refused(.emailNotVerified)))
            #expect(unmet(phone, call()) == (phoneIs ? nil : .refused(.phoneNotVerified)))
            for identifier in [name, .user(user.id), nil] {
                #expect(unmet(identifier, call()) == (emailIs || phoneIs ? nil : .refused(.emailNotVerified)))
            }
            for identifier in [email, phone, name, nil] {
                #expect(unmet(identifier, call { $0.signUp.unverifiedSignIn = .allow }) == nil)
            }
        }
    }

    @Test("R10.2 what must be confirmed is the dialect's to say, unless the Directory says it for all")
    func setting() throws {
        let proof = SignInProof(
            .password, at: Self.now, identifier: .email(try EmailAddress("a@example.com")))
        for setting in DirectorySettings.UnverifiedSignIn.allCases {
            for dialect in [SignInConfirmation.address, .account, .nothing] {
                func opens(_ change: (inout User) -> Void) throws -> Bool {
                    var user = try user()
                    user.emailVerifiedAt = nil
                    change(&user)
                    let call = call { $0.signUp.unverifiedSignIn = setting }.with { $0.confirmation = dialect }
                    #expect(
                        call.opensUnverified == (setting == .allow || setting == .dialect && dialect == .nothing))
                    return SignInRequirement.firstUnmet(by: user, proof, call, factors: FactorNeed(), terms: false)
                        == nil
                }
                let lenient = setting == .allow || setting == .dialect && dialect == .nothing
                #expect(try opens { _ in } == lenient, "\(setting) \(dialect)")
                #expect(try opens { $0.emailVerifiedAt = Self.now }, "\(setting) \(dialect)")
                // An operator's word for the account is none for its address.
                #expect(
                    try opens { $0.confirmedAt = Self.now } == (lenient || dialect == .account),
                    "\(setting) \(dialect)")
            }
        }
    }

    @Test("R9.2 a password among several methods is asked what a password is asked")
    func severalMethods() throws {
        let methods = [AuthenticationMethod.Name.magicLink, .password].map { AuthenticationMethod($0, at: Self.now) }
        let proof = SignInProof(methods: methods, assurance: .aal2)
        #expect(
            SignInRequirement.firstUnmet(
                by: try user([.temporaryPassword]), proof, call(), factors: FactorNeed(), terms: false)
                == .asks(.newPassword))
        #expect(SignInRequirement.firstUnmet(by: try user(), proof, call(), factors: FactorNeed(), terms: false) == nil)
    }
}
