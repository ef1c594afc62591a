// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `POST /signup`: with an email address or a phone number and a password, or anonymously with neither.
enum SignUpEndpoint {
    static func post(_ call: DialectCall) async throws -> Response {
        let metadata = try call.body.members("data") ?? [:]
        if try call.body.text("email") == nil, try call.body.text("phone") == nil {
            return try await anonymous(metadata, call)
        }
        let identifier = try call.identifier(
            exclusive: "Only an email address or phone number should be provided on signup.",
            missing: "To signup, please provide your email or phone number")
        guard let password = try call.body.secret("password") else {
            throw WireError.validation("Signup requires a valid password")
        }
        let challenge = try call.codeChallenge()
        let command = SignUpCommand(
            identifier: identifier, password: password, userMetadata: metadata, redirectTo: try call.redirectTo(),
            codeChallenge: challenge)
        let outcome: SignUpOutcome
        do {
            outcome = try await call.accounts.signUp(command, call: call.flow)
        } catch let error as AuthError where error.code == .emailExists || error.code == .phoneExists {
            throw WireError(.unprocessableContent, "user_already_exists", "User already registered")
        }
        switch outcome {
        case .signedIn(let next): return try await call.answer(next)
        // A stranger can't tell the two apart: the concealed user is made up, in the same shape.
        case .confirmationSent(let record), .concealed(let record): return call.answer(record)
        }
    }

    private static func anonymous(_ metadata: JSONObject, _ call: DialectCall) async throws -> Response {
        guard call.flow.settings.signUp.anonymousEnabled else { throw AuthError(.anonymousDisabled) }
        return try await call.answer(call.accounts.anonymousSignUp(userMetadata: metadata, call: call.flow))
    }
}
