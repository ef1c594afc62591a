// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import ArgumentParser
import AuthTypes
import Foundation
import JOSE
import SupabaseAPI

/// `latchkey directory`: list, create, show, set, update, delete.
struct DirectoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "directory", abstract: "Isolated sets of users with their own keys and policies.",
        subcommands: [List.self, Create.self, Show.self, Set.self, Update.self, Delete.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the directories.")
        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await reporting {
                let context = try await CommandContext.open(common)
                var rows: [(Directory, Int)] = []
                for directory in try await DirectoryAdministration(context.ports).list() {
                    let count = try await context.store.read { try $0.userCount(in: directory.id) }
                    rows.append((directory, count))
                }
                Output.list(rows, under: ["NAME", "ID", "USERS", "CREATED"], asJSON: common.json) {
                    [$0.name, $0.id.rawValue, String($1), $0.createdAt.rfc3339]
                } object: {
                    DirectoryCommand.json($0, users: $1)
                }
            }
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Create a directory with fresh keys.")
        @OptionGroup var common: CommonOptions
        @Argument(help: "Lower-case letters, digits and hyphens.") var name: String
        @Option(help: "The algorithm of its tokens.") var algorithm = "ES256"
        @Option(help: "A JSON file of settings, as `directory show --json` prints them.") var settings: String?

        func run() async throws {
            try await reporting {
                let algorithm = JWSAlgorithm(rawValue: algorithm)
                guard [.es256, .rs256, .edDSA].contains(algorithm) else {
                    throw CommandFailure("--algorithm: expected ES256, RS256 or EdDSA", .usage)
                }
                let context = try await CommandContext.open(common, creating: true)
                let directory = try await DirectoryAdministration(context.ports).create(
                    name: name, settings: try DirectoryCommand.read(settings, over: DirectorySettings()),
                    algorithm: algorithm, at: context.now)
                try await DirectoryCommand.show(directory, context, json: common.json)
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show a directory, its settings and project keys.")
        @OptionGroup var common: CommonOptions
        @Argument var name: String = DirectoryCatalog.defaultName

        func run() async throws {
            try await reporting {
                let context = try await CommandContext.open(common)
                let directory = try await DirectoryAdministration(context.ports).get(named: name)
                try await DirectoryCommand.show(directory, context, json: common.json)
            }
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change settings of a directory.",
            discussion: "Settings and what they may be: latchkey check-config --keys")
        @OptionGroup var common: CommonOptions
        @Argument var name: String
        @Argument(help: "SETTING=VALUE, such as directory.signUp=false; no value takes away what need not be.")
        var settings: [String]

        func run() async throws {
            try await reporting {
                let context = try await CommandContext.open(common)
                let directory = try await DirectoryAdministration(context.ports).get(named: name)
                var changed = directory.settings
                for assignment in settings { try DirectoryCommand.assign(assignment, to: &changed) }
                let updated = try await DirectoryAdministration(context.ports).update(
                    directory.id, settings: changed, at: context.now)
                try await DirectoryCommand.show(updated, context, json: common.json)
            }
        }
    }

    struct Update: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lay a JSON file of settings over those stored.")
        @OptionGroup var common: CommonOptions
        @Argument var name: String
        @Option(help: "The JSON file; members that it leaves out stay.") var settings: String

        func run() async throws {
            try await reporting {
                let context = try await CommandContext.open(common)
                let directory = try await DirectoryAdministration(context.ports).get(named: name)
                let changed = try await DirectoryAdministration(context.ports).update(
                    directory.id, settings: try DirectoryCommand.read(settings, over: directory.settings),
                    at: context.now)
                try await DirectoryCommand.show(changed, context, json: common.json)
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete a directory with every user and key in it.")
        @OptionGroup var common: CommonOptions
        @Argument var name: String
        @Flag(help: "Needed: it cannot be undone.") var yes = false

        func run() async throws {
            try await reporting {
                guard yes else { throw CommandFailure("add --yes: deleting a directory cannot be undone", .usage) }
                let context = try await CommandContext.open(common)
                let directory = try await DirectoryAdministration(context.ports).get(named: name)
                try await DirectoryAdministration(context.ports).delete(directory.id)
                if common.json { Output.json(["deleted": .string(name)]) } else { Output.line("deleted \(name)") }
            }
        }
    }

    // MARK: Shared

    static func json(_ directory: Directory, users: Int) -> JSONObject {
        [
            "id": .string(directory.id.rawValue), "name": .string(directory.name), "users": .integer(Int64(users)),
            "createdAt": .string(directory.createdAt.rfc3339),
        ]
    }

    private static func show(_ directory: Directory, _ context: CommandContext, json: Bool) async throws {
        let users = try await context.store.read { try $0.userCount(in: directory.id) }
        let keys = try await ProjectKeyIssuer(for: directory, keys: context.keys, at: context.now)
        var object = Self.json(directory, users: users)
        object["settings"] = .object(directory.settings.json)
        object["anonKey"] = .string(keys.anonymous)
        object["serviceRoleKey"] = .string(keys.serviceRole.reveal())
        if json {
            Output.json(.object(object))
        } else {
            for name in ["name", "id", "users", "createdAt", "anonKey", "serviceRoleKey", "settings"] {
                let value = object[name]
                Output.line("\(name): \(value?.stringValue ?? value?.text ?? "")")
            }
        }
    }

    private static func assign(_ assignment: String, to settings: inout DirectorySettings) throws {
        guard let equals = assignment.firstIndex(of: "=") else {
            throw CommandFailure("\(assignment): expected SETTING=VALUE", .usage)
        }
        let name = String(assignment[..<equals])
        guard let setting = DirectorySettings.setting(name) else {
            throw CommandFailure("\(name): no such setting; see latchkey check-config --keys", .badData)
        }
        let text = String(assignment[assignment.index(after: equals)...])
        do {
            // Where there may be none, an empty value is none.
            if text.isEmpty, (try? setting.set(.null, in: &settings)) != nil { return }
            try setting.set(try setting.parse(text), in: &settings)
        } catch {
            throw CommandFailure("\(name): \(error.reason ?? "not a valid value")", .badData)
        }
    }

    /// Members that the file leaves out keep the value they have in `base`, at every depth; unknown ones are refused.
    private static func read(_ file: String?, over base: DirectorySettings) throws -> DirectorySettings {
        guard let file else { return base }
        guard let data = FileManager.default.contents(atPath: file), let changes = try? JSONObject(parsing: Array(data))
        else { throw CommandFailure("\(file): not a JSON object", .badData) }
        var settings = base
        do {
            try settings.apply(changes)
        } catch {
            throw CommandFailure("\(file): \(error.field ?? ""): \(error.reason ?? "not a valid value")", .badData)
        }
        return settings
    }
}
