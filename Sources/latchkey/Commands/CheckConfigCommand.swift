// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AccountStoreSQLite
import ArgumentParser
import AuthTypes
import Foundation
import Mail
import SupabaseAPI

/// `latchkey check-config`: reads the configuration as `serve` would, and says what is wrong with it.
struct CheckConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config", abstract: "Check the configuration without starting anything.")
    @OptionGroup var common: CommonOptions
    @Flag(help: "Print every setting with its default, variable and risk.") var keys = false
    @Flag(name: .customLong("gotrue-env"), help: "Check the GOTRUE_* variables of a Supabase auth container.")
    var gotrueEnvironment = false
    @Flag(help: "Check it for serve --dev.") var dev = false

    func run() async throws {
        try await reporting {
            if keys { return printKeys() }
            var configuration = try await common.configuration()
            let selfHosted =
                gotrueEnvironment
                ? try configuration.takeOver(ProcessInfo.processInfo.environment, isDevelopment: dev) : nil
            if dev { try configuration.becomeDevelopment() }
            let carriesMail = try Composition.mailTransport(for: configuration) != nil
            let carriesTexts = try Composition.textTransport(for: configuration) != nil
            let findings = selfHosted?.findings ?? []
            let environment = configuration.environment ?? .production
            let source = try MasterKeySource.find(configuration, database: configuration.database)
            let masterKey = try source.read()?.current?.id
            if common.json {
                Output.json([
                    "ok": true, "environment": .string(environment.rawValue),
                    "listen": .string("\(configuration.host):\(configuration.port)"),
                    "database": .string("\(configuration.database)"), "mail": .bool(carriesMail),
                    "texts": .bool(carriesTexts),
                    "databaseWarning": configuration.databaseWarning.map { .string($0) } ?? .null,
                    "masterKey": masterKey.map { .string($0) } ?? .null,
                    "findings": .array(
                        findings.map {
                            ["kind": .string($0.kind.rawValue), "name": .string($0.name), "reason": .string($0.reason)]
                        }),
                ])
            } else {
                for finding in findings {
                    Output.line("\(finding.name): \(finding.kind.rawValue): \(finding.reason)")
                }
                Output.line(
                    "ok: \(environment.rawValue), \(configuration.host):\(configuration.port), "
                        + "\(configuration.database), mail \(Self.mailRoute(configuration)), "
                        + "text messages \(carriesTexts ? "by \(configuration.messages.texts.rawValue)" : "not carried")"
                )
                Output.line(
                    // The database is not asked, which may be sealed under a former one until it is rotated.
                    masterKey.map {
                        "the master key is \($0) (\(source.name)); what the database is sealed under says "
                            + "latchkey master-key status"
                    }
                        ?? "no master key: signing keys, client secrets, password hashes and verifiers, and unsent messages "
                        + "are in the clear in the database; see latchkey master-key")
                if let warning = configuration.databaseWarning { Output.line(warning) }
            }
        }
    }

    private static func mailRoute(_ configuration: ServerConfiguration) -> String {
        if configuration.messages.mail != .none { return "by \(configuration.messages.mail.rawValue)" }
        return configuration.smtp.map { "by \($0.host)" } ?? "kept in the outbox"
    }

    private func printKeys() {
        let rows = ConfigurationLoader.keys.map(Row.init) + DirectorySettings.table.compactMap(Row.init(outsideFiles:))
        if common.json { return Output.json(.array(rows.map(\.json))) }
        for row in rows {
            let variable = row.variable ?? "by latchkey directory only"
            Output.line("\(row.name)  (\(variable), default: \(row.defaultText))")
            Output.line("    \(row.summary)\n    \(row.type)")
            if !row.risk.isEmpty { Output.line("    risk: \(row.risk)") }
        }
    }

    /// A setting as it is shown.
    private struct Row {
        var name: String
        /// `nil` for settings that configuration files can't set.
        var variable: String?
        var type: String
        var defaultText: String
        var summary: String
        var risk: String
        /// Where a Directory keeps it; `nil` for the server's own.
        var path: String?

        init(_ key: ConfigurationKey) {
            name = key.name
            variable = key.environmentVariable
            type = key.form.description
            defaultText = key.defaultValue
            summary = key.summary
            risk = key.risk
            path = key.directoryPath
        }

        init?(outsideFiles setting: Setting<DirectorySettings>) {
            guard setting.key == nil else { return nil }
            name = setting.path
            type = setting.form.description
            defaultText = setting.defaultText(in: DirectorySettings())
            summary = setting.summary
            risk = setting.risk
            path = setting.path
        }

        var json: JSONValue {
            [
                "name": .string(name), "variable": variable.map { .string($0) } ?? .null, "type": .string(type),
                "default": .string(defaultText), "summary": .string(summary), "risk": .string(risk),
                "stored": path.map { .string($0) } ?? .null,
                "selfHosted": .array(
                    path.map { SelfHostedEnvironment.variables(for: $0).map { .string($0) } } ?? []),
            ]
        }
    }
}
