// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import Accounts
import ArgumentParser
import AuthTypes
import ServerKit

/// `latchkey database`: migrate, status, check, copy, restored, mirror, hand-back.
struct DatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database",
        abstract: "The database as a whole: its tables, what is in them, and moves to another one.",
        subcommands: [
            Migrate.self, Status.self, Check.self, DatabaseCopyCommand.self, Restored.self,
            DatabaseMirrorCommand.self, DatabaseHandBackCommand.self,
        ])

    struct Migrate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Make the tables, or bring them up to date, as a server does when it starts. One at a time, wherever it runs."
        )
        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await reporting {
                let configuration = try await common.configuration()
                let location = configuration.database
                let before = try location.schemaVersion(configuration)
                let opened = try await location.open(configuration, creating: true, connections: 1)
                if opened.isNew { _ = try await opened.store.beginSealing(at: SystemClock().now()) }
                try opened.store.close()
                let after = try location.schemaVersion(configuration) ?? 0
                if common.json {
                    Output.json([
                        "database": .string("\(location)"), "before": before.map { .integer(Int64($0)) } ?? .null,
                        "schema": .integer(Int64(after)),
                    ])
                } else {
                    Output.line("\(location): schema \(after)" + (before == after ? ", as it was" : ""))
                }
            }
        }
    }

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say which tables there are, how full, and what is sealed.")
        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await reporting {
                let configuration = try await common.configuration()
                let location = configuration.database
                let version = try location.schemaVersion(configuration)
                // Of a newer version's the number is only told where this one may work on them.
                guard let version, version >= Migration.newest else {
                    // Nothing is read of tables that are not this version's.
                    return report(location, version, nil, nil)
                }
                let store = try await location.open(configuration, creating: false, connections: 1).store
                report(location, version, try await store.rowCounts(), try await store.sealingStatus())
                try store.close()
            }
        }

        private func report(
            _ location: DatabaseLocation, _ version: Int?, _ rows: [TableRows]?, _ sealing: SealingStatus?
        ) {
            let clear = sealing?.clear.reduce(0) { $0 + $1.count }
            if common.json {
                return Output.json([
                    "database": .string("\(location)"), "schema": version.map { .integer(Int64($0)) } ?? .null,
                    "newest": .integer(Int64(Migration.newest)),
                    "tables": .array(
                        (rows ?? []).map { ["name": .string($0.table), "rows": .integer(Int64($0.rows))] }),
                    "sealed": sealing.map { .bool(!$0.keys.isEmpty) } ?? .null,
                    "secretsInTheClear": clear.map { .integer(Int64($0)) } ?? .null,
                ])
            }
            guard let rows, let sealing else {
                return Output.line(
                    "\(location): " + (version.map { "schema \($0)" } ?? "no tables")
                        + "; this version's is \(Migration.newest): latchkey database migrate")
            }
            Output.line(
                "\(location): schema \(version ?? 0), "
                    + (version == Migration.newest
                        ? "as this version's" : "a newer version's, which this one may work beside"))
            Output.line(
                sealing.keys.isEmpty
                    ? "not sealed: \(clear ?? 0) secrets in the clear"
                    : "sealed" + (clear == 0 ? "" : ", but for \(clear ?? 0) secrets in the clear"))
            Output.table(["TABLE", "ROWS"], rows.filter { $0.rows > 0 }.map { [$0.table, String($0.rows)] })
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Read every row and every JSON object, and open every sealed value. Fails where something can't be read. Servers may go on."
        )
        /// Values that are named.
        private static let told = 1_000

        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await reporting {
                let configuration = try await common.configuration()
                let store = try await configuration.database.open(configuration, creating: false, connections: 1).store
                try await store.checkIntegrity()
                var unread = 0
                let contents = try await store.contents { value in
                    unread += 1
                    if unread <= Self.told { Output.error("check: \(value)") }
                }
                let report = try await store.openEverything()
                try store.close()
                if common.json {
                    Output.json([
                        "tables": .array(contents.map(\.json)), "opened": .integer(Int64(report.opened)),
                        "damaged": .integer(Int64(report.damaged)), "damagedObjects": .integer(Int64(unread)),
                    ])
                } else {
                    DatabaseCommand.table(contents)
                    Output.line(
                        "\(report.opened) secrets opened, \(report.damaged) damaged; \(unread) JSON objects damaged")
                }
                if report.damaged + unread > 0 { throw ExitCode(CommandFailure.Code.badData.rawValue) }
            }
        }
    }

    struct Restored: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "After PostgreSQL was put back to an earlier time, before a server runs on it: end every session, as backup restore "
                + "does.")
        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await reporting {
                let configuration = try await common.configuration()
                let lock = try configuration.database.lock()
                let store = try await configuration.database.open(
                    configuration, creating: false, connections: 1, halfDone: .restore
                ).store
                let ended = try await RestoredStore(store: store, random: SystemRandomSource()).takeBackEverything(
                    at: SystemClock().now(), requireAlone: store.requireNoServer)
                try store.close()
                withExtendedLifetime(lock) {}
                if common.json {
                    Output.json([
                        "sessionsEnded": .integer(Int64(ended.sessions)),
                        "proofsDeleted": .integer(Int64(ended.proofs)),
                        "messagesDeleted": .integer(Int64(ended.messages)),
                    ])
                } else {
                    Output.line(
                        "\(ended.sessions) sessions ended, \(ended.proofs) links and codes and \(ended.messages) unsent messages "
                            + "deleted")
                }
            }
        }
    }

    static func table(_ contents: [TableContents]) {
        Output.table(
            ["TABLE", "ROWS", "SHA-256"],
            contents.filter { $0.rows > 0 }.map { [$0.table, String($0.rows), String($0.digest.prefix(16))] })
    }
}

extension TableContents {
    var json: JSONValue {
        ["name": .string(table), "rows": .integer(Int64(rows)), "sha256": .string(digest)]
    }
}
