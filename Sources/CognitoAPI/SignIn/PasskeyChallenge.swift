// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit

/// `WEB_AUTHN` of `USER_AUTH`: whoever is named signs in by a passkey. Its `Session` is the name of what their
/// authenticator is asked, and of somebody without a passkey one is asked for that there is none of.
enum PasskeyChallenge {
    static func begin(_ identifier: SignInIdentifier, _ call: DialectCall) async throws -> JSONObject {
        let question = try await call.accounts.passkeySignIn.begin(
            as: identifier, boundTo: try await holder(identifier, call), call: call.flow)
        return [
            "ChallengeName": "WEB_AUTHN", "Session": .string(question.challenge.id.rawValue),
            // JSON within a text.
            "ChallengeParameters": [
                "CREDENTIAL_REQUEST_OPTIONS": .string(JSONValue.object(question.options).text)
            ],
        ]
    }

    static func answer(
        _ identifier: SignInIdentifier, _ call: DialectCall, _ responses: Parameters
    ) async throws -> JSONObject {
        let session = try call.input.required(FactorSession.member)
        let text = try responses.required("CREDENTIAL")
        guard let credential = try? JSONObject(parsing: text.utf8, limits: RequestReading.limits) else {
            throw WireError.parameter("CREDENTIAL is not a JSON object.")
        }
        guard ChosenSignIn.Way.allowed(by: call).contains(.passkey) else { throw AuthError(.flowNotAllowed) }
        do {
            return try await call.answer(
                try await call.accounts.passkeySignIn(
                    FactorChallengeID(session), credential, boundTo: try await holder(identifier, call),
                    call: call.flow))
        } catch let error as AuthError {
            switch error.code {
            case .factorChallengeNotFound: throw FactorSession.invalid
            case .factorChallengeExpired: throw AuthError(.flowStateExpired)
            default: throw error
            }
        }
    }

    /// Whoever begins and whoever answers name the same user, by whichever of their names.
    private static func holder(_ identifier: SignInIdentifier, _ call: DialectCall) async throws -> String {
        try await call.find(identifier)?.id.rawValue ?? identifier.name
    }
}
