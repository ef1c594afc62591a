// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatchkeyClient

struct Reset: YogaCommand {
    static let configuration = CommandConfiguration(
        abstract: "A forgotten password: without a code one is mailed, with it the new password is set.")

    @Option(help: "The address.")
    var email: String
    @Option(help: "The code that was mailed.")
    var code: String?
    @Flag(help: "Read the new password from the standard input, as is done without this too.")
    var passwordStdin = false
    @OptionGroup var output: Output

    func act() async throws {
        let service = try await Studio.open(output: output).service
        guard let code else {
            try await service.beginRecovery(identifier: email)
            return output.show(UserMessage(.recoverySent).text(in: Output.language), ["sent": true])
        }
        let state = try await service.finishRecovery(
            identifier: email, proof: Secret(code), newPassword: try StandardInput.secret("The new password"))
        output.show("The password is set; \(state.line)", state.object)
    }
}
