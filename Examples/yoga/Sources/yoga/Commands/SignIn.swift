// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatchkeyClient

struct SignIn: YogaCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sign in with a password, or in a browser.",
        discussion: "A code or a new password that is asked for then is the next line of the standard input.")

    @Option(help: "The address, for a sign-in with a password.")
    var email: String?
    @Flag(help: "Read the password from the standard input, as is done without this too.")
    var passwordStdin = false
    @Option(help: "The provider whose pages a browser shows, such as google.")
    var with: String?
    @Flag(help: "Open the browser.")
    var open = false
    @OptionGroup var dialogue: Dialogue
    @OptionGroup var agreement: Agreement
    @OptionGroup var output: Output

    func act() async throws {
        let studio = try await Studio.open(opens: open, output: output)
        let service = studio.service
        let shown = try await proof(studio)
        var state = try await agreement.saying { () async throws(AuthError) in try await service.signIn(with: shown) }
        while case .awaiting(let step) = state {
            output.note(state.line)
            if let enrolment = step.enrolment { output.show(enrolment.line, enrolment.object) }
            let answer = try dialogue.answer(to: step, of: service)
            state = try await agreement.saying { () async throws(AuthError) in try await service.answer(answer) }
        }
        output.show(state.line, state.object)
    }

    private func proof(_ studio: Studio) async throws -> SignInProof {
        let provider = studio.settings.provider
        // A service without pages takes Google's own token.
        if provider == .firebase, with == "google", let google = studio.google {
            return .identityToken(
                try await google.signIn(nonce: Secret(Base64URL.encode(SystemRandomSource().bytes(32)))))
        }
        if provider.isBrowserOnly || with != nil {
            return .browser(provider: with, options: BrowserSignInOptions(loginHint: email))
        }
        guard let email else { throw ValidationError("--email or --with is needed") }
        return .password(identifier: email, password: try StandardInput.secret("The password"))
    }
}

struct SignOut: YogaCommand {
    static let configuration = CommandConfiguration(abstract: "Sign out, here first and then at the service.")

    @Flag(help: "End the user's other sessions too.")
    var everywhere = false
    @OptionGroup var output: Output

    func act() async throws {
        let studio = try await Studio.open(output: output)
        await studio.service.signOut(SignOutOptions(scope: everywhere ? .global : .local))
        output.show(studio.service.state.line, studio.service.state.object)
    }
}
