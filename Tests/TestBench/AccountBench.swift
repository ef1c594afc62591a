// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStoreSQLite
import Accounts
import AuthTypes
import Foundation
import Mail
import Passwords

/// One Directory in a store of its own, what flows and dialects stand on, and a clock that moves when it is told to.
///
/// Hashes are real and as cheap as they can be; messages stay in the outbox, where ``message(to:kind:)`` finds them.
public final class AccountBench: Sendable {
    public static let start = Instant(seconds: 1_780_000_000)
    /// What the policy takes.
    public static let password = "Correct-horse-7-battery"

    public let ports: AccountPorts
    public let keys: KeyRing
    /// What a dialect is given.
    public let flows: AccountFlows
    /// As it was made: changes are in the store.
    public let directory: Directory
    public let clock: TestClock
    private let folder: TemporaryFolder

    /// - Parameters:
    ///   - start: the time until the clock is moved.
    ///   - passwords: in place of hashing.
    ///   - reachesPhones: whether text messages arrive.
    ///   - identityProviders: the way to them; see ``ScriptedIdentityProviders``.
    ///   - temporaryCredentials: whoever gives them to identities of pools.
    ///   - hooks: programs that are told and asked.
    ///   - change: of the Directory's settings.
    public init(
        at start: Instant = AccountBench.start, passwords: (any PasswordHashing)? = nil, reachesPhones: Bool = true,
        identityProviders: (any IdentityProviding)? = nil,
        temporaryCredentials: (any TemporaryCredentialIssuing)? = nil, hooks: Hooks = Hooks(),
        _ change: (inout DirectorySettings) -> Void = { _ in }
    ) async throws {
        folder = try TemporaryFolder()
        let clock = TestClock(start)
        let random = SystemRandomSource()
        let path = folder.url.appendingPathComponent("accounts.sqlite")
        try EmptyDatabase.copy(to: path)
        let store = try SQLiteAccountStore(path: path.path)
        let pool = PasswordHashingPool(
            parameters: Argon2Parameters(memoryKiB: 8, iterations: 1, parallelism: 1), threads: 1, random: random,
            clock: { clock.now })
        ports = AccountPorts(
            store: store, passwords: passwords ?? pool, random: random,
            messages: MessageComposer(defaults: try MailTemplates(), random: random),
            reachesPhones: reachesPhones, identityProviders: identityProviders,
            temporaryCredentials: temporaryCredentials, hooks: hooks)
        keys = KeyRing(store: store, random: random)
        flows = AccountFlows(ports, keys: keys)
        var settings = DirectorySettings()
        change(&settings)
        directory = try await DirectoryAdministration(ports).create(name: "default", settings: settings, at: start)
        self.clock = clock
    }

    /// The flows of a server that has just been started over the same database: it shares nothing in memory with this
    /// one.
    public func restarted() throws -> AccountFlows {
        let store = try SQLiteAccountStore(path: database.path)
        let ports = AccountPorts(
            store: store, passwords: ports.passwords, random: ports.random, messages: ports.messages,
            reachesPhones: ports.reachesPhones, identityProviders: ports.identityProviders,
            temporaryCredentials: ports.temporaryCredentials, hooks: ports.hooks)
        return AccountFlows(ports, keys: KeyRing(store: store, random: ports.random))
    }

    /// Where the store is.
    public var database: URL { folder.url.appendingPathComponent("accounts.sqlite") }

    public var directories: DirectoryCatalog { flows.directories }
    public var now: Instant { clock.now }

    public func advance(by span: TimeSpan) { clock.advance(by: span) }

    /// Changes the Directory's settings, as an operator does while the server runs.
    public func change(_ change: (inout DirectorySettings) -> Void) async throws {
        var settings = try await directories.directory(directory.id, at: now)?.settings ?? directory.settings
        change(&settings)
        _ = try await DirectoryAdministration(ports).update(directory.id, settings: settings, at: now)
        directories.invalidate()
    }

    /// A call of nobody's dialect.
    public func call(actor: AuditEvent.Actor = .commandLine) -> CallContext {
        CallContext(
            directory: directory, now: now, device: DeviceMetadata(), language: .en, links: PlainLinks(), actor: actor)
    }

    // MARK: What was sent

    /// The messages to a recipient, the newest first.
    public func messages(to recipient: String, kind: String? = nil) async throws -> [OutboxMessage] {
        try await ports.store.read { try $0.outbox(in: nil, recipient: recipient, limit: 50) }
            .filter { kind == nil || $0.kind == kind }
    }

    /// The newest message to a recipient.
    ///
    /// - Throws: ``Missing`` where there is none.
    public func message(to recipient: String, kind: String? = nil) async throws -> OutboxMessage {
        guard let message = try await messages(to: recipient, kind: kind).first else {
            throw Missing(what: "a message of kind \(kind ?? "any")")
        }
        return message
    }

    public struct Missing: Error, CustomStringConvertible {
        public var what: String
        public var description: String { "there is no \(what)" }
    }
}

/// Links as short as a test can read.
public struct PlainLinks: VerificationLinks {
    public init() {}

    public func link(
        for _: OneTimeToken.Purpose, token: String, redirectTo _: String, in _: Directory
    ) -> String { "https://auth.example.com/verify?token=\(token)" }

    public func home(of _: Directory) -> String { "https://auth.example.com/account" }
}
