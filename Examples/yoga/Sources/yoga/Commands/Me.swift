// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatchkeyClient

struct Me: YogaCommand {
    static let configuration = CommandConfiguration(abstract: "Who is signed in, asked of the app's API.")

    @OptionGroup var output: Output

    func act() async throws {
        let studio = try await Studio.open(output: output)
        // What a synchronization still owes is paid first: it is what the profile is made of.
        _ = try? await studio.queue?.flush()
        let me =
            studio.settings.api == nil ? try await studio.service.refreshUser().object : try await studio.api().me()
        let lines = me.members.compactMap { member in member.value.stringValue.map { "\(member.name): \($0)" } }
        output.show(lines.joined(separator: "\n"), me)
    }
}

struct Token: YogaCommand {
    static let configuration = CommandConfiguration(abstract: "An access token that is live now.")

    @Flag(help: "A new one, though the one that is there lives.")
    var anew = false
    @OptionGroup var output: Output

    func act() async throws {
        let service = try await Studio.open(output: output).service
        var given = try await service.accessToken()
        if anew { given = try await service.accessToken(insteadOf: given) }
        let token = given.reveal()
        output.show(token, ["accessToken": .string(token)])
    }
}
