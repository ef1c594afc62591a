// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import ArgumentParser
import AuthTypes
import Foundation

/// `latchkey user`: list, show, create, ban, delete, deletion, import, export.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "The users of a directory.",
        subcommands: [
            List.self, Show.self, Create.self, Ban.self, Unban.self, Delete.self, UserDeletionCommand.self, Import.self,
            Export.self,
        ])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List users, newest first.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Option(help: "Which page, from 1.") var page = 1
        @Option(help: "How many a page, up to 1000.") var perPage = 50
        @Option(help: "The beginning of an address or of an identifier, ours or one brought along.") var search: String?

        func run() async throws {
            try await reporting {
                let (context, call) = try await CommandContext.open(common, in: place)
                let (records, total) = try await UserAdministration(context.ports).list(
                    page: page, perPage: perPage, search: search, call: call)
                if common.json {
                    Output.json([
                        "users": .array(records.map { .object(UserCommand.json($0.user)) }),
                        "total": .integer(Int64(total)),
                    ])
                } else {
                    Output.table(
                        ["ID", "EMAIL", "PHONE", "CONFIRMED", "STATE", "CREATED"],
                        records.map { record in
                            let user = record.user
                            return [
                                user.id.rawValue, user.email?.rawValue ?? "", user.phone?.e164 ?? "",
                                user.emailVerifiedAt ?? user.phoneVerifiedAt == nil ? "no" : "yes",
                                user.isDamaged ? "damaged" : user.isBanned(at: call.now) ? "banned" : "",
                                user.createdAt.rfc3339,
                            ]
                        })
                    Output.progress("\(records.count) of \(total)")
                }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show one user; never their password hash.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "Email address, phone number (+…) or identifier.") var user: String

        func run() async throws {
            try await reporting {
                let context = try await CommandContext.open(common)
                let directory = try await context.directory(place)
                let found = try await UserFinder(context: context).find(user, in: directory)
                let (sessions, groups) = try await context.store.read { tx in
                    (
                        try tx.sessions(of: found.id, in: directory.id).count,
                        try tx.groups(of: found.id, in: directory.id).map(\.name)
                    )
                }
                var json = UserCommand.json(found)
                json["sessions"] = .integer(Int64(sessions))
                json["groups"] = .array(groups.map { .string($0) })
                UserCommand.print(json, asJSON: common.json)
            }
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a confirmed user; the password is read from standard input.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "Email address or phone number (+…).") var identifier: String
        @Flag(help: "Without a password: the user signs in by mailed links and codes.") var passwordless = false

        func run() async throws {
            try await reporting {
                let (context, call) = try await CommandContext.open(common, in: place)
                var attributes = UserAttributes()
                if identifier.contains("@") {
                    attributes.email = try EmailAddress(identifier)
                    attributes.emailConfirm = true
                } else {
                    attributes.phone = try PhoneNumber(identifier)
                    attributes.phoneConfirm = true
                }
                if !passwordless {
                    attributes.password = try UserCommand.password()
                }
                let record = try await UserAdministration(context.ports).create(attributes, call: call)
                UserCommand.print(UserCommand.json(record.user), asJSON: common.json)
            }
        }
    }

    struct Ban: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Ban a user: every session ends at once.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "Email address, phone number (+…) or identifier.") var user: String
        @Option(help: "For how many hours.") var hours: Int64 = 876_000

        func run() async throws {
            try await reporting {
                guard (1...876_000).contains(hours) else {
                    throw CommandFailure("--hours: expected 1 to 876000", .usage)
                }
                try await UserCommand.change(user, to: .for(.hours(hours)), common, place)
            }
        }
    }

    struct Unban: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lift a ban.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "Email address, phone number (+…) or identifier.") var user: String

        func run() async throws {
            try await reporting { try await UserCommand.change(user, to: .lift, common, place) }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete a user without telling them: see `deletion` for what users wish themselves.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "Email address, phone number (+…) or identifier.") var user: String
        @Flag(help: "Keep an empty row until the purge, so that the identifier is not given out again.") var soft =
            false

        func run() async throws {
            try await reporting {
                let (context, call) = try await CommandContext.open(common, in: place)
                let found = try await UserFinder(context: context).find(user, in: call.directory)
                try await UserAdministration(context.ports).delete(found.id, soft: soft, call: call)
                if common.json {
                    Output.json(["deleted": .string(found.id.rawValue)])
                } else {
                    Output.line("deleted \(found.id)")
                }
            }
        }
    }

    /// The first line of standard input. How long a password may be says its policy; nobody's is longer than this.
    private static func password() throws -> Secret<String> {
        var lines = StandardInput.lines(limit: 64 << 10)
        switch try lines.next() {
        case nil, .whole([]): throw CommandFailure("give the password on standard input, or --passwordless", .usage)
        case .tooLong: throw CommandFailure("the password on standard input is too long", .badData)
        case .whole(var octets):
            if octets.last == UInt8(ascii: "\r") { octets.removeLast() }
            guard let text = String(strictUTF8: octets) else {
                throw CommandFailure("the password on standard input is no UTF-8", .badData)
            }
            return Secret(text)
        }
    }

    // MARK: Shared

    private static func change(
        _ user: String, to ban: UserAttributes.BanChange, _ common: CommonOptions, _ place: DirectoryOption
    ) async throws {
        let (context, call) = try await CommandContext.open(common, in: place)
        let found = try await UserFinder(context: context).find(user, in: call.directory)
        var attributes = UserAttributes()
        attributes.ban = ban
        let record = try await UserAdministration(context.ports).update(found.id, attributes, call: call)
        print(json(record.user), asJSON: common.json)
    }

    static func json(_ user: User) -> JSONObject {
        func time(_ instant: Instant?) -> JSONValue { instant.map { .string($0.rfc3339) } ?? .null }
        let damaged = user.damage.map { JSONValue.string($0.column) }
        return [
            "id": .string(user.id.rawValue),
            "externalIdentifiers": user.externalIdentifiers.isEmpty ? .null : .object(user.externalIdentifiers.json),
            "origin": .string(user.origin.rawValue),
            "email": user.email.map { .string($0.rawValue) } ?? .null,
            "emailVerifiedAt": time(user.emailVerifiedAt), "phone": user.phone.map { .string($0.e164) } ?? .null,
            "phoneVerifiedAt": time(user.phoneVerifiedAt), "hasPassword": .bool(user.passwordHash != nil),
            "anonymous": .bool(user.isAnonymous), "bannedUntil": time(user.bannedUntil),
            "lastSignInAt": time(user.lastSignInAt), "createdAt": time(user.createdAt),
            "deletedAt": time(user.deletedAt), "deletionDueAt": time(user.deletionDueAt),
            "appMetadata": .object(user.appMetadata),
            "userMetadata": .object(user.userMetadata), "dialects": .object(user.dialectData.json),
            "damaged": damaged.isEmpty ? .null : .array(damaged),
        ]
    }

    static func print(_ json: JSONObject, asJSON: Bool) {
        if asJSON {
            Output.json(.object(json))
        } else {
            for member in json.members where !member.value.isNull {
                Output.line("\(member.name): \(member.value.stringValue ?? member.value.text)")
            }
        }
    }
}
