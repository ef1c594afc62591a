// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `POST /signup`: with an email address or a phone number and a password, or anonymously with neither.
///
/// The order of refusals is the platform's: whether anybody may sign up, the password, the form of the request, whether
/// this way of signing up is open, and the form of the address.
enum SignUpEndpoint {
    static func post(_ call: DialectCall) async throws -> Response {
        let metadata = try call.body.members("data") ?? [:]
        let (email, phone) = (try call.body.text("email"), try call.body.text("phone"))
        guard email != nil || phone != nil else { return try await anonymous(metadata, call) }
        let settings = call.flow.settings.signUp
        guard settings.enabled else { throw AuthError(.signUpDisabled) }
        guard let password = try call.body.secret("password") else {
            throw WireError.validation("Signup requires a valid password")
        }
        try call.flow.requireAcceptable(password, email: email.flatMap { try? EmailAddress($0) })
        guard
            let given = try GivenIdentifier(
                call.body, exclusive: "Only an email address or phone number should be provided on signup.")
        else { throw WireError.validation("To signup, please provide your email or phone number") }
        if case .phone = given {
            try MessageChannel.check(call.body)
            guard try call.body.text("code_challenge") == nil else {
                throw WireError.validation("PKCE not supported for phone signups")
            }
        }
        let challenge = try call.codeChallenge()
        try given.requireOpen(settings, else: .signUp)
        let command = SignUpCommand(
            identifier: try given.parsed(), password: password, userMetadata: metadata,
            redirectTo: try call.redirectTo(), codeChallenge: challenge)
        let outcome: SignUpOutcome
        do {
            outcome = try await call.accounts.signUp(command, call: call.flow)
        } catch let error as AuthError where error.code == .emailExists || error.code == .phoneExists {
            throw WireError(.unprocessableContent, "user_already_exists", "User already registered", told: error.code)
        }
        switch outcome {
        case .signedIn(let next): return try await call.answer(next)
        // A stranger can't tell the two apart: the concealed user is made up, in the same shape.
        case .confirmationSent(let record), .unconfirmed(let record), .concealed(let record):
            return call.answer(record)
        }
    }

    private static func anonymous(_ metadata: JSONObject, _ call: DialectCall) async throws -> Response {
        guard call.flow.settings.signUp.anonymousEnabled else { throw AuthError(.anonymousDisabled) }
        return try await call.answer(call.accounts.anonymousSignUp(userMetadata: metadata, call: call.flow))
    }
}
