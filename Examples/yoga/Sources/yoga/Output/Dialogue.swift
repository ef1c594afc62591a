// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import LatchkeyClient

/// What a service asks between a proof and a session, answered by lines of the standard input.
struct Dialogue: ParsableArguments {
    @Option(help: "By which second factor to go on, by its kind or its identifier.")
    var factor: String?
    @Flag(help: "The line is a backup code, and no factor's.")
    var backupCode = false
    @Option(help: "What to set up where the service demands a second factor: authenticator, phone, email.")
    var setUp = "authenticator"
    @Option(help: "The number or address of what is set up.")
    var to: String?

    func answer(to step: AwaitedStep, of service: any AuthenticationService) throws -> StepAnswer {
        if backupCode, step.takesBackupCode { return .backupCode(try StandardInput.secret("The backup code")) }
        if let factor, let chosen = step.choices.first(where: { $0.id == factor || $0.kind?.rawValue == factor }) {
            return .choice(chosen.id)
        }
        switch step.kind {
        case .oneTimePassword, .code: return .code(try StandardInput.secret("The code"))
        case .newPassword: return .newPassword(try StandardInput.secret("The new password"), attributes: [:])
        case .choice: return .choice(try StandardInput.secret("The choice").reveal())
        case .enrolment:
            let label = AuthenticatorLabel(issuer: "Yoga", account: step.identifier ?? "you")
            return .enrolment(NewSecondFactor(try FactorKind(word: setUp), destination: to, label: label))
        case .passkey: return .passkey
        case .confirmation: throw AuthError(.emailNotVerified)
        case .linking: throw AuthError(.needsConfirmation)
        }
    }
}
