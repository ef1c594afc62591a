// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import HummingbirdTokenAuth
import ServerKit
import TokenVerifier

/// The proofs of keys that tokens of ours are bound to: spent in the store, since any process may be shown one again,
/// and with the nonces that the token endpoint of the same Directory gives out.
struct StoredProofs: ProofLedger {
    let accounts: AccountFlows

    func spend(_ proof: DPoPProof, of token: VerifiedToken, at _: Instant) async throws(TokenError) -> Bool {
        guard let directory = directory(of: token) else { return false }
        do {
            return try await accounts.spendProof(proof.identifier, in: directory.id, until: proof.expiresAt)
        } catch {
            throw TokenError(.keysUnavailable, "the store can't be reached")
        }
    }

    func nonces(for token: VerifiedToken) -> DPoPNonces? {
        directory(of: token).map { DPoPNonces(key: $0.tokenKey) }
    }

    func requiresNonce(for token: VerifiedToken) -> Bool {
        directory(of: token)?.settings.sessions.requiresProofNonces ?? false
    }

    private func directory(of token: VerifiedToken) -> Directory? { (token.attachment as? OwnIssuer)?.directory }
}

extension HTTPField.Name {
    /// RFC 9449, section 8.1.
    static let dpopNonce = HTTPField.Name("DPoP-Nonce") ?? .trailer
}
