// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatchkeyClient

struct SignUp: YogaCommand {
    static let configuration = CommandConfiguration(abstract: "Make an account with a password.")

    @Option(help: "The address.")
    var email: String
    @Option(help: "The user's name.")
    var name: String?
    @Flag(help: "Read the password from the standard input, as is done without this too.")
    var passwordStdin = false
    @OptionGroup var agreement: Agreement
    @OptionGroup var output: Output

    func act() async throws {
        let service = try await Studio.open(output: output).service
        var request = SignUpRequest(identifier: email, password: try StandardInput.secret("The password"))
        request.attributes["name"] = name
        let (asked, agreement) = (request, agreement)
        let state = try await agreement.saying { () async throws(AuthError) in try await service.signUp(asked) }
        output.show(state.line, state.object)
    }
}

struct Confirm: YogaCommand {
    static let configuration = CommandConfiguration(abstract: "Confirm the address with the code that was mailed.")

    @Option(help: "The address.")
    var email: String
    @Option(help: "The code.")
    var code: String?
    @Flag(help: "Have another code mailed.")
    var resend = false
    @OptionGroup var output: Output

    func act() async throws {
        let studio = try await Studio.open(output: output)
        if resend {
            try await studio.service.resendConfirmation(to: email)
            // Not that it was: that would tell who has an account.
            return output.show(
                UserMessage(.confirmationSentAgain).text(in: Output.language), ["sent": true])
        }
        guard let code else { throw ValidationError("--code or --resend is needed") }
        let state = try await studio.service.confirmSignUp(identifier: email, code: Secret(code))
        output.show("Confirmed; \(state.line)", state.object)
    }
}
