// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Takes a challenge that an authenticator has answered: once, in the transaction that judges the answer.
struct WebAuthnSpending {
    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    /// - Parameters:
    ///   - holder: in what it was asked. What was asked in another is not found, and stays good there.
    ///   - known: what was read of it before this transaction: what was asked does not change, and whether it was
    ///     answered is found out by taking it.
    /// - Returns: ``AuthErrorCode/factorChallengeNotFound``, also for one that was answered;
    ///   ``AuthErrorCode/factorChallengeExpired``.
    func spend(
        _ id: FactorChallengeID, _ kind: WebAuthnCeremony.Kind, in holder: String, known: FactorChallenge? = nil
    ) throws -> Result<(challenge: FactorChallenge, ceremony: WebAuthnCeremony), AuthError> {
        guard let found = try known ?? step.tx.factorChallenge(id, in: step.directory), found.holder == holder,
            let ceremony = WebAuthnCeremony(found.data, kind), found.usedAt == nil,
            try step.tx.use(id, in: step.directory, at: step.now)
        else { return .failure(AuthError(.factorChallengeNotFound)) }
        guard step.now < found.expiresAt else { return .failure(AuthError(.factorChallengeExpired)) }
        return .success((found, ceremony))
    }
}
