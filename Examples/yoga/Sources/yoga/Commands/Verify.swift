// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatchkeyClient

struct Verify: YogaCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show who you are once more, and by a second factor where you have one.",
        discussion: """
            In the session that is there, where the service knows that; else by signing in anew, with the password as the next \
            line of the standard input. Codes are the lines after it.
            """)

    @Flag(help: "Sign in anew, also where the session could be raised.")
    var anew = false
    @OptionGroup var dialogue: Dialogue
    @OptionGroup var output: Output

    func act() async throws {
        let studio = try await Studio.open(output: output)
        try await Self.verify(studio, anew: anew, dialogue, output)
        output.show("It is you.", ["verified": true])
    }

    static func verify(_ studio: Studio, anew: Bool, _ dialogue: Dialogue, _ output: Output) async throws {
        let service = studio.service
        var step = anew ? nil : try await raising(service)
        if step == nil { step = try await service.reauthenticate(with: try proof(studio)) }
        while let asked = step {
            output.note("awaiting \(asked.word)")
            step = try await service.raise(asked, with: try dialogue.answer(to: asked, of: service))
        }
    }

    /// `nil` where the service raises no session that is there, or there is nothing to raise it by.
    private static func raising(_ service: SessionService) async throws -> AwaitedStep? {
        let refusal: AuthError
        do throws(AuthError) { return try await service.beginStepUp() } catch { refusal = error }
        guard refusal.code == .unsupported || refusal.code == .factorNotFound else { throw refusal }
        return nil
    }

    private static func proof(_ studio: Studio) throws -> SignInProof {
        if studio.settings.provider.isBrowserOnly { return .browser(provider: nil, options: BrowserSignInOptions()) }
        guard case .signedIn(let user) = studio.service.state, let email = user.email else {
            throw AuthError(.notSignedIn)
        }
        return .password(identifier: email, password: try StandardInput.secret("The password"))
    }
}
