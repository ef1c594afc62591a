// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import ArgumentParser
import AuthTypes
import Foundation

extension TermsCommand {
    /// `latchkey terms said`: what a user has agreed and consented to, when, in which version, and through what.
    struct Said: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "said", abstract: "Show what a user has agreed and consented to, the newest first.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Option(help: "Email address, phone number or identifier.") var user: String

        func run() async throws {
            try await reporting {
                let (context, call) = try await CommandContext.open(common, in: place)
                let found = try await UserFinder(context: context).find(user, in: call.directory)
                var all: [Agreement] = []
                var hasMore = true
                while hasMore {
                    let page = try await UserConsents(context.ports).history(
                        of: found.id, after: all.last?.position, limit: UserConsents.maximumLimit, call: call)
                    all += page.said
                    hasMore = page.hasMore
                }
                Output.list(
                    all, under: ["AT", "NAME", "VERSION", "GIVEN", "OCCASION", "DIALECT", "CLIENT"], asJSON: common.json
                ) {
                    [
                        $0.at.rfc3339, $0.terms.name, $0.terms.version, $0.isGiven ? "yes" : "no",
                        $0.occasion.rawValue, $0.dialect?.rawValue ?? "", $0.clientID?.rawValue ?? "",
                    ]
                } object: {
                    Self.json($0)
                }
            }
        }

        private static func json(_ said: Agreement) -> JSONObject {
            [
                "name": .string(said.terms.name), "version": .string(said.terms.version),
                "given": .bool(said.isGiven), "occasion": .string(said.occasion.rawValue),
                "dialect": said.dialect.map { .string($0.rawValue) } ?? .null,
                "client": said.clientID.map { .string($0.rawValue) } ?? .null, "at": .string(said.at.rfc3339),
            ]
        }
    }
}

/// A file of terms as an operator keeps it.
enum TermsFile {
    private static let maximumLength = 1 << 20

    /// - Throws: ``CommandFailure`` for a file that is not there, or no JSON.
    static func read(_ path: String) throws -> JSONValue {
        guard let data = FileManager.default.contents(atPath: path), data.count <= maximumLength,
            let value = try? JSONValue(parsing: Array(data), limits: JSONLimits(depth: 6, bytes: maximumLength))
        else { throw CommandFailure("\(path): no JSON file of up to a megabyte", .badData) }
        return value
    }
}
