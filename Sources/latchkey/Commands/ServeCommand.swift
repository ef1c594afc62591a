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
            let selfHosted =
                gotrueEnvironment
                ? try configuration.takeOver(
                    ProcessInfo.processInfo.environment, host: host, port: port, isDevelopment: dev) : nil
            if dev { try configuration.becomeDevelopment() }
            let (logger, requests) = startLogging(configuration)
            for finding in selfHosted?.findings ?? [] {
                logger.warning(
                    finding.kind == .insecure ? "setting fit for development only" : "setting not taken over",
                    metadata: [
                        "variable": .string(finding.name), "kind": .string(finding.kind.rawValue),
                        "reason": .string(finding.reason),
                    ])
            }
            if dev { logger.warning("development mode: every mail and secret is shown at /dev") }
            let development = dev ? try DevelopmentMode.prepare(random: SystemRandomSource()) : nil
            try await Server(
                configuration: configuration, development: development, selfHosted: selfHosted, logger: logger,
                requests: requests
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

    private func startLogging(_ configuration: ServerConfiguration) -> (Logger, RequestLog) {
        let writer = LogWriter(clock: SystemClock().now)
        let level = Logger.Level(rawValue: configuration.logLevel) ?? .info
        let format = configuration.logFormat
        LoggingSystem.bootstrap { label in
            switch format {
            case .json: JSONLogHandler(label: label, level: level, writer: writer)
            case .readable: ReadableLogHandler(level: level, writer: writer)
            }
        }
        let logger = Logger(label: "latchkey")
        let requests =
            switch format {
            case .json: RequestLog(.json(label: logger.label), level: level, writer: writer)
            case .readable: RequestLog(.readable, level: level, writer: writer)
            }
        return (logger, requests)
    }
}
