// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird

/// What is other at `/factors/{id}` where the factor is a security key (`factor_type` is `webauthn`). What a request
/// says of the relying party is passed over, as on the platform: the Directory says who it is.
enum SecurityKeyEndpoints {
    private enum Ceremony: String {
        case create
        case request
    }

    /// `POST /factors/{id}/challenge`: to make a credential for a factor that is being set up, and else to use it.
    static func challenge(_ factor: Factor, of user: AuthenticatedUser, _ call: DialectCall) async throws -> Response {
        let question = try await call.accounts.challengeFactor.webAuthn(factor.id, of: user, call: call.flow)
        let ceremony: Ceremony = question.isRegistration ? .create : .request
        return Answer.object([
            "id": .string(question.challenge.id.rawValue), "type": .string(factor.kind.rawValue),
            "expires_at": .integer(question.challenge.expiresAt.seconds),
            "webauthn": [
                "type": .string(ceremony.rawValue), "credential_options": ["publicKey": .object(question.options)],
            ],
        ])
    }

    /// `POST /factors/{id}/verify`. A client of the vendor's leaves out which of the two it is.
    static func verify(
        _ factor: Factor, _ challenge: FactorChallengeID, of user: AuthenticatedUser, _ call: DialectCall
    ) async throws -> Response {
        guard let shown = try call.body.members("webauthn") else {
            throw WireError.validation("WebAuthn config required")
        }
        let expected: Ceremony = factor.isVerified ? .request : .create
        let type = shown["type"] ?? .null
        guard type.isNull || type.stringValue.flatMap(Ceremony.init) == expected else {
            throw WireError.validation("WebAuthn type must be \(expected.rawValue)")
        }
        guard let credential = shown["credential_response"]?.objectValue else {
            throw WireError.validation("credential_response required")
        }
        do {
            let issued = try await FactorEndpoints.said(.forbidden, "AAL2 required to verify a new factor") {
                try await call.accounts.stepUp(
                    .webAuthn(credential, of: factor.id, challenge: challenge), of: user, call: call.flow)
            }
            return try await call.answer(issued)
        } catch let error as AuthError {
            switch error.code {
            case .factorCodeInvalid:
                throw WireError(
                    .unprocessableContent, "mfa_verification_failed", "The authenticator's response does not hold")
            // The platform keeps none that was answered.
            case .factorCodeUsed: throw AuthError(.factorChallengeNotFound)
            case .factorExists:
                throw WireError(
                    .unprocessableContent, "webauthn_credential_exists", "This credential is already registered")
            default: throw error
            }
        }
    }
}
