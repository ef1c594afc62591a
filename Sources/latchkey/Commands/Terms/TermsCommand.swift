// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import ArgumentParser
import AuthTypes

/// `latchkey terms`: what users are asked to agree to, for an operator to publish, and to show who has agreed to what.
struct TermsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "terms", abstract: "Terms and purposes that users are asked to agree to, in their versions.",
        subcommands: [List.self, Publish.self, Demand.self, Withdraw.self, Said.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List every version that was published.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption

        func run() async throws {
            try await reporting {
                let (context, call) = try await CommandContext.open(common, in: place)
                TermsCommand.show(try await TermsAdministration(context.ports).list(call: call), common)
            }
        }
    }

    struct Publish: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Publish the versions of a file, all or none. Those that are there in the same words are left.",
            discussion: """
                The file is JSON: an array, or an object whose "terms" is one, of
                {"name": "terms-of-service", "version": "2026-11", "kind": "document" or "purpose", "demanded": true,
                 "effectiveAt": "2026-12-01T00:00:00Z", "texts": {"en": {"title": "Terms", "url": "https://…"}}}.
                Without effectiveAt a version takes effect at once.
                """)
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "The file.") var file: String

        func run() async throws {
            try await reporting {
                let drafts = try TermsDraft.list(try TermsFile.read(file))
                let (context, call) = try await CommandContext.open(common, in: place)
                let published = try await TermsAdministration(context.ports).publish(drafts, call: call)
                TermsCommand.show(published, common)
            }
        }
    }

    struct Demand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set whether a sign-in demands a version, while it is the current one.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "The document's name.") var name: String
        @Argument(help: "Its version.") var version: String
        @Flag(help: "Demand it no more.") var off = false

        func run() async throws {
            try await reporting {
                let reference = try TermsCommand.reference(name, version)
                let (context, call) = try await CommandContext.open(common, in: place)
                let terms = try await TermsAdministration(context.ports).demand(!off, of: reference, call: call)
                TermsCommand.show([terms], common)
            }
        }
    }

    struct Withdraw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take back a version that has not taken effect.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "The document's name.") var name: String
        @Argument(help: "Its version.") var version: String

        func run() async throws {
            try await reporting {
                let reference = try TermsCommand.reference(name, version)
                let (context, call) = try await CommandContext.open(common, in: place)
                try await TermsAdministration(context.ports).withdraw(reference, call: call)
                if common.json { Output.json(["withdrawn": .string(version)]) } else { Output.line("withdrawn") }
            }
        }
    }

    /// One whom there can't be is not there.
    fileprivate static func reference(_ name: String, _ version: String) throws(AuthError) -> TermsReference {
        guard let reference = TermsReference(name: name, version: version) else {
            throw AuthError(.notFound, reason: "no such version", field: "version")
        }
        return reference
    }

    fileprivate static func show(_ terms: [Terms], _ common: CommonOptions) {
        Output.list(terms, under: ["NAME", "VERSION", "KIND", "DEMANDED", "FROM", "TITLE"], asJSON: common.json) {
            [
                $0.name, $0.version, $0.kind.rawValue, $0.isDemanded ? "yes" : "no", $0.effectiveAt.rfc3339,
                $0.text(in: .en)?.title ?? "",
            ]
        } object: {
            $0.json
        }
    }
}
