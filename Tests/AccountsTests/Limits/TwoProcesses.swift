// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStoreSQLite
import AuthTypes
import Foundation
import TestBench
import Testing

@testable import Accounts

/// Two servers over one database: each has its own connection, limits and passwords, and they share nothing else.
struct TwoProcesses: Sendable {
    static let now = Instant(seconds: 1_800_000_000)

    let directory: Directory
    let ports: [AccountPorts]
    let passwords = CountingPasswords()
    private let accounts: AccountBench

    init(_ change: (inout DirectorySettings) -> Void = { _ in }) async throws {
        accounts = try await AccountBench(at: Self.now, passwords: passwords) {
            $0.password.srpEnabled = true
            change(&$0)
        }
        directory = accounts.directory
        ports = [accounts.ports, try Self.process(beside: accounts, passwords)]
    }

    /// A server that has just been started over the same database.
    func restarted() throws -> AccountPorts { try Self.process(beside: accounts, passwords) }

    private static func process(
        beside accounts: AccountBench, _ passwords: CountingPasswords
    ) throws -> AccountPorts {
        AccountPorts(
            store: try SQLiteAccountStore(path: accounts.database.path), passwords: passwords,
            random: accounts.ports.random, messages: accounts.ports.messages)
    }

    func call(_ client: String = "203.0.113.5", after span: TimeSpan = .zero, dialect: String? = nil) -> CallContext {
        var call = CallContext(
            directory: directory, now: Self.now + span, device: DeviceMetadata(), language: .en,
            links: ConfiguredLinks(), dialect: dialect.map { DialectName($0) })
        call.origin = client
        call.device.truncatedAddress = client.split(separator: ".").prefix(3).joined(separator: ".") + ".0"
        return call
    }

    @discardableResult
    func user(_ email: String = "a@example.com", _ change: (inout User) throws -> Void = { _ in }) async throws -> User
    {
        let random = ports[0].random
        var made = User(id: random.identifier(at: Self.now), directoryID: directory.id, createdAt: Self.now)
        made.email = try EmailAddress(email)
        made.emailVerifiedAt = Self.now
        made.passwordHash = try CountingPasswords.form(PasswordBench.password)
        made.srpVerifier = try SRPVerifier(
            of: Secret(PasswordBench.password), for: made.id, in: directory, random: random)
        try change(&made)
        let user = made
        try await ports[0].store.write { try $0.insert(user) }
        return user
    }

    /// `nil` for a session.
    func signIn(
        by name: SignInIdentifier? = nil, password: String = PasswordBench.password, _ ports: AccountPorts,
        _ call: CallContext? = nil
    ) async throws -> AuthErrorCode? {
        let name = try name ?? .email(EmailAddress("a@example.com"))
        do {
            _ = try await PasswordSignIn(ports)(name, password: Secret(password), call: call ?? self.call())
            return nil
        } catch let error as AuthError {
            return error.code
        }
    }

    func wrong(
        by name: SignInIdentifier? = nil, _ ports: AccountPorts, _ call: CallContext? = nil
    ) async throws -> AuthErrorCode? {
        try await signIn(by: name, password: "Wrong-Horse-7", ports, call)
    }
}
