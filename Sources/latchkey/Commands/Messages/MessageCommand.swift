// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import ArgumentParser
import AuthTypes

/// `latchkey message`: what the outbox owes, has sent and had to give up.
struct MessageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "message", abstract: "Mails and text messages: what was sent, waits, or could not be delivered.",
        subcommands: [List.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List messages, the newest first, without what is in them. By default those that were given up.")
        /// How many are looked through.
        private static let most = 10_000

        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Option(help: "pending, sent, kept, failed or all.") var state = "failed"
        @Option(help: "Only those to an address or number.") var to: String?
        @Option(help: "How many at most.") var limit = 100

        func validate() throws {
            guard state == "all" || OutboxMessage.State(rawValue: state) != nil else {
                throw ValidationError("--state is pending, sent, kept, failed or all")
            }
            guard (1...Self.most).contains(limit) else { throw ValidationError("--limit is from 1 to \(Self.most)") }
        }

        func run() async throws {
            try await reporting {
                let context = try await CommandContext.open(common)
                let directory = try await context.directory(place)
                let wanted = OutboxMessage.State(rawValue: state)
                let found = try await OutboxInspection(context.ports).messages(
                    to: to, in: directory.id, limit: Self.most
                ).filter { message in
                    message.letter != nil && message.state != .discarded && (wanted == nil || message.state == wanted)
                }.prefix(limit)
                Output.list(
                    found, under: ["ID", "CHANNEL", "KIND", "TO", "STATE", "TRIES", "AT", "WHY"], asJSON: common.json
                ) { message in
                    [
                        message.id.rawValue, message.channel.rawValue, message.kind, message.recipient,
                        message.state.rawValue, String(message.attempts), message.createdAt.rfc3339,
                        message.lastError ?? "",
                    ]
                } object: {
                    Self.json($0)
                }
            }
        }

        private static func json(_ message: OutboxMessage) -> JSONObject {
            [
                "id": .string(message.id.rawValue), "channel": .string(message.channel.rawValue),
                "kind": .string(message.kind), "to": .string(message.recipient),
                "state": .string(message.state.rawValue), "attempts": .integer(Int64(message.attempts)),
                "createdAt": .string(message.createdAt.rfc3339),
                "dueAt": message.state == .pending ? .string(message.dueAt.rfc3339) : .null,
                "error": message.lastError.map { .string($0) } ?? .null,
            ]
        }
    }
}
