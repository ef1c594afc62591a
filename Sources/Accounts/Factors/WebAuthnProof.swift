// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors

/// A second factor that is proved, or made, by an authenticator: for ``FactorCheck``, which has found the factor and
/// the challenge.
struct WebAuthnProof {
    private let step: FlowStep
    private let judged: RegistrationJudgement?

    /// - Parameter judged: what an authenticator has made, for one that is being set up.
    init(_ step: FlowStep, _ judged: RegistrationJudgement?) {
        self.step = step
        self.judged = judged
    }

    /// - Parameter challenge: what was asked of the factor, and is spent.
    /// - Returns: the factor as it is to be kept; ``AuthErrorCode/factorCodeInvalid``, and
    ///   ``AuthErrorCode/factorExists`` for a credential that is somebody's already. Nobody can guess an answer, so
    ///   that a wrong one is noted and not counted.
    func take(
        _ answer: JSONObject, of factor: Factor, to challenge: FactorChallenge
    ) throws -> Result<Factor, AuthError> {
        var proved = factor
        var isPossiblyCloned = false
        do {
            switch factor.credential {
            case .newWebAuthn:
                guard let made = try judged?.taken(for: challenge.id) else { throw WebAuthnError(.ceremonyMismatch) }
                guard try step.tx.factor(credential: made.id, in: step.directory) == nil else {
                    return .failure(AuthError(.factorExists, field: "credential"))
                }
                proved.credential = .webAuthn(made)
            case .webAuthn(let credential):
                let assertion = try WebAuthnJudgement(step.call).asserted(
                    try AuthenticationResponse(answer), to: try Self.ceremony(challenge, .authentication),
                    by: credential, isUserKnown: true)
                proved.credential = .webAuthn(credential.noting(assertion))
                isPossiblyCloned = assertion.isPossiblyCloned
            case .totp, .phone, .email, .unreadable: throw WebAuthnError(.ceremonyMismatch)
            }
        } catch let error as WebAuthnError {
            try record(error.code, factor)
            return .failure(AuthError(.factorCodeInvalid))
        }
        if isPossiblyCloned { try record(.counterRegressed, factor) }
        return .success(proved)
    }

    private func record(_ reason: WebAuthnError.Code, _ factor: Factor) throws {
        var details = FactorCheck.details(factor)
        details["reason"] = .string(reason.rawValue)
        try step.record(.factorFailed, user: factor.userID, details: details)
    }

    private static func ceremony(
        _ challenge: FactorChallenge, _ kind: WebAuthnCeremony.Kind
    ) throws(WebAuthnError) -> WebAuthnCeremony {
        guard let ceremony = WebAuthnCeremony(challenge.data, kind) else { throw WebAuthnError(.ceremonyMismatch) }
        return ceremony
    }
}
