// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatchkeyClient

struct Remembered: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device", abstract: "What a user pool remembers of this device.",
        subcommands: [Forget.self, Remember.self])

    struct Forget: YogaCommand {
        static let configuration = CommandConfiguration(
            abstract: "Be asked here again as on a new device. The session goes on.")
        @OptionGroup var output: Output

        func act() async throws {
            let studio = try await Studio.open(output: output)
            guard let pool = studio.pool else { throw AuthError(.unsupported) }
            try await studio.service.withTokens { tokens -> SessionGrant in try await pool.forgetDevice(tokens) }
            output.show("It is forgotten.", ["forgotten": true])
        }
    }

    struct Remember: YogaCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let this device stand for the second factor, where the pool leaves that to you.")
        @Flag(help: "No longer.")
        var not = false
        @OptionGroup var output: Output

        func act() async throws {
            let studio = try await Studio.open(output: output)
            guard let pool = studio.pool else { throw AuthError(.unsupported) }
            let isRemembered = !not
            try await studio.service.withTokens { tokens in try await pool.rememberDevice(isRemembered, tokens) }
            output.show(isRemembered ? "It is remembered." : "It is not.", ["remembered": .bool(isRemembered)])
        }
    }
}
