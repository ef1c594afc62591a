// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import ArgumentParser
import AuthTypes
import Foundation

extension UserCommand {
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Import users from JSON lines on standard input, password hashes included.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption

        func run() async throws {
            try await reporting {
                let context = try await CommandContext.open(common)
                let directory = try await context.directory(place)
                let location = context.settings.database
                // Whether no server has the database, so that nobody waits for a transaction. One may start meanwhile.
                let isAlone: @Sendable () -> Bool = { (try? location.lock()) != nil }
                if isAlone() { try await context.expectMuch() }
                var input = StandardInput.lines(limit: UserImport.longestLine)
                let summary = try await UserImport(
                    store: context.store, random: context.ports.random, dialects: Dialects.names,
                    providerNames: Dialects.providerNames,
                    linesAtOnce: { isAlone() ? UserImport.linesAlone : UserImport.linesBesideServer }
                ).run(
                    into: directory, at: context.now, next: { try input.next().map(UserImport.Line.init) },
                    fault: { Output.error("import: \($0)") },
                    progress: { summary in
                        Output.progress("import: \(summary.imported) imported, \(summary.present) there already")
                    })
                if common.json {
                    Output.json([
                        "imported": .integer(Int64(summary.imported)), "present": .integer(Int64(summary.present)),
                        "faults": .integer(Int64(summary.faults)),
                    ])
                } else {
                    Output.line(
                        "\(summary.imported) imported, \(summary.present) there already, \(summary.faults) refused")
                }
                if summary.faults > 0 { throw ExitCode(CommandFailure.Code.badData.rawValue) }
            }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Export every user as JSON lines, password hashes included. The output is a secret.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption

        func run() async throws {
            try await reporting {
                let context = try await CommandContext.open(common)
                let directory = try await context.directory(place)
                var written = 0
                let count = try await UserExport(store: context.store).run(from: directory) { line in
                    Output.line(line)
                    written += 1
                    if written % 10_000 == 0 { Output.progress("export: \(written) users") }
                }
                Output.progress("export: \(count) users")
            }
        }
    }
}

extension UserImport.Line {
    fileprivate init(_ line: StandardInput.Line) {
        self =
            switch line {
            case .whole(let octets): String(strictUTF8: octets).map(Self.text) ?? .notText
            case .tooLong: .tooLong
            }
    }
}
