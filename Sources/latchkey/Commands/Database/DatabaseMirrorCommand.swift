// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AccountStorePostgres
import Accounts
import ArgumentParser
import AuthTypes
import ServerKit
import SupabaseAPI

/// `latchkey database mirror`: whether a Supabase server's tables say what ours say, and the way to make them do so
/// from now on.
struct DatabaseMirrorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mirror",
        abstract:
            "Compare a Directory's users with auth.users, auth.identities, auth.sessions and auth.mfa_factors, which are written whenever "
            + "they change. Fails where something differs. With --install: write them from now on, and let nobody else; "
            + "fails where a row is missing there all the same."
    )
    @OptionGroup var common: CommonOptions
    @OptionGroup var directory: DirectoryOption

    @Option(help: "With --install: the schema of those tables (DB_NAMESPACE).")
    var namespace = "auth"

    @Flag(
        help: "Write those tables from now on, with whoever is missing. What stands there stays until its user changes."
    )
    var install = false

    func run() async throws {
        try await reporting {
            let configuration = try await common.configuration()
            let opened = try await configuration.database.open(configuration, creating: false, connections: 1)
            guard let store = opened.store as? PostgresAccountStore else {
                try opened.store.close()
                throw CommandFailure("\(configuration.database): only PostgreSQL has another server's tables", .usage)
            }
            defer { store.close() }
            if install {
                let name = directory.directory
                let found = try await store.read { try $0.directories() }.first { $0.name == name }
                guard let found else { throw CommandFailure("\(name): no such directory", .notFound) }
                try await store.installMirror(namespace: namespace, of: found.id, dialect: SupabaseDialect.name)
            }
            let report = try await store.checkMirror()
            let counts = report.counts.sorted { $0.key.rawValue < $1.key.rawValue }
            if common.json {
                Output.json([
                    "agrees": .bool(report.agrees),
                    "counts": .array(
                        counts.map {
                            [
                                "kind": .string($0.key.rawValue), "ours": .integer(Int64($0.value.ours)),
                                "mirrored": .integer(Int64($0.value.mirrored)),
                            ]
                        }),
                    "differences": .array(
                        report.differences.map {
                            ["kind": .string($0.kind.rawValue), "id": .string($0.id), "how": .string($0.how)]
                        }),
                ])
            } else {
                Output.table(
                    ["KIND", "OURS", "THERE"],
                    counts.map { [$0.key.rawValue, String($0.value.ours), String($0.value.mirrored)] })
                for difference in report.differences {
                    Output.line("\(difference.kind.rawValue) \(difference.id): \(difference.how)")
                }
            }
            // What stood there before may differ until its user changes. What is not there at all was to be written.
            guard !install || report.missing == 0 else {
                throw CommandFailure(
                    "\(report.missing) rows of ours are missing in \(namespace): the app's triggers there keep them out, or a "
                        + "row of before stands for their user, which is written when the user changes",
                    .badData)
            }
            if !install, !report.agrees { throw ExitCode(CommandFailure.Code.badData.rawValue) }
        }
    }
}
