// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

// `MFA_SETUP`: the pool wants a second factor of a user who has none, before it gives a session.
extension CognitoBackend {
    /// `AssociateSoftwareToken` by the challenge's session.
    func associate(_ new: NewSecondFactor, for step: AwaitedStep) async throws(AuthError) -> SignInStep {
        var ticket = step.ticket.reveal()
        let answer = try await api.call(
            "AssociateSoftwareToken", ["Session": .string(ticket["session"] ?? "")], for: .signIn)
        ticket["session"] = answer.members["Session"]?.stringValue ?? ticket["session"]
        ticket["name"] = new.name
        let enrolment = try Self.enrolment(new, of: answer)
        return .awaiting(
            AwaitedStep(
                kind: .oneTimePassword, identifier: step.identifier, enrolment: enrolment,
                lifetime: configuration.challengeLifetime, ticket: Secret(ticket)))
    }

    /// `VerifySoftwareToken`, and then the answer to the challenge. Both take the session that the one before has
    /// given.
    func verify(
        _ enrolment: FactorEnrolment, with code: Secret<String>, of step: AwaitedStep
    ) async throws(AuthError) -> SignInStep {
        let ticket = step.ticket.reveal()
        var input: JSONObject = [
            "Session": .string(ticket["session"] ?? ""), "UserCode": .string(code.reveal()),
        ]
        if let name = ticket["name"] { input["FriendlyDeviceName"] = .string(name) }
        let verified = try await api.call("VerifySoftwareToken", input, for: .factor)
        guard verified.members["Status"] == "SUCCESS" else { throw AuthError(.factorCodeInvalid) }
        let username = ticket["username"] ?? ""
        var (next, following) = (step, ticket)
        following["session"] = verified.members["Session"]?.stringValue
        next.ticket = Secret(following)
        return try await go(on: next, "MFA_SETUP", ["USERNAME": username], for: .signIn)
    }

    /// Where codes are to go, which the service sends one to at once.
    static func recipient(of new: NewSecondFactor) throws(AuthError) -> [String: String] {
        switch (new.kind, new.destination) {
        case (.phone, let number?): return ["PHONE_NUMBER": number]
        case (.email, let address?): return ["EMAIL": address]
        case (.phone, nil): throw AuthError(.invalidPhone, field: "destination")
        case (.email, nil): throw AuthError(.invalidEmail, field: "destination")
        default: throw AuthError(.unsupported, reason: "the pool has no such second factor")
        }
    }

    static func enrolment(
        _ new: NewSecondFactor, of answer: CognitoAPI.Answer
    ) throws(AuthError) -> FactorEnrolment {
        guard let text = answer.members["SecretCode"]?.stringValue, (16...1024).contains(text.utf8.count) else {
            throw AuthError(.unavailable, reason: "the service gave no secret")
        }
        let secret = Secret(text)
        var ticket: [String: String] = [:]
        ticket["name"] = new.name
        return FactorEnrolment(
            kind: .authenticator, secret: secret, uri: new.label?.uri(of: secret), ticket: Secret(ticket))
    }
}
