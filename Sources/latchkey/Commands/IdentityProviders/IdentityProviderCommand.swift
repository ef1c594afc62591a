// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AppAPI
import ArgumentParser
import AuthTypes

/// `latchkey identity-provider`: by whose word users of a Directory may sign in.
struct IdentityProviderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identity-provider", abstract: "Other people's identity providers that users may sign in by.",
        subcommands: [Create.self, List.self, Show.self, Update.self, Delete.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Configure an identity provider.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "google, apple, microsoft, github, facebook, or a name of your own.") var name: String
        @Option(help: "google, apple, microsoft, openid, github or facebook; the name's own if none is said.")
        var kind: String?
        @OptionGroup var options: IdentityProviderOptions

        func run() async throws {
            try await reporting {
                guard let kind = IdentityProvider.Kind(rawValue: kind ?? name) else {
                    let kinds = IdentityProvider.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                    throw CommandFailure("--kind: expected one of \(kinds)", .usage)
                }
                let change = try options.change()
                try await IdentityProviderCommand.change(common, place) { providers, call in
                    try await providers.create(name, kind: kind, call: call) { change.apply(to: &$0) }
                }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the identity providers by name.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption

        func run() async throws {
            try await reporting {
                let (context, call) = try await CommandContext.open(common, in: place)
                let providers = try await IdentityProviderAdministration(context.ports).list(call: call)
                Output.list(providers, under: ["NAME", "KIND", "CLIENTS", "ENABLED", "CREATED"], asJSON: common.json) {
                    [
                        $0.name, $0.kind.rawValue, $0.clientIDs.joined(separator: ","),
                        $0.isEnabled ? "yes" : "no", $0.createdAt.rfc3339,
                    ]
                } object: {
                    IdentityProviderDocument.encode($0)
                }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show an identity provider; never its secret.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "The provider's name.") var name: String

        func run() async throws {
            try await reporting {
                try await IdentityProviderCommand.change(common, place) { try await $0.get(name, call: $1) }
            }
        }
    }

    struct Update: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change an identity provider. What is not said stays; a list takes the place of the one before.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "The provider's name.") var name: String
        @OptionGroup var options: IdentityProviderOptions

        func run() async throws {
            try await reporting {
                let change = try options.change()
                try await IdentityProviderCommand.change(common, place) { providers, call in
                    try await providers.update(name, call: call) { change.apply(to: &$0) }
                }
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete an identity provider; nobody comes by it any more, and identities of it stay.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "The provider's name.") var name: String

        func run() async throws {
            try await reporting {
                let (context, call) = try await CommandContext.open(common, in: place)
                try await IdentityProviderAdministration(context.ports).delete(name, call: call)
                if common.json { Output.json(["deleted": .string(name)]) } else { Output.line("deleted \(name)") }
            }
        }
    }

    /// Does something about one provider, and prints what has become of it.
    private static func change(
        _ common: CommonOptions, _ place: DirectoryOption,
        _ body: (IdentityProviderAdministration, CallContext) async throws -> IdentityProvider
    ) async throws {
        let (context, call) = try await CommandContext.open(common, in: place)
        let json = IdentityProviderDocument.encode(
            try await body(IdentityProviderAdministration(context.ports), call))
        if common.json {
            Output.json(.object(json))
        } else {
            for member in json.members {
                Output.line("\(member.name): \(member.value.stringValue ?? member.value.text)")
            }
        }
    }
}
