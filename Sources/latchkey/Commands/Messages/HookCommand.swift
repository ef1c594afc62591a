// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import ArgumentParser
import AuthTypes

/// `latchkey hook`: the operator's programs that are told and asked of what happens to accounts.
struct HookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hook", abstract: "Your programs that are told and asked of what happens (hooks.file).",
        subcommands: [List.self, Failures.self, NewSecret.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List what the file says; its secrets are not shown.")
        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await reporting {
                let hooks = try await common.configuration().hooks
                let rows =
                    hooks.subscriptions.map { subscription in
                        let types = subscription.events?.map(\.rawValue).sorted().joined(separator: " ") ?? "all"
                        return [subscription.directory, subscription.name, "events", types]
                    } + hooks.blocking.map { [$0.directory, $0.name, $0.dialect.rawValue, $0.moment.rawValue] }
                if common.json {
                    Output.json(
                        .array(
                            rows.map {
                                [
                                    "directory": .string($0[0]), "name": .string($0[1]), "kind": .string($0[2]),
                                    "what": .string($0[3]),
                                ]
                            }))
                } else {
                    Output.table(["DIRECTORY", "NAME", "KIND", "WHAT"], rows)
                }
            }
        }
    }

    struct Failures: AsyncParsableCommand {
        private static let most = 1000
        static let configuration = CommandConfiguration(
            abstract: "List the events that were given up, the newest first, with their texts.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption

        func run() async throws {
            try await reporting {
                let context = try await CommandContext.open(common)
                let directory = try await context.directory(place)
                let failed = try await OutboxInspection(context.ports).failedEvents(in: directory.id, limit: Self.most)
                Output.list(failed, under: ["ID", "TO", "TYPE", "SINCE", "TRIES", "ERROR"], asJSON: common.json) {
                    [
                        $0.id.rawValue, $0.recipient, $0.kind, $0.createdAt.rfc3339, "\($0.attempts)",
                        $0.lastError ?? "",
                    ]
                } object: {
                    Self.json($0)
                }
            }
        }

        private static func json(_ message: OutboxMessage) -> JSONObject {
            var object: JSONObject = [
                "id": .string(message.id.rawValue), "to": .string(message.recipient), "type": .string(message.kind),
                "createdAt": .string(message.createdAt.rfc3339), "attempts": .integer(Int64(message.attempts)),
                "error": message.lastError.map { .string($0) } ?? .null,
            ]
            if case .webhook(let event) = message.content { object["body"] = .object(event.body) }
            return object
        }
    }

    struct NewSecret: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "secret", abstract: "Print a new secret, for hooks.file and for your program.")

        func run() { Output.line(WebhookSecret.generate(random: SystemRandomSource())) }
    }
}
