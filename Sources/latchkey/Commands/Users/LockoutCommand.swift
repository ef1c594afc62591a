// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import ArgumentParser
import AuthTypes

/// `latchkey lockout`: what wrong passwords have locked, for an operator to see and to lift.
struct LockoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lockout", abstract: "What too many wrong passwords have locked.",
        subcommands: [List.self, Lift.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the locks that hold now, the newest first. One without a user is of a name that nobody has."
        )
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Option(help: "Only that of a user: email address, phone number or identifier.") var user: String?

        func run() async throws {
            try await reporting {
                let (context, call) = try await CommandContext.open(common, in: place)
                let administration = LockoutAdministration(context.ports)
                var locked: [LockedIdentifier] = []
                if let user {
                    let found = try await UserFinder(context: context).find(user, in: call.directory)
                    locked = [try await administration.lock(of: found.id, call: call)].compactMap(\.self)
                } else {
                    var position: LockoutPosition?
                    repeat {
                        let page = try await administration.list(after: position, call: call)
                        locked += page.locked
                        position = page.next
                    } while position != nil
                }
                Output.list(locked, under: ["ID", "USER", "FROM", "UNTIL"], asJSON: common.json) {
                    [$0.id, $0.user?.rawValue ?? "(nobody)", $0.truncatedAddress ?? "", $0.until.rfc3339]
                } object: {
                    Self.json($0)
                }
            }
        }

        private static func json(_ locked: LockedIdentifier) -> JSONObject {
            [
                "id": .string(locked.id), "user": locked.user.map { .string($0.rawValue) } ?? .null,
                "address": locked.truncatedAddress.map { .string($0) } ?? .null,
                "lockedAt": .string(locked.lockedAt.rfc3339), "lockedUntil": .string(locked.until.rfc3339),
            ]
        }
    }

    struct Lift: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lift a lock: by its identifier, or that of a user.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "As the list gives it.") var id: String?
        @Option(help: "Email address, phone number or identifier.") var user: String?

        func validate() throws {
            guard (id == nil) != (user == nil) else { throw ValidationError("give either an identifier or --user") }
        }

        func run() async throws {
            try await reporting {
                let (context, call) = try await CommandContext.open(common, in: place)
                let administration = LockoutAdministration(context.ports)
                var wasLocked = true
                if let user {
                    let found = try await UserFinder(context: context).find(user, in: call.directory)
                    wasLocked = try await administration.lift(of: found.id, call: call)
                } else if let id {
                    try await administration.lift(id, call: call)
                }
                if common.json {
                    Output.json(["lifted": .bool(wasLocked)])
                } else {
                    Output.line(wasLocked ? "lifted" : "was not locked")
                }
            }
        }
    }
}
