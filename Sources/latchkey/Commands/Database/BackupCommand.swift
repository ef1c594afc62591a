// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStoreSQLite
import Accounts
import ArgumentParser
import AuthTypes
import Foundation
import ServerKit

/// `latchkey backup`: create, and restore.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copies of the database, made while the server runs.",
        subcommands: [Create.self, Restore.self])

    /// A database server's own copies hold what was committed while they were made, and can be brought up to any
    /// moment.
    private static let instead =
        "PostgreSQL makes and restores its own backups (pg_dump, pg_basebackup with its log); see docs/operations.md"

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy the database into a new file, as it is at one moment. The file is a secret.")
        @OptionGroup var common: CommonOptions
        @Argument(help: "The new file.") var file: String

        func run() async throws {
            try await reporting {
                let path = try await common.configuration().database.file(instead: BackupCommand.instead)
                let size = try SQLiteBackup.create(of: path, at: file)
                if common.json {
                    Output.json(["backup": .string(file), "bytes": .integer(size)])
                } else {
                    Output.line("\(file): \(size) bytes")
                }
            }
        }
    }

    struct Restore: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put a backup in the database's place, and end every session. The server must be stopped.")
        @OptionGroup var common: CommonOptions
        @Argument(help: "The backup.") var file: String
        @Flag(help: "For a move to another machine, when nothing has happened since the backup: all stays as it was.")
        var keepSessions = false

        func run() async throws {
            try await reporting {
                let configuration = try await common.configuration()
                let path = try configuration.database.file(instead: BackupCommand.instead)
                let hadDatabase = FileManager.default.fileExists(atPath: path)
                let restore = try SQLiteRestore(of: file, over: path)
                let ended: RestoreAftermath?
                do {
                    ended = try await prepare(
                        restore.copyPath, try MasterKeySource.find(configuration, database: configuration.database))
                    try restore.finish()
                } catch {
                    // No copy of all accounts lies about that nobody asked for.
                    restore.cancel()
                    throw error
                }
                report(ended, path, replaced: hadDatabase ? restore.replacedPath : nil)
            }
        }

        /// Brings the copy up to date, and takes back what it had issued.
        private func prepare(_ path: String, _ source: MasterKeySource) async throws -> RestoreAftermath? {
            let store = try SQLiteAccountStore(path: path, masterKeys: source.read)
            let ended =
                keepSessions
                ? nil
                : try await RestoredStore(store: store, random: SystemRandomSource()).takeBackEverything(
                    at: SystemClock().now())
            try store.close()
            return ended
        }

        private func report(_ ended: RestoreAftermath?, _ path: String, replaced: String?) {
            if common.json {
                Output.json([
                    "restored": .string(path), "replaced": replaced.map { .string($0) } ?? .null,
                    "sessionsKept": .bool(ended == nil),
                    "sessionsEnded": ended.map { .integer(Int64($0.sessions)) } ?? .null,
                    "proofsDeleted": ended.map { .integer(Int64($0.proofs)) } ?? .null,
                    "messagesDeleted": ended.map { .integer(Int64($0.messages)) } ?? .null,
                ])
            } else if let ended {
                Output.line(
                    "\(path): restored; \(ended.sessions) sessions ended, \(ended.proofs) links and codes and "
                        + "\(ended.messages) unsent messages deleted")
            } else {
                Output.line("\(path): restored, with its sessions: whoever signed out since the backup is signed in")
            }
            if let replaced { Output.progress("backup: the database that was there is \(replaced)") }
            Output.progress(
                "backup: what was done since is gone, and must be done again: bans, changes of password, address and "
                    + "group, deleted accounts, removed second factors, revoked API keys, rotated signing keys; backup "
                    + "codes that were used since are good again")
        }
    }
}
