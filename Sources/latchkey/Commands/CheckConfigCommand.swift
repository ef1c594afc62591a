// SPDX-License-Identifier: Apache-2.0

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

    func run() async throws {
        try await reporting {
            if keys { return printKeys() }
            if gotrueEnvironment { return try checkSelfHosted() }
            let configuration = try await common.configuration()
            let environment = configuration.environment ?? .production
            let source = try MasterKeySource.find(
                configuration, database: try DatabasePath(configuration.database).path)
            let masterKey = try source.read()?.current?.id
            if common.json {
                Output.json([
                    "ok": true, "environment": .string(environment.rawValue),
                    "listen": .string("\(configuration.host):\(configuration.port)"),
                    "database": .string(configuration.database), "mail": .bool(configuration.smtp != nil),
                    "masterKey": masterKey.map { .string($0) } ?? .null,
                ])
            } else {
                Output.line(
                    "ok: \(environment.rawValue), \(configuration.host):\(configuration.port), "
                        + "\(configuration.database), mail \(configuration.smtp.map { "by \($0.host)" } ?? "kept in the outbox")"
                )
                Output.line(
                    masterKey.map { "secrets in the database are sealed under the master key \($0) (\(source.name))" }
                        ?? "no master key: signing keys, client secrets, password hashes and verifiers, and unsent messages "
                        + "are in the clear in the database; see latchkey master-key")
            }
        }
    }

    private func printKeys() {
        let all = ConfigurationLoader.keys
        if common.json {
            Output.json(
                .array(
                    all.map {
                        [
                            "name": .string($0.name), "variable": .string($0.environmentVariable),
                            "default": .string($0.defaultValue), "summary": .string($0.summary),
                            "risk": .string($0.risk),
                        ]
                    }))
        } else {
            for key in all {
                Output.line("\(key.name)  (\(key.environmentVariable), default: \(key.defaultValue))")
                Output.line("    \(key.summary)\(key.risk.isEmpty ? "" : "\n    risk: \(key.risk)")")
            }
        }
    }

    private func checkSelfHosted() throws {
        let environment = try SelfHostedEnvironment(ProcessInfo.processInfo.environment)
        if common.json {
            Output.json([
                "ok": true,
                "findings": .array(
                    environment.findings.map {
                        ["kind": .string($0.kind.rawValue), "name": .string($0.name), "reason": .string($0.reason)]
                    }),
            ])
        } else {
            for finding in environment.findings {
                Output.line("\(finding.name): \(finding.kind.rawValue): \(finding.reason)")
            }
            Output.line("ok")
        }
    }
}
