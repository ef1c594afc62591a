// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import TestBench
import Testing

@testable import Accounts

/// A Directory on a real store, and what the tests of proofs ask of it.
struct ProofBench: Sendable {
    let ports: AccountPorts
    let directory: Directory
    let store: CountingStore
    let now = Instant(seconds: 1_800_000_000)

    init(_ change: (inout DirectorySettings) -> Void = { _ in }) async throws {
        let accounts = try await AccountBench(at: now, passwords: NoPasswords()) {
            $0.siteURL = "https://app.example"
            $0.redirectAllowList = ["https://app.example/**", "https://other.example/**"]
            change(&$0)
        }
        directory = accounts.directory
        store = CountingStore(accounts.ports.store, keeping: accounts)
        ports = AccountPorts(
            store: store, passwords: NoPasswords(), random: accounts.ports.random, messages: accounts.ports.messages)
    }

    func call(after span: TimeSpan = .zero, _ change: (inout DirectorySettings) -> Void = { _ in }) -> CallContext {
        var directory = directory
        change(&directory.settings)
        return CallContext(
            directory: directory, now: now + span, device: DeviceMetadata(userAgent: "test"), language: .en,
            links: ConfiguredLinks())
    }

    /// A user as the store has it, with their local identities.
    @discardableResult
    func user(email: String? = nil, phone: String? = nil, _ change: (inout User) throws -> Void = { _ in }) async throws
        -> User
    {
        var made = User(id: ports.random.identifier(at: now), directoryID: directory.id, createdAt: now)
        made.email = try email.map { try EmailAddress($0) }
        made.phone = try phone.map { try PhoneNumber($0) }
        try change(&made)
        let user = made
        return try await ports.write(call()) { step in
            try step.tx.insert(user)
            try LocalIdentities(step).insert(for: user)
            return user
        }
    }

    func confirmedUser(_ email: String) async throws -> User {
        try await user(email: email) {
            $0.emailVerifiedAt = now
            $0.passwordHash = try PasswordHash(Self.hash)
        }
    }

    /// Sends a proof and gives it away, as only the recipient would have it.
    ///
    /// - Parameter isHolders: as a sign-up and an invitation send theirs, and nobody else, where nothing is said.
    func proof(
        _ purpose: OneTimeToken.Purpose, for user: User, to recipient: Recipient? = nil,
        codeChallenge: String? = nil, isHolders: Bool? = nil, call: CallContext? = nil
    ) async throws -> IssuedProof {
        let call = call ?? self.call()
        return try await ports.write(call) { step in
            guard var current = try step.tx.user(user.id, in: user.directoryID) else {
                throw StoreConflict.stale("user")
            }
            let own = current.email.map(SignInIdentifier.email) ?? current.phone.map(SignInIdentifier.phone)
            guard let address = recipient ?? own?.ownRecipient else { throw StoreConflict.stale("recipient") }
            let proof = try OneTimeIssuer(step).send(
                purpose, to: &current, recipient: address, redirectTo: nil, codeChallenge: codeChallenge,
                isHolders: isHolders ?? [.signUpConfirmation, .invitation].contains(purpose))
            try step.tx.update(current)
            return proof
        }
    }

    func reload(_ user: User) async throws -> User {
        let found = try await store.read { try $0.user(user.id, in: user.directoryID) }
        return try #require(found)
    }

    func messages(to recipient: String? = nil) async throws -> [OutboxMessage] {
        let id = directory.id
        return try await store.read { try $0.outbox(in: id, recipient: recipient, limit: 1000) }
    }

    func events(_ action: AuditEvent.Action? = nil) async throws -> [AuditEvent] {
        let id = directory.id
        return try await store.scan(in: nil) {
            try $0.auditEvents(in: id, actions: action.map { [$0] }, user: nil, offset: 0, limit: 1000)
        }
    }

    func token(_ purpose: OneTimeToken.Purpose, of user: User) async throws -> OneTimeToken? {
        try await store.read { try $0.oneTimeToken(of: user.id, purpose: purpose, in: user.directoryID) }
    }

    func sessions(of user: User) async throws -> [Session] {
        try await store.read { try $0.sessions(of: user.id, in: user.directoryID) }
    }

    static let hash =
        "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    /// A code that is not this one.
    static func wrong(_ code: String) -> String {
        String(code.dropLast()) + (code.hasSuffix("0") ? "1" : "0")
    }
}

/// For flows that must not hash.
struct NoPasswords: PasswordHashing {
    func verify(_: Secret<String>, against _: PasswordHash?) async throws -> PasswordVerdict {
        Issue.record("a password was checked")
        throw AuthError(.internalFailure)
    }

    func hash(_: Secret<String>) async throws -> PasswordHash {
        Issue.record("a password was hashed")
        throw AuthError(.internalFailure)
    }
}

struct ConfiguredLinks: VerificationLinks {
    func link(for purpose: OneTimeToken.Purpose, token: String, redirectTo: String, in directory: Directory) -> String {
        "https://auth.example/verify?token=\(token)&type=\(purpose.rawValue)&redirect_to=\(redirectTo)"
    }

    func home(of _: Directory) -> String { "https://auth.example/account" }
}

/// Whether a session came of it.
extension VerifyOutcome {
    var session: IssuedSession? { if case .signedIn(let next) = self { next.issued } else { nil } }
    var authorizationCode: String? { if case .authorizationCode(let code, _) = self { code } else { nil } }
    var isHalfConfirmed: Bool { if case .halfConfirmed = self { true } else { false } }
}
