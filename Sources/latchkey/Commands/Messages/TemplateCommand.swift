// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import ArgumentParser
import AuthTypes
import Foundation

/// `latchkey template`: an operator's own words for mails and text messages.
struct TemplateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "template", abstract: "Your own words for mails and text messages.",
        subcommands: [List.self, Show.self, Set.self, Reset.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the kinds that have words of their own.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption

        func run() async throws {
            try await reporting {
                let context = try await CommandContext.open(common)
                let mail = try await context.directory(place).settings.mail
                let names = Swift.Set(
                    [mail.subjects, mail.bodies, mail.texts, mail.appLinks].flatMap(\.keys)
                ).sorted()
                Output.list(names, under: ["KIND", "SUBJECT", "HTML", "TEXT", "APP LINK"], asJSON: common.json) {
                    name in
                    let parts = Parts(of: name, in: mail)
                    return [name] + [parts.subject, parts.html, parts.text].map { $0 == nil ? "" : "own" }
                        + [parts.appLink ?? ""]
                } object: {
                    Parts(of: $0, in: mail).json
                }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the words of one kind.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "Such as recovery, or recovery.de for one language.") var kind: String

        func run() async throws {
            try await reporting {
                let context = try await CommandContext.open(common)
                let parts = Parts(of: kind, in: try await context.directory(place).settings.mail)
                guard parts.json.members.count > 1 else {
                    throw CommandFailure("\(kind): has the built-in words", .notFound)
                }
                if common.json { return Output.json(.object(parts.json)) }
                for member in parts.json.members { Output.line("\(member.name): \(member.value.stringValue ?? "")") }
            }
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set words; what is not given stays. They are checked before they are stored.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "Such as recovery, or recovery.de for one language.") var kind: String
        @Option(help: "The subject of the mail.") var subject: String?
        @Option(help: "A file with the mail's HTML.") var html: String?
        @Option(help: "A file with the text message.") var text: String?
        @Option(help: "Where the mail's link leads straight into the app, such as app://verify.") var appLink: String?

        func validate() throws {
            guard subject != nil || html != nil || text != nil || appLink != nil else {
                throw ValidationError("give --subject, --html, --text or --app-link")
            }
        }

        func run() async throws {
            try await reporting {
                let context = try await CommandContext.open(common)
                let directory = try await context.directory(place)
                let (html, text) = (try html.map(TemplateFolder.contents), try text.map(TemplateFolder.contents))
                let changed = try await DirectoryAdministration(context.ports).update(
                    directory.id, at: context.call(in: directory).now
                ) { [kind, subject, appLink] settings in
                    if let subject { settings.mail.subjects[kind] = subject }
                    if let html { settings.mail.bodies[kind] = html }
                    if let text { settings.mail.texts[kind] = text }
                    if let appLink { settings.mail.appLinks[kind] = appLink }
                }
                let parts = Parts(of: kind, in: changed.settings.mail)
                if common.json { return Output.json(.object(parts.json)) }
                Output.line("\(kind): set")
            }
        }
    }

    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take the built-in words again.")
        @OptionGroup var common: CommonOptions
        @OptionGroup var place: DirectoryOption
        @Argument(help: "Such as recovery, or recovery.de for one language.") var kind: String

        func run() async throws {
            try await reporting {
                let context = try await CommandContext.open(common)
                let directory = try await context.directory(place)
                try await DirectoryAdministration(context.ports).update(
                    directory.id, at: context.call(in: directory).now
                ) { [kind] settings in
                    settings.mail.subjects[kind] = nil
                    settings.mail.bodies[kind] = nil
                    settings.mail.texts[kind] = nil
                    settings.mail.appLinks[kind] = nil
                }
                if common.json { return Output.json(["name": .string(kind)]) }
                Output.line("\(kind): has the built-in words")
            }
        }
    }

    /// What a kind has of its own.
    private struct Parts {
        var name: String
        var subject: String?
        var html: String?
        var text: String?
        var appLink: String?

        init(of name: String, in mail: DirectorySettings.MailSettings) {
            self.name = name
            subject = mail.subjects[name]
            html = mail.bodies[name]
            text = mail.texts[name]
            appLink = mail.appLinks[name]
        }

        var json: JSONObject {
            var json: JSONObject = ["name": .string(name)]
            json["subject"] = subject.map { .string($0) }
            json["html"] = html.map { .string($0) }
            json["text"] = text.map { .string($0) }
            json["appLink"] = appLink.map { .string($0) }
            return json
        }
    }
}
