// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
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

    @Option(help: "The database: sqlite:PATH or postgres://USER@HOST/DATABASE.")
    var database: String?

    @Option(help: "The file with the master key of the database.")
    var masterKeyFile: String?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        try database.map { try Self.validate($0, as: "--database") }
    }

    /// - Throws: `ValidationError` for what is no database's place, and for a password, which all of a machine's users
    ///   see in the list of its processes. Neither repeats the text.
    static func validate(_ text: String, as name: String) throws {
        do {
            guard try !DatabaseLocation(parsing: text).hasPassword else {
                throw AuthError(
                    .invalidRequest,
                    reason: "a password among the arguments is everybody's to see: give it by LATCHKEY_DATABASE, "
                        + "latchkey.yaml, PGPASSWORD or ~/.pgpass")
            }
        } catch let error as AuthError {
            throw ValidationError("\(name): \(error.reason ?? "not a database")")
        }
    }

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
    private let database: any AccountDatabase
    let ports: AccountPorts
    let keys: KeyRing
    let settings: ServerConfiguration
    /// When the command was given. One command sees one time.
    let now = SystemClock().now()

    static func open(_ options: CommonOptions, creating: Bool = false) async throws -> CommandContext {
        let configuration = try await options.configuration()
        let opened = try await configuration.database.open(configuration, creating: creating, connections: 2)
        let context = try CommandContext(configuration, database: opened.store)
        // Nobody else has a database yet that is just made.
        if opened.isNew { _ = try await context.database.beginSealing(at: context.now) }
        return context
    }

    /// With the call in which flows are to be asked, in the Directory that the command is about.
    static func open(
        _ options: CommonOptions, in place: DirectoryOption
    ) async throws -> (CommandContext, CallContext) {
        let context = try await open(options)
        return (context, context.call(in: try await context.directory(place)))
    }

    private init(_ configuration: ServerConfiguration, database: any AccountDatabase) throws {
        settings = configuration
        let random = SystemRandomSource()
        self.database = database
        store = database
        ports = AccountPorts(
            store: store,
            passwords: configuration.hashing.makePool(random: random, clock: SystemClock().now), random: random,
            messages: try Composition.messages(for: configuration, random: random), hooks: configuration.hooks)
        keys = KeyRing(store: store, random: random)
    }

    /// Before very many rows are written and no server has the database.
    func expectMuch() async throws { try await database.expectMuch() }

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
            links: NoLinks(), actor: .commandLine)
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
