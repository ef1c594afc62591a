// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail
import Passwords
import Testing

@testable import Accounts

/// A ``ProofBench`` with passwords that are counted.
struct PasswordBench: Sendable {
    static let password = "Correct-Horse-7"

    let base: ProofBench
    let passwords = CountingPasswords()
    let ports: AccountPorts

    init(hooks: Hooks = Hooks(), _ change: (inout DirectorySettings) -> Void = { _ in }) async throws {
        base = try await ProofBench(change)
        ports = AccountPorts(
            store: base.store, passwords: passwords, random: base.ports.random, messages: base.ports.messages,
            hooks: hooks)
    }

    /// These ports over another store.
    func ports(over store: any AccountStoring) -> AccountPorts {
        AccountPorts(store: store, passwords: passwords, random: ports.random, messages: ports.messages)
    }

    var store: CountingStore { base.store }
    var now: Instant { base.now }

    func call(after span: TimeSpan = .zero, _ change: (inout DirectorySettings) -> Void = { _ in }) -> CallContext {
        base.call(after: span, change)
    }

    /// In a dialect that has an operator's word for a confirmation.
    var byAccount: CallContext { call().with { $0.confirmation = .account } }

    /// In a dialect that opens sessions before anything is confirmed.
    func open(from place: String? = nil, after span: TimeSpan = .zero) -> CallContext {
        call(from: place, after: span).with { $0.confirmation = .nothing }
    }

    /// A confirmed user with ``password``, unless `change` makes them otherwise.
    @discardableResult
    func user(
        _ email: String? = "a@example.com", phone: String? = nil, _ change: (inout User) throws -> Void = { _ in }
    ) async throws -> User {
        try await base.user(email: email, phone: phone) { user in
            user.passwordHash = try CountingPasswords.form(Self.password)
            user.emailVerifiedAt = email == nil ? nil : base.now
            user.phoneVerifiedAt = phone == nil ? nil : base.now
            try change(&user)
        }
    }

    func email(_ text: String = "a@example.com") throws -> SignInIdentifier { .email(try EmailAddress(text)) }

    @discardableResult
    func signIn(
        _ email: String = "a@example.com", password: String = Self.password, at call: CallContext? = nil
    ) async throws -> IssuedSession {
        try await PasswordSignIn(ports)(self.email(email), password: Secret(password), call: call ?? self.call())
            .session()
    }

    /// What a sign-in by a temporary password leads to, opened as a dialect does.
    func ticket(_ password: String = Self.password, at call: CallContext? = nil) async throws -> SignInTicket {
        try SignInTicket(
            try await ticketText(password, at: call), for: .newPassword, call: call ?? self.call())
    }

    func ticketText(_ password: String = Self.password, at call: CallContext? = nil) async throws -> String {
        let next = try await PasswordSignIn(ports)(email(), password: Secret(password), call: call ?? self.call())
        guard case .newPassword(let pending) = next else { throw AuthError(.conflict, reason: "\(next)") }
        return pending.ticket.reveal()
    }

    /// As the dialect makes of the access token.
    func authenticated(_ issued: IssuedSession, at call: CallContext? = nil) async throws -> AuthenticatedUser {
        try await SessionAuthentication(ports)(
            user: issued.user.id, session: issued.session.id, call: call ?? self.call())
    }

    func refresh(_ token: Secret<String>, at call: CallContext) async throws -> IssuedSession {
        try await RefreshSession(ports)(token.reveal(), call: call)
    }

    /// Writes a user as an administrator or time would have changed them.
    func write(_ user: User, _ change: @escaping @Sendable (inout User) throws -> Void) async throws {
        try await store.write { tx in
            var current = try #require(try tx.user(user.id, in: user.directoryID))
            try change(&current)
            try tx.update(current)
        }
    }

    func session(_ issued: IssuedSession) async throws -> Session {
        let session = issued.session
        return try #require(try await store.read { try $0.session(session.id, in: session.directoryID) })
    }

    func userCount() async throws -> Int {
        let id = base.directory.id
        return try await store.read { try $0.userCount(in: id) }
    }

    /// The code of an error that is to be thrown, and what a client could see beside it.
    func error(_ body: () async throws -> Void) async -> AuthError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? AuthError ?? AuthError(.internalFailure, reason: "\(error)")
        }
    }
}

extension FlowStep {
    /// A session by one method, as a flow opens it.
    func issue(
        for user: User, by method: AuthenticationMethod.Name, identifier: SignInIdentifier? = nil
    ) throws -> IssuedSession {
        let proof = SignInProof(method, at: now, identifier: identifier)
        return try SessionIssuer(self).conclude(proof, of: user).get().session()
    }
}
