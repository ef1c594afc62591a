// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AccountStorePostgres
import Accounts
import AuthTypes
import Logging
import ServerKit
import SupabaseAPI

/// The accounts of the server in whose place this one is put.
extension Server {
    /// Takes them over where they are in the database that ours are in: once, before anything is served. Of servers that start
    /// together one does it, and the others wait.
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
        let duties = store.duties()
        defer { duties.release() }
        while try await !isDone() {
            guard await duties.isOurs(.takeOver) else {
                logger.info("another server takes the accounts over", metadata: ["schema": .string(namespace)])
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
                })
            note("the accounts were taken over", done)
        }
        try await source.requireMirrored(directory.id)
    }

    private func note(_ text: String, _ state: TakeOver) {
        logger.notice(
            "\(text)",
            metadata: TakeOver.Kind.allCases.reduce(into: ["schema": .string(state.source)]) { metadata, kind in
                metadata[kind.rawValue] = .stringConvertible(state.taken[kind])
                if state.left[kind] > 0 { metadata[kind.rawValue + "_left"] = .stringConvertible(state.left[kind]) }
            })
    }
}
