// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// What each account answers to a right and to a wrong password.
@Suite struct SignInMatrixTests {
    enum State: String, CaseIterable, Sendable {
        case unknown, confirmed, unconfirmed, banned, bannedUnconfirmed, banOver, softDeleted, deletedInPlace
        case passwordless, passwordlessUnconfirmed, invited, temporary, temporaryUnconfirmed, temporaryBanned
        case temporaryExpired
    }

    enum Kind: CaseIterable, Sendable { case email, phone, username, identifier }

    struct Case: Sendable, CustomTestStringConvertible {
        let state: State
        let isRight: Bool
        let kind: Kind
        let allowsUnverified: Bool

        static let all = State.allCases.flatMap { state in
            [true, false].flatMap { isRight in
                Kind.allCases.flatMap { kind in
                    [true, false].map { Case(state: state, isRight: isRight, kind: kind, allowsUnverified: $0) }
                }
            }
        }

        /// `nil` for a session.
        var expected: AuthErrorCode? {
            guard isRight else { return .invalidCredentials }
            switch state {
            case .unknown, .softDeleted, .deletedInPlace, .passwordless, .passwordlessUnconfirmed, .invited:
                return .invalidCredentials
            case .banned, .bannedUnconfirmed, .temporaryBanned: return .userBanned
            case .temporary, .temporaryUnconfirmed: return .passwordChangeRequired
            case .temporaryExpired: return .temporaryPasswordExpired
            case .confirmed, .banOver: return nil
            case .unconfirmed:
                guard !allowsUnverified else { return nil }
                return kind == .phone ? .phoneNotVerified : .emailNotVerified
            }
        }

        var testDescription: String {
            "\(state) by \(kind), \(isRight ? "right" : "wrong")\(allowsUnverified ? ", unverified allowed" : "")"
        }
    }

    /// - Returns: What the account is called.
    private func make(_ item: Case, in bench: PasswordBench) async throws -> SignInIdentifier {
        let name = try Username("ada")
        let unknown = UserID(bench.ports.random.uuid())
        func identifier(_ user: UserID) throws -> SignInIdentifier {
            switch item.kind {
            case .email: try bench.email()
            case .phone: .phone(try PhoneNumber("+491701234567"))
            case .username: .username(name)
            case .identifier: .user(user)
            }
        }
        guard item.state != .unknown else { return try identifier(unknown) }
        let isEmail = item.kind != .phone
        let user = try await bench.user(
            isEmail ? "a@example.com" : nil, phone: isEmail ? nil : "+491701234567"
        ) { user in
            user.username = name
            switch item.state {
            case .unconfirmed, .bannedUnconfirmed, .passwordlessUnconfirmed, .invited, .temporaryUnconfirmed:
                (user.emailVerifiedAt, user.phoneVerifiedAt) = (nil, nil)
            default: break
            }
            switch item.state {
            case .temporary, .temporaryUnconfirmed, .temporaryBanned:
                user.temporaryPassword = TemporaryPassword(expiresAt: bench.now + .seconds(1))
                if item.state == .temporaryBanned { user.bannedUntil = bench.now + .hours(1) }
            case .temporaryExpired: user.temporaryPassword = TemporaryPassword(expiresAt: bench.now)
            case .banned, .bannedUnconfirmed: user.bannedUntil = bench.now + .hours(1)
            case .banOver: user.bannedUntil = bench.now
            case .deletedInPlace: user.deletedAt = bench.now
            case .passwordless, .passwordlessUnconfirmed: user.passwordHash = nil
            case .invited: (user.passwordHash, user.invitedAt) = (nil, bench.now)
            default: break
            }
        }
        guard item.state == .softDeleted else { return try identifier(user.id) }
        try await bench.ports.write(bench.call()) { step in
            let current = try #require(try step.tx.user(user.id, in: user.directoryID))
            try AccountEnding(step).softDelete(current)
        }
        return try identifier(user.id)
    }

    @Test("G-1.3 what is wrong with an account is said only to who knows its password", arguments: Case.all)
    func matrix(item: Case) async throws {
        let bench = try await PasswordBench { $0.signUp.unverifiedSignIn = item.allowsUnverified ? .allow : .dialect }
        let identifier = try await make(item, in: bench)
        let (writes, events) = (bench.store.writes, try await bench.base.events().count)
        let password = Secret(item.isRight ? PasswordBench.password : "Wrong-Horse-7")
        let error = await bench.error {
            _ = try await PasswordSignIn(bench.ports)(identifier, password: password, call: bench.call()).session()
        }
        #expect(error?.code == item.expected)
        // Before the password is proved nothing tells one account from another, or from none.
        if error?.code == .invalidCredentials {
            #expect(error?.reason == nil && error?.field == nil && error?.retryAfter == nil)
            #expect(error?.violations == [])
        }
        #expect(bench.passwords.verified == 1 && bench.passwords.hashed == 0)
        #expect(bench.store.writes == writes + 1)
        #expect(try await bench.base.events().count == events + 1)
        let failures = try await bench.base.events(.signInFailed)
        #expect(failures.count == (item.expected == nil ? 0 : 1))
        if let expected = item.expected {
            #expect(failures.first?.details["reason"] == .string(expected.rawValue))
            #expect(failures.first?.details.names == ["method", "reason"])
        }
    }

    @Test("G-1 an anonymous user has nothing to sign in by, and a stranger's address is not theirs")
    func anonymous() async throws {
        let bench = try await PasswordBench { $0.signUp.anonymousEnabled = true }
        let issued = try await AnonymousSignUp(bench.ports)(userMetadata: [:], call: bench.call()).session()
        #expect(issued.user.isAnonymous)
        // An address asked for, but not confirmed, opens nothing.
        try await bench.write(issued.user) {
            $0.pendingEmail = try EmailAddress("a@example.com")
            $0.passwordHash = try CountingPasswords.form(PasswordBench.password)
        }
        await #expect(throws: AuthError(.invalidCredentials)) { try await bench.signIn() }
        #expect(bench.passwords.all == 1)
    }

    @Test("G-1 an address in another case and width is the same account; an account has one password per identifier")
    func spelling() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user(phone: "+491701234567")
        for text in ["A@EXAMPLE.COM", "a@Example.com"] {
            #expect(try await bench.signIn(text).user.id == user.id)
        }
        let byPhone = try await PasswordSignIn(bench.ports)(
            .phone(PhoneNumber("491701234567")), password: Secret(PasswordBench.password), call: bench.call())
        #expect(byPhone.user.id == user.id)
    }

    @Test("G-1 a kind of identifier that is switched off signs nobody in and costs no hash")
    func disabled() async throws {
        let bench = try await PasswordBench {
            $0.signUp.emailEnabled = false
            $0.signUp.phoneEnabled = false
        }
        try await bench.user(phone: "+491701234567")
        await #expect(throws: AuthError(.emailSignInDisabled)) { try await bench.signIn() }
        let number = try PhoneNumber("+491701234567")
        await #expect(throws: AuthError(.phoneSignInDisabled)) {
            try await PasswordSignIn(bench.ports)(
                .phone(number), password: Secret(PasswordBench.password), call: bench.call())
        }
        #expect(bench.passwords.all == 0)
    }

    @Test("G-1 disabled sign-up keeps nobody out who has an account")
    func signUpDisabled() async throws {
        let bench = try await PasswordBench { $0.signUp.enabled = false }
        try await bench.user()
        try await bench.signIn()
    }
}
