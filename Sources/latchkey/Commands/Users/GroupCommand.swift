// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import ArgumentParser
import AuthTypes

/// `latchkey group`: who may do what is the operator's to say, never the user's (C-5).
struct GroupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group", abstract: "Groups and who is in them.",
        subcommands: [List.self, Create.self, Delete.self, Add.self, Remove.self, Members.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the groups.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption

        func run() async throws {
            try await reporting {
                let (context, call) = try await CommandContext.open(common, in: place)
                let groups = try await GroupAdministration(context.ports).list(call: call)
                Output.list(groups, under: ["NAME", "DESCRIPTION"], asJSON: common.json) {
                    [$0.name, $0.description ?? ""]
                } object: {
                    [
                        "name": .string($0.name),
                        "description": $0.description.map { .string($0) } ?? .null,
                        "precedence": $0.precedence.map { .integer($0) } ?? .null,
                    ]
                }
            }
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Create a group.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument var name: String
        @Option var description: String?
        @Option(help: "Lower goes first.") var precedence: Int64?

        func run() async throws {
            try await reporting {
                let (context, call) = try await CommandContext.open(common, in: place)
                let group = try await GroupAdministration(context.ports).create(
                    name: name, description: description, precedence: precedence, call: call)
                if common.json {
                    Output.json(["id": .string(group.id.rawValue), "name": .string(group.name)])
                } else {
                    Output.line("created \(group.name)")
                }
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete a group; its members stay users.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument var name: String

        func run() async throws {
            try await reporting {
                let (context, call) = try await CommandContext.open(common, in: place)
                try await GroupAdministration(context.ports).delete(name, call: call)
                if common.json { Output.json(["deleted": .string(name)]) } else { Output.line("deleted \(name)") }
            }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Put a user in a group.")
        @OptionGroup var membership: Membership

        func run() async throws {
            try await reporting {
                try await membership.change("added", else: "was in it already") { groups, group, user, call in
                    try await groups.add(user, to: group, call: call)
                }
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take a user out of a group.")
        @OptionGroup var membership: Membership

        func run() async throws {
            try await reporting {
                try await membership.change("removed", else: "was not in it") { groups, group, user, call in
                    try await groups.remove(user, from: group, call: call)
                }
            }
        }
    }

    /// A user and a group: what those who change one's being in the other have in common.
    struct Membership: ParsableArguments {
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument var group: String
        @Argument(help: "Email address, phone number or identifier.") var user: String

        /// - Parameters:
        ///   - done: What to call it where something changed; also the member of the JSON that says so.
        ///   - other: What to say where nothing did.
        func change(
            _ done: String, else other: String,
            _ body: (GroupAdministration, String, UserID, CallContext) async throws -> Bool
        ) async throws {
            let (context, call) = try await CommandContext.open(common, in: place)
            let found = try await UserFinder(context: context).find(user, in: call.directory)
            let isDone = try await body(GroupAdministration(context.ports), group, found.id, call)
            if common.json {
                Output.json(["group": .string(group), "user": .string(found.id.rawValue), done: .bool(isDone)])
            } else {
                Output.line(isDone ? done : other)
            }
        }
    }

    struct Members: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the members of a group.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument var group: String

        func run() async throws {
            try await reporting {
                let (context, call) = try await CommandContext.open(common, in: place)
                var after: UserID?
                while true {
                    let page = try await GroupAdministration(context.ports).members(
                        of: group, after: after, limit: 100, call: call)
                    for id in page.records.map(\.user.id) {
                        if common.json { Output.json(["id": .string(id.rawValue)]) } else { Output.line(id.rawValue) }
                    }
                    guard let next = page.next else { return }
                    after = next
                }
            }
        }
    }
}
