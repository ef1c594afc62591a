// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AccountStoreSQLite
import Accounts
import ArgumentParser
import AuthTypes
import Foundation
import Logging
import Mail
import Passwords
import ServerKit

/// Options that every command takes.
struct CommonOptions: ParsableArguments {
    @Option(help: "The configuration file.")
    var config: String?

    @Option(help: "The database: sqlite:PATH.")
    var database: String?

    @Option(help: "The file with the master key of the database.")
    var masterKeyFile: String?

    @Flag(help: "Print JSON.")
    var json = false

    var flags: [String: String] {
        var flags: [String: String] = [:]
        if let database { flags["database"] = database }
        if let masterKeyFile { flags["masterKeyFile"] = masterKeyFile }
        return flags
    }

    func configuration() async throws -> ServerConfiguration {
        try await ConfigurationLoader.load(
            file: config, flags: flags, environment: ProcessInfo.processInfo.environment)
    }
}

/// The Directory that a command is about.
struct DirectoryOption: ParsableArguments {
    @Option(help: "The Directory's name.")
    var directory = DirectoryCatalog.defaultName
}

/// The store and the flows as a command line tool uses them. A running server and a tool may share a database: the
/// store's transactions keep them apart.
struct CommandContext: Sendable {
    let store: any AccountStoring
    private let database: SQLiteAccountStore
    let ports: AccountPorts
    let keys: KeyRing
    let settings: ServerConfiguration
    /// When the command was given. One command sees one time.
    let now = SystemClock().now()

    static func open(_ options: CommonOptions, creating: Bool = false) async throws -> CommandContext {
        let configuration = try await options.configuration()
        let path = try DatabasePath(configuration.database).path
        guard creating || FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure("\(path): no such database; start the server once, or create a directory", .notFound)
        }
        let isNew = !FileManager.default.fileExists(atPath: path)
        let context = try CommandContext(configuration, path: path)
        // Nobody else has a database yet that is just made.
        if isNew { _ = try await context.database.beginSealing(at: context.now) }
        return context
    }

    init(_ configuration: ServerConfiguration, path: String) throws {
        settings = configuration
        let random = SystemRandomSource()
        do {
            database = try SQLiteAccountStore(
                path: path, masterKeys: try MasterKeySource.find(configuration, database: path).read)
            store = database
        } catch {
            throw CommandFailure(error)
        }
        ports = AccountPorts(
            store: store,
            passwords: configuration.hashing.makePool(random: random, clock: SystemClock().now), random: random,
            messages: try Composition.messages(for: configuration, random: random), hooks: configuration.hooks)
        keys = KeyRing(store: store, random: random)
    }

    func directory(_ option: DirectoryOption) async throws -> Directory {
        do {
            return try await DirectoryAdministration(ports).get(named: option.directory)
        } catch {
            throw CommandFailure(error)
        }
    }

    func call(in directory: Directory) -> CallContext {
        CallContext(
            directory: directory, now: now, device: DeviceMetadata(), language: .en,
            links: NoLinks(),
            actor: .commandLine)
    }
}

extension AsyncParsableCommand {
    /// Runs a command's work, and turns any error of it into one line.
    func reporting<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let exit as ExitCode {
            throw exit
        } catch {
            throw CommandFailure(error)
        }
    }
}
