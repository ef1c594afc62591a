// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import ArgumentParser
import AuthTypes

/// `latchkey api-key`: create, list, revoke (C-6).
struct APIKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api-key", abstract: "Keys that programs use in place of a user's token.",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Create a key; it is shown once.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "What the key is for.") var name: String
        @Option(help: "publishable or secret.") var kind = "secret"
        @Option(help: "The form of the key: latchkey or supabase.") var form = "latchkey"
        @Option(name: .customLong("scope"), help: "What it may do; any number of times.") var scopes: [String] = []
        @Option(help: "Days until it expires.") var expiresInDays: Int64?

        func run() async throws {
            try await reporting {
                guard let kind = APIKey.Kind(rawValue: kind) else {
                    throw CommandFailure("--kind: expected publishable or secret", .usage)
                }
                guard ["latchkey", "supabase"].contains(form) else {
                    throw CommandFailure("--form: expected latchkey or supabase", .usage)
                }
                guard expiresInDays.map({ (1...36_500).contains($0) }) ?? true else {
                    throw CommandFailure("--expires-in-days: expected 1 to 36500", .usage)
                }
                let context = try await CommandContext.open(common)
                let directory = try await context.directory(place)
                let now = context.now
                let prefix = form == "supabase" ? (kind == .secret ? "sb_secret_" : "sb_publishable_") : nil
                let (key, secret) = try await APIKeyAdministration(context.ports).create(
                    kind, name: name, scopes: scopes, expiresAt: expiresInDays.map { now + .days($0) }, prefix: prefix,
                    in: directory, at: now)
                if common.json {
                    var json = APIKeyCommand.json(key)
                    json["key"] = .string(secret.reveal())
                    Output.json(.object(json))
                } else {
                    Output.line(secret.reveal())
                    Output.progress("api-key: \(key.id) created; it is not shown again")
                }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the keys by their first characters.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption

        func run() async throws {
            try await reporting {
                let context = try await CommandContext.open(common)
                let keys = try await APIKeyAdministration(context.ports).list(in: try await context.directory(place))
                Output.list(
                    keys, under: ["ID", "NAME", "KIND", "KEY", "SCOPES", "EXPIRES", "LAST USED", "REVOKED"],
                    asJSON: common.json
                ) {
                    [
                        $0.id.rawValue, $0.name, $0.kind.rawValue, $0.prefix + "…",
                        $0.scopes.joined(separator: " "),
                        $0.expiresAt?.rfc3339 ?? "", $0.lastUsedAt?.rfc3339 ?? "", $0.revokedAt?.rfc3339 ?? "",
                    ]
                } object: {
                    APIKeyCommand.json($0)
                }
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Revoke a key at once.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "The key's identifier.") var id: String

        func run() async throws {
            try await reporting {
                let context = try await CommandContext.open(common)
                try await APIKeyAdministration(context.ports).revoke(
                    APIKeyID(id), in: try await context.directory(place), at: context.now)
                if common.json { Output.json(["revoked": .string(id)]) } else { Output.line("revoked \(id)") }
            }
        }
    }

    static func json(_ key: APIKey) -> JSONObject {
        [
            "id": .string(key.id.rawValue), "name": .string(key.name), "kind": .string(key.kind.rawValue),
            "prefix": .string(key.prefix), "scopes": .array(key.scopes.map { .string($0) }),
            "createdAt": .string(key.createdAt.rfc3339),
            "expiresAt": key.expiresAt.map { .string($0.rfc3339) } ?? .null,
            "lastUsedAt": key.lastUsedAt.map { .string($0.rfc3339) } ?? .null,
            "revokedAt": key.revokedAt.map { .string($0.rfc3339) } ?? .null,
        ]
    }
}
