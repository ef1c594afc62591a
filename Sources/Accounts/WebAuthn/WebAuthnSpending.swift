// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Takes a challenge that an authenticator has answered: once, in the transaction that judges the answer.
struct WebAuthnSpending {
    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    /// - Parameter holder: in what it was asked. What was asked in another is not found, and stays good there.
    /// - Returns: ``AuthErrorCode/factorChallengeNotFound``, also for one that was answered;
    ///   ``AuthErrorCode/factorChallengeExpired``.
    func spend(
        _ id: FactorChallengeID, _ kind: WebAuthnCeremony.Kind, in holder: String
    ) throws -> Result<(challenge: FactorChallenge, ceremony: WebAuthnCeremony), AuthError> {
        guard let found = try step.tx.factorChallenge(id, in: step.directory), found.holder == holder,
            let ceremony = WebAuthnCeremony(found.data, kind), found.usedAt == nil,
            try step.tx.use(id, in: step.directory, at: step.now)
        else { return .failure(AuthError(.factorChallengeNotFound)) }
        guard step.now < found.expiresAt else { return .failure(AuthError(.factorChallengeExpired)) }
        return .success((found, ceremony))
    }
}
