// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What is under way between two calls, in memory alone: the proof key of the browser that was last sent away, and the
/// session that a recovery's proof has bought before its new password was taken.
actor PendingFlows {
    private var proofKey: ProofKey?
    private var recovery: (proof: Secret<String>, tokens: TokenSet)?

    func begin(_ key: ProofKey) { proofKey = key }

    /// Good for one redirect.
    func takeProofKey() -> ProofKey? {
        defer { proofKey = nil }
        return proofKey
    }

    /// A proof is good once at the service. A password that it refuses may be chosen anew.
    func keep(_ tokens: TokenSet, boughtBy proof: Secret<String>) {
        recovery = (proof, tokens)
    }

    func tokens(boughtBy proof: Secret<String>) -> TokenSet? {
        recovery.flatMap {
            constantTimeEqual(Array($0.proof.reveal().utf8), Array(proof.reveal().utf8)) ? $0.tokens : nil
        }
    }

    func endRecovery() { recovery = nil }
}
