// SPDX-License-Identifier: Apache-2.0

import AccountStore
import ArgumentParser
import AuthTypes
import ServerKit

/// `latchkey database copy`
struct DatabaseCopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract:
            "Move everything into another, empty database, of whichever kind, and compare the two row by row. No server may run on "
            + "either; one that was cut short goes on where it was. Sessions stay alive.")
    @OptionGroup var common: CommonOptions
    @Option(help: "The empty database: sqlite:PATH or postgres://USER@HOST/DATABASE.")
    var to: String

    func validate() throws { try CommonOptions.validate(to, as: "--to") }

    func run() async throws {
        try await reporting {
            let configuration = try await common.configuration()
            let (source, target) = (configuration.database, try DatabaseLocation(parsing: to))
            guard source != target else { throw CommandFailure("--to: it is the same database", .usage) }
            let locks = (try source.lock(), try target.lock())
            defer { withExtendedLifetime(locks) {} }
            let from = try await source.open(configuration, creating: false, connections: 1).store
            // Values stay sealed under the source's keys, whatever lies beside the target.
            let into = try await target.open(
                configuration, creating: true, connections: 1, masterKeysOf: source, halfDone: .copy
            ).store
            let contents = try await DatabaseCopy(from: from, to: into)(at: SystemClock().now()) { table, rows in
                if rows.isMultiple(of: 10_000) { Output.progress("database: \(table): \(rows) rows") }
            }
            let keys = try await into.sealingStatus().keys
            try from.close()
            try into.close()
            let masterKey = try MasterKeySource.find(configuration, database: source)
            if common.json {
                return Output.json([
                    "from": .string("\(source)"), "to": .string("\(target)"), "tables": .array(contents.map(\.json)),
                    "masterKey": keys.last.map { .string($0.masterKeyID) } ?? .null,
                ])
            }
            DatabaseCommand.table(contents)
            Output.line("\(target): the same rows as \(source)")
            if let key = keys.last {
                Output.progress(
                    "database: its secrets are sealed under the master key \(key.masterKeyID) (\(masterKey.name)), which servers on it "
                        + "need too")
            }
        }
    }
}
