// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import ArgumentParser
import AuthTypes

/// `latchkey demo`: a user with 250 activities to try the app with.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Create a demo user with 250 yoga activities and print its sign-in.")
    @OptionGroup var common: CommonOptions
    @OptionGroup var place: DirectoryOption
    @Option(help: "The user's address.") var email = DevelopmentMode.demoEmail
    @Option(help: "The user's password; made up where none is given.") var password: String?

    func run() async throws {
        try await reporting {
            let context = try await CommandContext.open(common, creating: true)
            // On a new database the default directory is made on the way.
            let directory = try await DirectoryAdministration(context.ports).ensure(
                name: place.directory, at: context.now)
            let password = password ?? "Demo-" + Hex.encode(context.ports.random.bytes(6)) + "-7X"
            let outcome = try await DemoData(context.ports).make(
                email: try EmailAddress(email), password: Secret(password), call: context.call(in: directory))
            if common.json {
                Output.json([
                    "id": .string(outcome.user.id.rawValue), "email": .string(email), "password": .string(password),
                    "activitiesAdded": .integer(Int64(outcome.activitiesAdded)), "created": .bool(outcome.isNewUser),
                ])
            } else {
                Output.line("email     \(email)")
                Output.line("password  \(password)")
                Output.progress("demo: \(outcome.activitiesAdded) activities added")
            }
        }
    }
}
