// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import ArgumentParser
import AuthTypes

/// `latchkey user deletion`: what users do by themselves, for those who have written to the operator instead.
struct UserDeletionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deletion", abstract: "Deletions at users' own wish, with their grace and their messages.",
        subcommands: [List.self, Request.self, Undo.self, Now.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List who waits to be deleted, the first due first.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Option(help: "How many, up to 1000.") var limit = 100

        func run() async throws {
            try await reporting {
                guard (1...1000).contains(limit) else { throw CommandFailure("--limit: expected 1 to 1000", .usage) }
                let (context, call) = try await CommandContext.open(common, in: place)
                let found = try await DeletionAdministration(context.ports).list(limit: limit + 1, call: call)
                let users = found.prefix(limit)
                func due(_ user: User) -> String { user.deletionDueAt?.rfc3339 ?? "" }
                if common.json {
                    Output.json([
                        "users": .array(
                            users.map {
                                [
                                    "id": .string($0.id.rawValue), "deletionDueAt": .string(due($0)),
                                    "email": $0.email.map { .string($0.rawValue) } ?? .null,
                                ]
                            }),
                        "more": .bool(found.count > limit),
                    ])
                } else {
                    Output.table(
                        ["ID", "EMAIL", "DUE"],
                        users.map { [$0.id.rawValue, $0.email?.rawValue ?? "", due($0)] })
                    if found.count > limit { Output.progress("there are more") }
                }
            }
        }
    }

    struct Request: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sign a user out, and delete the account once the grace is over unless they sign in.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "Email address, phone number (+…) or identifier.") var user: String
        @Option(help: "How many days of grace, up to 90; the Directory's where it is not given.") var days: Int64?

        func run() async throws {
            try await reporting {
                if let days, !(1...90).contains(days) { throw CommandFailure("--days: expected 1 to 90", .usage) }
                let (administration, found, call) = try await UserDeletionCommand.find(user, common, place)
                do {
                    let due = try await administration.request(
                        found.id, grace: days.map { .days($0) }, call: call)
                    if common.json {
                        Output.json(["id": .string(found.id.rawValue), "deletionDueAt": .string(due.rfc3339)])
                    } else {
                        Output.line("due \(due.rfc3339)")
                    }
                } catch let error as AuthError where error.field == "grace" {
                    throw CommandFailure(
                        "there is no time of grace: give --days, or delete at once with `user deletion now`", .usage)
                }
            }
        }
    }

    struct Undo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Keep an account that waits to be deleted.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "Email address, phone number (+…) or identifier.") var user: String

        func run() async throws {
            try await reporting {
                let (administration, found, call) = try await UserDeletionCommand.find(user, common, place)
                let wasDue = try await administration.undo(found.id, call: call)
                if common.json {
                    Output.json(["undone": .bool(wasDue)])
                } else {
                    Output.line(wasDue ? "kept" : "was not to be deleted")
                }
            }
        }
    }

    struct Now: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete an account for good, and tell whoever had it.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "Email address, phone number (+…) or identifier.") var user: String

        func run() async throws {
            try await reporting {
                let (administration, found, call) = try await UserDeletionCommand.find(user, common, place)
                try await administration.deleteNow(found.id, call: call)
                if common.json {
                    Output.json(["deleted": .string(found.id.rawValue)])
                } else {
                    Output.line("deleted \(found.id)")
                }
            }
        }
    }

    private static func find(
        _ user: String, _ common: CommonOptions, _ place: DirectoryOption
    ) async throws -> (DeletionAdministration, User, CallContext) {
        let (context, call) = try await CommandContext.open(common, in: place)
        let found = try await UserFinder(context: context).find(user, in: call.directory)
        return (DeletionAdministration(context.ports), found, call)
    }
}
