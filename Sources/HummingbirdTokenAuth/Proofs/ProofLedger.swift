// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import TokenVerifier

/// What an API keeps so that a proof works once (RFC 9449, section 11.1), and what it gives clients to put into them.
public protocol ProofLedger: Sendable {
    /// Spends a proof. Whether it was unspent until now: of two requests at once one gets `true`.
    ///
    /// - Throws: `TokenError.Code.keysUnavailable` where that can't be said now; the answer is 503.
    func spend(_ proof: DPoPProof, of token: VerifiedToken, at now: Instant) async throws(TokenError) -> Bool
    /// The nonces that proofs of this token's client may have; `nil` where none are given out, and what a proof says is
    /// not looked at. Every process that answers requests must have the same.
    func nonces(for token: VerifiedToken) -> DPoPNonces?
    /// Whether a proof without a nonce is refused.
    func requiresNonce(for token: VerifiedToken) -> Bool
}

extension ProofLedger {
    /// None.
    public func nonces(for _: VerifiedToken) -> DPoPNonces? { nil }
    /// It is not.
    public func requiresNonce(for _: VerifiedToken) -> Bool { false }
}
