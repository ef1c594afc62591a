// SPDX-License-Identifier: Apache-2.0

import Accounts

/// How the service says that a trigger said no (developer guide, "Customizing user pool workflows with Lambda
/// triggers").
enum TriggerError {
    /// - Parameters:
    ///   - said: what the program said.
    ///   - moment: ``HookMoment``, as the error's field has it.
    static func message(_ said: String, at moment: String?) -> String {
        let name = moment.flatMap { HookMoment(rawValue: $0) }.flatMap { Self.trigger(of: $0) } ?? "Trigger"
        let end = said.hasSuffix(".") ? "" : "."
        return "\(name) failed with error \(said)\(end)"
    }

    static func trigger(of moment: HookMoment) -> String? {
        switch moment {
        case .signUp: "PreSignUp"
        case .signIn: "PreAuthentication"
        case .token: "PreTokenGeneration"
        case .confirmed: "PostConfirmation"
        case .signedIn: "PostAuthentication"
        case .wording: "CustomMessage"
        case .migration: "UserMigration"
        case .challengeDefinition: "DefineAuthChallenge"
        case .challengeCreation: "CreateAuthChallenge"
        case .challengeAnswer: "VerifyAuthChallengeResponse"
        case .passwordAttempt, .factorAttempt, .mail, .text, .created: nil
        }
    }
}
