// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AccountStorePostgres
import ArgumentParser
import AuthTypes
import SupabaseAPI

/// `latchkey database hand-back`: the way back to the server whose database this one has taken over.
struct DatabaseHandBackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hand-back",
        abstract:
            "Give the users back to the Supabase server whose database was taken over, with their passwords as it reads them. No server "
            + "of ours may run, and none of its own before this is done. Users sign in anew.")
    @OptionGroup var common: CommonOptions

    @Flag(help: "Do it: passwords' hashes stand in the clear in auth.users afterwards, as they did before.")
    var yes = false

    func validate() throws {
        guard yes else {
            throw ValidationError(
                "--yes is needed: passwords' hashes will stand in the clear in auth.users, as they did before the take-over"
            )
        }
    }

    func run() async throws {
        try await reporting {
            let configuration = try await common.configuration()
            let opened = try await configuration.database.open(configuration, creating: false, connections: 1)
            guard let store = opened.store as? PostgresAccountStore else {
                try opened.store.close()
                throw CommandFailure("\(configuration.database): only a PostgreSQL database is taken over", .usage)
            }
            let done = try await store.handBack(
                password: { user in user.passwordHash.flatMap(SelfHostedSecrets.encryptedPassword) },
                factor: SelfHostedSecrets.secret)
            store.close()
            guard !common.json else {
                return Output.json([
                    "users": .integer(Int64(done.users)), "passwords": .integer(Int64(done.passwords)),
                    "withoutPassword": .integer(Int64(done.withoutPassword)), "factors": .integer(Int64(done.factors)),
                ])
            }
            Output.line(
                "\(done.users) users handed back: \(done.passwords) passwords and \(done.factors) authenticator apps")
            if done.withoutPassword > 0 {
                Output.line(
                    "\(done.withoutPassword) users have a password of a form that it does not read: they choose a new one"
                )
            }
        }
    }
}
