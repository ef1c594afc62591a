// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import Accounts
import AuthTypes
import DevelopmentIdentityProvider
import IdentityProviders
import Logging
import ServerKit
import SupabaseAPI

/// What is done to the store before anything is served, and what the flows are given.
extension Server {
    /// Opens the database, and marks it as production's or development's.
    func openStore() async throws -> any AccountDatabase {
        let store = try await configuration.database.open(configuration, creating: true, random: random) {
            [logger] row, columns in
            logger.error(
                "a stored row is damaged",
                metadata: ["row": .string(row), "columns": .array(columns.map { .string($0) })])
        }.store
        if development != nil {
            try await DatabaseUse(store).beginDevelopment()
        } else if configuration.environment != .development {
            try await DatabaseUse(store).beginProduction(at: clock.now())
        }
        return store
    }

    func ports(
        over store: any AccountDatabase, limiter: RateLimiter, metrics: MetricsRegistry, reachesPhones: Bool,
        standInProviders: @escaping @Sendable (DirectoryID) -> [IdentityProvider]
    ) throws -> AccountPorts {
        let passwords = CountedPasswords(
            configuration.hashing.makePool(random: random, clock: clock.now), metrics: metrics)
        return AccountPorts(
            store: AttendedStore(store), passwords: passwords, random: random,
            messages: try Composition.messages(for: configuration, random: random), limits: AccountLimits(limiter),
            reachesPhones: reachesPhones,
            identityProviders: RelyingParty(
                .init(allowsLoopback: development != nil, privateHosts: Set(configuration.privateProviderHosts)),
                logger: logger, clock: clock.now),
            temporaryCredentials: try configuration.tokenService.map {
                try SecurityTokenService(endpoint: $0, logger: logger)
            } ?? development.map { _ in DevelopmentCredentials(random: random) },
            standInProviders: standInProviders, hooks: configuration.hooks)
    }

    /// What sees to the store's secrets. In development mode there always is a master key: a file beside the database,
    /// made once, and only now that the store has opened without one: a new key is no help to a store that has lost its
    /// own.
    func sealing(of store: any AccountDatabase) throws -> Sealing {
        let database = configuration.database
        if development != nil, case .none = try MasterKeySource.find(configuration, database: database) {
            try MasterKeySource.make(MasterKey.generate(random: random), at: database.masterKeyPath)
        }
        let source = try MasterKeySource.find(configuration, database: database)
        return Sealing(store: store, source: source, logger: logger)
    }

    /// A guard of a Directory that there is not guards nobody: who has misspelt its name is to see that.
    func warnOfHooks(_ ports: AccountPorts) async throws {
        let known = Set(try await ports.store.read { try $0.directories().map(\.name) })
        for name in configuration.hooks.directories.subtracting(known).sorted() {
            logger.error(
                "hooks.file names a directory that there is not: nothing of it is asked or told",
                metadata: ["directory": .string(name)])
        }
    }

    func prepareDirectory(
        _ store: any AccountDatabase, _ ports: AccountPorts, _ keys: KeyRing
    ) async throws -> Directory {
        let administration = DirectoryAdministration(ports)
        let now = clock.now()
        var settings = development == nil ? DirectorySettings() : DevelopmentMode.settings
        if let selfHosted { settings = selfHosted.settings }
        var directory = try await administration.ensure(settings: settings, at: now)
        // What the configuration says wins over what is stored; what it does not say stays.
        var wanted = selfHosted?.settings ?? directory.settings
        for change in configuration.directoryChanges { try change.setting.set(change.value, in: &wanted) }
        directory = try await administration.update(directory.id, settings: wanted, at: now)
        if let imported = selfHosted?.keys { try await keys.adopt(imported, into: directory, at: now) }
        try await takeOverAccounts(of: store, into: directory, ports)
        if let development { try await development.makeDemoUser(ports, call: call(directory)) }
        return directory
    }

    /// What the program itself does with a Directory before it serves.
    func call(_ directory: Directory) -> CallContext {
        CallContext(
            directory: directory, now: clock.now(), device: DeviceMetadata(), language: .en, links: NoLinks(),
            actor: .commandLine)
    }
}
