// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import ArgumentParser
import AuthTypes
import FirebaseAPI

/// `latchkey service-account`: create, list, revoke. What Firebase's Admin SDKs are initialized with.
struct ServiceAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service-account",
        abstract: "Service accounts: the files by which Firebase's Admin SDKs administer and sign custom tokens.",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a key of an account; its file, with the private key, is printed once.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "The account's name: lower-case letters, digits and hyphens.") var account: String
        @Option(name: .customLong("scope"), help: "What it may do; any number of times.") var scopes: [String] = []
        @Option(help: "The URL of the server, where http.externalUrl does not say it.") var url: String?

        func run() async throws {
            try await reporting {
                let context = try await CommandContext.open(common)
                let url = try url.map { try ConfigurationLoader.httpURL($0) } ?? context.settings.externalURL
                guard let url else {
                    throw CommandFailure("--url: the file says where the server is; http.externalUrl does not", .usage)
                }
                let directory = try await context.directory(place)
                let (key, privateKey) = try await ServiceAccountAdministration(context.ports).create(
                    account, scopes: scopes, in: directory, at: context.now)
                let file = try ServiceAccountFile(key, privateKey: privateKey, in: directory, url: url)
                Output.json(.object(file.json.reveal()))
                Output.progress("service-account: key \(key.id) of \(account) created; it is not shown again")
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the keys of the accounts.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption

        func run() async throws {
            try await reporting {
                let context = try await CommandContext.open(common)
                let keys = try await ServiceAccountAdministration(context.ports)
                    .list(in: try await context.directory(place))
                Output.list(keys, under: ["KEY", "ACCOUNT", "SCOPES", "CREATED", "REVOKED"], asJSON: common.json) {
                    [
                        $0.id.rawValue, $0.account, $0.scopes.joined(separator: " "), $0.createdAt.rfc3339,
                        $0.revokedAt?.rfc3339 ?? "",
                    ]
                } object: {
                    ServiceAccountCommand.json($0)
                }
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke a key at once, with every access token it was given.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "The key's identifier: `private_key_id` of its file.") var id: String

        func run() async throws {
            try await reporting {
                let context = try await CommandContext.open(common)
                try await ServiceAccountAdministration(context.ports).revoke(
                    ServiceAccountKeyID(id), in: try await context.directory(place), at: context.now)
                if common.json { Output.json(["revoked": .string(id)]) } else { Output.line("revoked \(id)") }
            }
        }
    }

    static func json(_ key: ServiceAccountKey) -> JSONObject {
        [
            "id": .string(key.id.rawValue), "account": .string(key.account),
            "scopes": .array(key.scopes.map { .string($0) }), "createdAt": .string(key.createdAt.rfc3339),
            "revokedAt": key.revokedAt.map { .string($0.rfc3339) } ?? .null,
        ]
    }
}
