// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AppAPI
import ArgumentParser
import AuthTypes

/// `latchkey client registration-token`: what lets programs register themselves as clients (RFC 7591).
struct RegistrationTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "registration-token", abstract: "What lets programs register themselves as clients (RFC 7591).",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make a token; it is shown once.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "What the token is for.") var name: String
        @Option(help: "How many clients may be registered by it; 0 for any number.") var uses: Int64 = 1
        @Option(help: "Seconds until it expires; without, it is good until it is revoked.") var expiresIn: Int64?
        @Option(
            name: .customLong("grant"), parsing: .upToNextOption,
            help: "Grants that a client may have; authorization_code and refresh_token if none is said.")
        var grants: [String] = []
        @Option(
            name: .customLong("scope"), parsing: .upToNextOption,
            help: "Scopes that a client may have; those of OpenID Connect if none is said.")
        var scopes: [String] = []
        @Option(
            name: .customLong("redirect-host"), parsing: .upToNextOption,
            help: "Hosts that users may be sent back to, `scheme:` for an app's own, or `*`; this machine's if none.")
        var redirectHosts: [String] = []

        func run() async throws {
            try await reporting {
                let (context, call) = try await CommandContext.open(common, in: place)
                let grants: [ClientAuthorization.Grant]? = try ClientOptions.words(grants)?.map {
                    try ClientOptions.choice("--grant", $0)
                }
                let (token, text) = try await InitialAccessTokens(context.ports).create(
                    name: name, grants: grants ?? [.code, .refreshToken],
                    scopes: ClientOptions.words(scopes) ?? ClientRegistration.usualScopes, redirectHosts: redirectHosts,
                    uses: uses == 0 ? nil : uses, lifetime: expiresIn.map { .seconds($0) }, call: call)
                if common.json {
                    Output.json(.object(InitialAccessTokenDocument.encode(token, text: text)))
                } else {
                    Output.line(text.reveal())
                    Output.progress("client: \(token.id) created; it is not shown again")
                }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the tokens, the oldest first; never their text.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption

        func run() async throws {
            try await reporting {
                let (context, call) = try await CommandContext.open(common, in: place)
                let tokens = try await InitialAccessTokens(context.ports).list(call: call)
                Output.list(
                    tokens, under: ["ID", "NAME", "GRANTS", "SCOPES", "HOSTS", "USES LEFT", "EXPIRES", "REVOKED"],
                    asJSON: common.json
                ) {
                    [
                        $0.id.rawValue, $0.name, $0.grants.map(\.rawValue).joined(separator: ","),
                        $0.scopes.joined(separator: " "), $0.redirectHosts.joined(separator: " "),
                        $0.usesLeft.map(String.init) ?? "any", $0.expiresAt?.rfc3339 ?? "",
                        $0.revokedAt?.rfc3339 ?? "",
                    ]
                } object: {
                    InitialAccessTokenDocument.encode($0)
                }
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revoke a token at once; clients that were registered by it stay.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "The token's identifier.") var id: String

        func run() async throws {
            try await reporting {
                let (context, call) = try await CommandContext.open(common, in: place)
                try await InitialAccessTokens(context.ports).revoke(InitialAccessTokenID(id), call: call)
                if common.json { Output.json(["revoked": .string(id)]) } else { Output.line("revoked \(id)") }
            }
        }
    }
}
