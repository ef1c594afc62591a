// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import ArgumentParser
import AuthTypes
import JOSE

/// `latchkey signing-key`: list, rotate, remove.
struct SigningKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signing-key", abstract: "The keys that sign a directory's tokens.",
        subcommands: [List.self, Rotate.self, Remove.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the keys; never their secrets.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption

        func run() async throws {
            try await reporting {
                let context = try await CommandContext.open(common)
                try await SigningKeyCommand.print(context, try await context.directory(place), json: common.json)
            }
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make the standby key sign; the old one stays published until its last token has expired.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Option(help: "Which keys, as `list` calls them: tokens, compatibility (RS256), session_cookies or api_keys.")
        var purpose = SigningKeyRecord.Purpose.tokens.rawValue
        @Flag(help: "Do not wait until every verifier has seen the standby key.") var now = false

        func run() async throws {
            try await reporting {
                guard let purpose = SigningKeyRecord.Purpose(rawValue: purpose) else {
                    throw CommandFailure(
                        "--purpose: expected tokens, compatibility, session_cookies or api_keys", .usage)
                }
                let context = try await CommandContext.open(common)
                let directory = try await context.directory(place)
                let outcome = try await context.keys.rotate(
                    directory, purpose: purpose, immediately: now, at: context.now)
                let keys = try await context.keys.list(directory)
                Output.progress("signing-key: \(Self.told(outcome, keys, at: context.now))")
                try await SigningKeyCommand.print(context, directory, json: common.json)
            }
        }

        private static func told(
            _ outcome: KeyRing.RotationOutcome, _ keys: [SigningKeySummary], at now: Instant
        ) -> String {
            switch outcome {
            case .rotated(let key, let former, let retiresAt):
                let until = retiresAt.map { "until \($0.rfc3339)" } ?? "until it is removed"
                let rest =
                    former.isEmpty ? "" : "; \(former.map(\.rawValue).joined(separator: ", ")) stays published \(until)"
                // A key that was made a moment ago leaves signing to the one before it until every server has read it.
                let activatedAt = keys.first { $0.id == key }?.activatedAt ?? now
                let start =
                    activatedAt > now ? "from \(activatedAt.rfc3339) on, the former one until then" : "from now on"
                return "\(key.rawValue) signs \(start)\(rest)"
            case .published(let key, let readyAt):
                return "\(key.rawValue) is published and stands by; it may sign from \(readyAt.rfc3339) on"
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a key that no longer signs: what it signed is refused from now on.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "The key's identifier.") var kid: String

        func run() async throws {
            try await reporting {
                let context = try await CommandContext.open(common)
                let directory = try await context.directory(place)
                try await context.keys.remove(SigningKeyID(kid), of: directory, at: context.now)
                try await SigningKeyCommand.print(context, directory, json: common.json)
            }
        }
    }

    private static func print(_ context: CommandContext, _ directory: Directory, json: Bool) async throws {
        let keys = try await context.keys.list(directory)
        if json {
            Output.json(
                .array(
                    keys.map {
                        [
                            "kid": .string($0.id.rawValue), "purpose": .string($0.purpose.rawValue),
                            "algorithm": .string($0.algorithm), "state": .string($0.state.rawValue),
                            "createdAt": .string($0.createdAt.rfc3339),
                            "retiresAt": $0.retiresAt.map { .string($0.rfc3339) } ?? .null,
                        ]
                    }))
        } else {
            Output.table(
                ["KID", "PURPOSE", "ALGORITHM", "STATE", "CREATED", "RETIRES"],
                keys.map {
                    [
                        $0.id.rawValue, $0.purpose.rawValue, $0.algorithm, $0.state.rawValue, $0.createdAt.rfc3339,
                        $0.retiresAt?.rfc3339 ?? "",
                    ]
                })
        }
    }
}
