// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AccountStorePostgres
import Accounts
import AuthTypes
import Logging
import NIOCore
import ServerKit
import ServiceLifecycle
import SupabaseAPI

/// The accounts of the server in whose place this one is put.
extension Server {
    /// Takes them over where they are in the database that ours are in: once, before anything is served. Of servers
    /// that start together one does it, and the others wait.
    func takeOverAccounts(
        of store: any AccountDatabase, into directory: Directory, _ ports: AccountPorts
    ) async throws {
        guard let selfHosted, let namespace = configuration.takenNamespace,
            let database = store as? PostgresAccountStore
        else { return }
        let source: PlatformSchema
        do {
            source = try PlatformSchema(database, namespace: namespace, dialect: SupabaseDialect.name)
        } catch {
            throw CommandFailure("DB_NAMESPACE: \(error.reason ?? "not valid")", .configuration)
        }
        func isDone() async throws -> Bool {
            try await store.read { try $0.takeOver(of: namespace)?.finishedAt != nil }
        }
        if try await !isDone() {
            try await answeringHealth { try await takeOver(source, database, directory, ports, selfHosted, isDone) }
        }
        try await source.requireMirrored(directory.id)
    }

    private func takeOver(
        _ source: PlatformSchema, _ store: PostgresAccountStore, _ directory: Directory, _ ports: AccountPorts,
        _ selfHosted: SelfHostedEnvironment, _ isDone: () async throws -> Bool
    ) async throws {
        let duties = store.duties()
        defer { duties.release() }
        while try await !isDone() {
            guard await duties.isOurs(.takeOver) else {
                logger.info("another server takes the accounts over", metadata: ["schema": .string(source.name)])
                try await Task.sleep(for: .seconds(1))
                continue
            }
            let providers = try await store.read { try $0.identityProviders(in: directory.id) }
            let accounts = PlatformAccounts(
                into: directory, secrets: selfHosted.database.secrets, ownProviders: Set(providers.map(\.name)),
                site: selfHosted.siteHost,
                at: clock.now())
            var told = 0
            let done = try await TakeOverAccounts(ports)(
                from: source, into: directory, for: SupabaseDialect.name, clock: clock.now,
                read: { try accounts.account($0) },
                progress: { state in
                    guard state.taken[.users] >= told + 1_000 else { return }
                    told = state.taken[.users]
                    note("accounts are taken over", state)
                },
                fault: { id, why in
                    logger.error(
                        "an account can't be taken over", metadata: ["user": .string(id), "reason": .string(why)])
                })
            note("the accounts were taken over", done)
        }
    }

    /// Taking over may last for long, and whoever watches over the process is to know that it lives, and does not serve
    /// yet.
    private func answeringHealth(while work: () async throws -> Void) async throws {
        var quiet = logger
        // It is not the server that is ready.
        quiet.logLevel = max(quiet.logLevel, .warning)
        let (running, began) = AsyncStream.makeStream(of: Int.self)
        let application = StartingEndpoint.application(
            host: configuration.host, port: configuration.port, live: [SupabaseDialect.healthPath], logger: quiet,
            onRunning: { began.yield($0) })
        var settings = ServiceGroupConfiguration(services: [application], logger: quiet)
        settings.maximumGracefulShutdownDuration = .seconds(2)
        let group = ServiceGroup(configuration: settings)
        async let serving: Void = {
            defer { began.finish() }
            do {
                try await group.run()
            } catch let error as IOError {
                throw CommandFailure("\(configuration.host):\(configuration.port): \(error)", .unavailable)
            }
        }()
        if let port = await running.first(where: { _ in true }) {
            logger.notice(
                "health alone is answered until the accounts are there", metadata: ["port": .stringConvertible(port)])
            do {
                try await work()
            } catch {
                await group.triggerGracefulShutdown()
                try? await serving
                throw error
            }
            await group.triggerGracefulShutdown()
        }
        try await serving
    }

    private func note(_ text: String, _ state: TakeOver) {
        // In a text: what is called by a secret's name is in no log.
        func told(_ counts: TakeOver.Counts) -> Logger.MetadataValue {
            .string(TakeOver.Kind.allCases.map { "\(counts[$0]) \($0.rawValue)" }.joined(separator: ", "))
        }
        logger.notice(
            "\(text)",
            metadata: ["schema": .string(state.source), "taken": told(state.taken), "left": told(state.left)])
    }
}
