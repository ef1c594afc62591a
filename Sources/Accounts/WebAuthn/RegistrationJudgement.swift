// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors

/// What an authenticator has made, judged before the transaction that keeps it: certificates are parsed and their
/// signatures verified meanwhile by nobody who holds up everybody else's writes.
struct RegistrationJudgement: Sendable {
    /// What was answered.
    let challenge: FactorChallengeID
    let outcome: Result<WebAuthnCredential, WebAuthnError>

    /// What comes of an answer, for ``taken(for:)``. Nothing is spent by it: the transaction asks anew whether the
    /// challenge is there, is the holder's and was not answered. What was asked does not change.
    ///
    /// - Parameters:
    ///   - holder: in what it was asked: nobody else's answer is judged.
    /// - Returns: `nil` where there is nothing to judge: no such challenge, or one that is no registration's.
    /// - Throws: ``AuthErrorCode/factorDisabled`` where nothing says for whom credentials are made, or whose are taken.
    init?(
        _ answer: JSONObject, to challenge: FactorChallengeID, in holder: String, _ call: CallContext,
        _ store: any AccountStoring
    ) async throws {
        guard let found = try await store.read({ try $0.factorChallenge(challenge, in: call.directory.id) }),
            found.holder == holder, found.usedAt == nil, call.now < found.expiresAt,
            let ceremony = WebAuthnCeremony(found.data, .registration)
        else { return nil }
        let (judgement, policy) = (try WebAuthnJudgement(call), try call.attestationPolicy())
        self.challenge = challenge
        do {
            outcome = .success(try judgement.registered(answer, to: ceremony, policy))
        } catch {
            outcome = .failure(error)
        }
    }

    /// The credential that was made in answer to a challenge.
    ///
    /// - Throws: why there is none; ``WebAuthnError/Code/ceremonyMismatch`` for another challenge's.
    func taken(for asked: FactorChallengeID) throws(WebAuthnError) -> WebAuthnCredential {
        guard asked == challenge else { throw WebAuthnError(.ceremonyMismatch) }
        return try outcome.get()
    }
}
