// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStorePostgres
import AccountStoreSQLite
import Accounts
import AuthTypes
import Foundation
import Mail
import Passwords
import TestBench
import Testing

/// Servers over one database: each has its own connections, limits, keys and caches, and they share nothing else.
struct Processes: Sendable {
    enum Database: String, CaseIterable, CustomTestStringConvertible {
        case postgresql, sqlite

        var testDescription: String { rawValue }
    }

    static let now = AccountBench.start
    static let password = AccountBench.password

    let directory: Directory
    let stores: [any AccountStoring]
    let ports: [AccountPorts]
    let keys: [KeyRing]
    let flows: [AccountFlows]

    /// - Parameters:
    ///   - count: of servers.
    ///   - change: of the Directory's settings.
    static func with(
        _ count: Int = 2, over database: Database, _ change: (inout DirectorySettings) -> Void = { _ in },
        _ body: (Processes) async throws -> Void
    ) async throws {
        var settings = DirectorySettings()
        change(&settings)
        switch database {
        case .postgresql:
            try await PostgresServer.withStores(count) { stores in
                try await body(try await Processes(stores, settings))
            }
        case .sqlite:
            let folder = try TemporaryFolder()
            let path = folder.url.appendingPathComponent("accounts.sqlite").path
            let stores = try (0..<count).map { _ in try SQLiteAccountStore(path: path) }
            try await body(try await Processes(stores, settings))
            for store in stores { try store.close() }
            withExtendedLifetime(folder) {}
        }
    }

    init(_ stores: [any AccountStoring], _ settings: DirectorySettings) async throws {
        self.stores = stores
        let random = SystemRandomSource()
        let ports = try stores.map { store in
            AccountPorts(
                store: store,
                passwords: PasswordHashingPool(
                    parameters: Argon2Parameters(memoryKiB: 8, iterations: 1, parallelism: 1), threads: 1,
                    random: random, clock: { Self.now }),
                random: random, messages: MessageComposer(defaults: try MailTemplates(), random: random))
        }
        self.ports = ports
        keys = stores.map { KeyRing(store: $0, random: random) }
        flows = zip(ports, keys).map { AccountFlows($0, keys: $1) }
        // As servers that are started at once do: one of them makes it.
        directory = try await withThrowingTaskGroup(of: Directory.self) { group in
            for ports in ports {
                group.addTask { try await DirectoryAdministration(ports).ensure(settings: settings, at: Self.now) }
            }
            var made: [Directory] = []
            for try await directory in group { made.append(directory) }
            try #require(Set(made.map(\.id)).count == 1)
            return made[0]
        }
    }

    func call(_ client: String = "203.0.113.5", after span: TimeSpan = .zero) -> CallContext {
        var call = CallContext(
            directory: directory, now: Self.now + span, device: DeviceMetadata(), language: .en, links: PlainLinks())
        call.origin = client
        call.device.truncatedAddress = client.split(separator: ".").prefix(3).joined(separator: ".") + ".0"
        return call
    }

    /// A confirmed user with ``password``.
    @discardableResult
    func user(_ email: String = "a@example.com") async throws -> User {
        var made = User(id: ports[0].random.identifier(at: Self.now), directoryID: directory.id, createdAt: Self.now)
        made.email = try EmailAddress(email)
        made.emailVerifiedAt = Self.now
        made.passwordHash = try await ports[0].passwords.hash(Secret(Self.password))
        let user = made
        try await stores[0].write { try $0.insert(user) }
        return user
    }

    /// - Returns: the session, or why there is none.
    func signIn(
        _ email: String = "a@example.com", password: String = Self.password, at process: Int,
        _ call: CallContext? = nil
    ) async throws -> (session: IssuedSession?, refusal: AuthErrorCode?) {
        do {
            let step = try await flows[process].passwordSignIn(
                .email(try EmailAddress(email)), password: Secret(password), call: call ?? self.call())
            guard case .session(let issued) = step else { return (nil, nil) }
            return (issued, nil)
        } catch let error as AuthError {
            return (nil, error.code)
        }
    }

    /// - Returns: why a wrong password was refused.
    func wrong(at process: Int, _ call: CallContext? = nil) async throws -> AuthErrorCode? {
        try await signIn(password: "Wrong-horse-7-battery", at: process, call).refusal
    }

    /// What the audit log has of an action.
    func events(_ action: AuditEvent.Action) async throws -> [AuditEvent] {
        let id = directory.id
        return try await stores[0].scan(in: id) {
            try $0.auditEvents(in: id, actions: [action], user: nil, offset: 0, limit: 1000)
        }
    }

    /// Runs `work` so often at once, in the servers in turn, and gives what came of each.
    func race<Value: Sendable>(
        _ count: Int, _ work: @escaping @Sendable (_ index: Int, _ process: Int) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: Value.self) { group in
            for index in 0..<count {
                let process = index % flows.count
                group.addTask { try await work(index, process) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }
}
