// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthTypes
import Foundation
import Logging
import Mail
import ServerKit
import SupabaseAPI

/// `latchkey serve`
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run the server until it is told to stop (SIGTERM, Ctrl-C).")
    @OptionGroup var common: CommonOptions
    @Flag(help: "Development mode: needs no configuration, shows mail and settings at /dev, loopback only.")
    var dev = false
    @Option(help: "The address to listen on.") var host: String?
    @Option(help: "The port to listen on; 0 for a free one.") var port: Int?
    @Flag(
        name: .customLong("gotrue-env"),
        help: "Read the GOTRUE_* variables of a Supabase auth container, and take its place.")
    var gotrueEnvironment = false

    func run() async throws {
        try await reporting {
            var configuration = try await configured()
            let selfHosted = gotrueEnvironment ? try readSelfHosted(&configuration) : nil
            if dev { try developmentDefaults(&configuration) }
            let logger = startLogging(configuration)
            for finding in selfHosted?.findings ?? [] {
                logger.warning(
                    "setting not taken over",
                    metadata: [
                        "variable": .string(finding.name), "kind": .string(finding.kind.rawValue),
                        "reason": .string(finding.reason),
                    ])
            }
            if dev { logger.warning("development mode: every mail and secret is shown at /dev") }
            let development = dev ? try DevelopmentMode.prepare(random: SystemRandomSource()) : nil
            try await Server(
                configuration: configuration, development: development, selfHosted: selfHosted, logger: logger
            ).run()
        }
    }

    private func configured() async throws -> ServerConfiguration {
        var flags = common.flags
        if let host { flags["http.host"] = host }
        if let port { flags["http.port"] = String(port) }
        return try await ConfigurationLoader.load(
            file: common.config, flags: flags, environment: ProcessInfo.processInfo.environment)
    }

    /// Development mode is for one person's machine, and must not become a way around production's rules. Whether the
    /// database is production's is asked once it is open: see ``Server``.
    private func developmentDefaults(_ configuration: inout ServerConfiguration) throws {
        guard configuration.environment != .production else {
            throw CommandFailure(
                "--dev refuses to run: environment is production, by latchkey.yaml or LATCHKEY_ENVIRONMENT",
                .configuration)
        }
        guard ["127.0.0.1", "::1", "localhost"].contains(configuration.host) else {
            throw CommandFailure("--dev listens on loopback only, not on \(configuration.host)", .configuration)
        }
        configuration.environment = .development
        configuration.logFormat = .readable
        if configuration.database == ServerConfiguration().database {
            configuration.database = "sqlite:" + DevelopmentMode.databasePath
        }
    }

    /// Flags win over the container's variables.
    private func readSelfHosted(_ configuration: inout ServerConfiguration) throws -> SelfHostedEnvironment {
        let environment: SelfHostedEnvironment
        do {
            environment = try SelfHostedEnvironment(ProcessInfo.processInfo.environment)
        } catch {
            throw CommandFailure("\(error.field ?? "environment"): \(error.reason ?? "not valid")", .configuration)
        }
        if let url = environment.externalURL { configuration.externalURL = try ConfigurationLoader.httpURL(url) }
        if port == nil, let value = environment.port { configuration.port = value }
        if host == nil { configuration.host = environment.host ?? "0.0.0.0" }
        if let smtp = environment.smtp, configuration.smtp == nil {
            configuration.smtp = SMTPSettings(
                host: smtp.host, port: smtp.port, username: smtp.username, password: smtp.password,
                // As the container does: port 465 speaks TLS from the start, any other upgrades where it can.
                security: smtp.port == 465 ? .tls : .opportunistic, senderName: smtp.senderName,
                senderAddress: smtp.senderAddress)
        }
        return environment
    }

    private func startLogging(_ configuration: ServerConfiguration) -> Logger {
        let writer = LogWriter(clock: SystemClock().now)
        let level = Logger.Level(rawValue: configuration.logLevel) ?? .info
        let format = configuration.logFormat
        LoggingSystem.bootstrap { label in
            switch format {
            case .json: JSONLogHandler(label: label, level: level, writer: writer)
            case .readable: ReadableLogHandler(level: level, writer: writer)
            }
        }
        return Logger(label: "latchkey")
    }
}
