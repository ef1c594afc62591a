// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AppAPI
import ArgumentParser
import AuthTypes

/// `latchkey client`: the apps that users of a Directory sign in to by the OpenID provider.
struct ClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "client", abstract: "Apps that sign users in by this server's OpenID provider.",
        subcommands: [
            Create.self, List.self, Show.self, Update.self, RotateSecret.self, AddSecret.self, RemoveSecret.self,
            Delete.self, RegistrationTokenCommand.self,
        ])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Register a client; its secret is shown once.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "What users are shown as the app's name.") var name: String
        @Flag(name: .customLong("public"), help: "An app that can't keep a secret: it has none, and must use PKCE.")
        var isPublic = false
        @OptionGroup var options: ClientOptions

        func run() async throws {
            try await reporting {
                var registration = try options.registration()
                registration.name = name
                if isPublic {
                    guard registration.authentication ?? .publicClient == .publicClient else {
                        throw CommandFailure("--auth-method: a public client has none", .usage)
                    }
                    registration.authentication = .publicClient
                }
                try await ClientCommand.change(common, place, showsSecret: true) { clients, call in
                    try await clients.register(registration, call: call)
                }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the clients, the oldest first.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption

        func run() async throws {
            try await reporting {
                let (context, call) = try await CommandContext.open(common, in: place)
                let clients = try await ClientAdministration(context.ports).list(call: call)
                Output.list(clients, under: ["ID", "NAME", "GRANTS", "PUBLIC", "CREATED"], asJSON: common.json) {
                    [
                        $0.id.rawValue, $0.name,
                        $0.settings.authorization.grants.map(\.rawValue).joined(separator: ","),
                        $0.isPublic ? "yes" : "no", $0.createdAt.rfc3339,
                    ]
                } object: {
                    ClientDocument.encode($0)
                }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show a client; never its secrets.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "The client's identifier.") var id: String

        func run() async throws {
            try await reporting {
                try await ClientCommand.change(common, place) { try await $0.get(ClientID(id), call: $1) }
            }
        }
    }

    struct Update: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change a client. What is not said stays; a list takes the place of the one before.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "The client's identifier.") var id: String
        @Option(help: "What users are shown as the app's name.") var name: String?
        @OptionGroup var options: ClientOptions

        func run() async throws {
            try await reporting {
                var registration = try options.registration()
                registration.name = name
                try await ClientCommand.change(common, place) { clients, call in
                    try await clients.update(ClientID(id), registration, call: call)
                }
            }
        }
    }

    struct RotateSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a client a new secret in place of all it has; it is shown once.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "The client's identifier.") var id: String

        func run() async throws {
            try await reporting {
                try await ClientCommand.change(common, place, showsSecret: true) {
                    try await $0.rotateSecret(of: ClientID(id), call: $1)
                }
            }
        }
    }

    struct AddSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a client a second secret, so that it can be brought to all machines; it is shown once.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "The client's identifier.") var id: String

        func run() async throws {
            try await reporting {
                try await ClientCommand.change(common, place, showsSecret: true) {
                    try await $0.addSecret(to: ClientID(id), call: $1)
                }
            }
        }
    }

    struct RemoveSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take one of a client's two secrets away.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "The client's identifier.") var id: String
        @Argument(help: "The secret's identifier, as `show` lists it.") var secret: String

        func run() async throws {
            try await reporting {
                try await ClientCommand.change(common, place) {
                    try await $0.removeSecret(ClientSecretID(secret), of: ClientID(id), call: $1)
                }
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete a client; the sessions that it has are refreshed no more.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "The client's identifier.") var id: String

        func run() async throws {
            try await reporting {
                let (context, call) = try await CommandContext.open(common, in: place)
                try await ClientAdministration(context.ports).delete(ClientID(id), call: call)
                if common.json { Output.json(["deleted": .string(id)]) } else { Output.line("deleted \(id)") }
            }
        }
    }

    /// Does something about one client, and prints what has become of it.
    private static func change(
        _ common: CommonOptions, _ place: DirectoryOption, showsSecret: Bool = false,
        _ body: (ClientAdministration, CallContext) async throws -> Client
    ) async throws {
        let (context, call) = try await CommandContext.open(common, in: place)
        let client = try await body(ClientAdministration(context.ports), call)
        let secret = showsSecret ? client.secrets.first?.text : nil
        let json = ClientDocument.encode(client, secret: secret)
        if common.json {
            Output.json(.object(json))
        } else {
            for member in json.members {
                Output.line("\(member.name): \(member.value.stringValue ?? member.value.text)")
            }
        }
        if secret != nil { Output.progress("client: the secret is not shown again") }
    }
}
