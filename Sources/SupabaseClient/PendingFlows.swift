// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What is under way between two calls, in memory alone: the proof key of the browser that was last sent away, and the
/// session that a recovery's proof has bought before its new password was taken.
actor PendingFlows {
    /// Of the browser that was sent away last.
    private(set) var proofKey: ProofKey?
    private var recovery: (proof: Secret<String>, tokens: TokenSet)?

    func begin(_ key: ProofKey) { proofKey = key }

    /// Good for one session. A redirect that buys none with it may be anybody's, and does not use it up.
    func end(_ key: ProofKey) {
        if proofKey?.challenge == key.challenge { proofKey = nil }
    }

    /// A proof is good once at the service. A password that it refuses may be chosen anew.
    ///
    /// - Returns: what another proof had bought: nobody comes back to it.
    func keep(_ tokens: TokenSet, boughtBy proof: Secret<String>) -> TokenSet? {
        defer { recovery = (proof, tokens) }
        return recovery?.tokens
    }

    func tokens(boughtBy proof: Secret<String>) -> TokenSet? {
        recovery.flatMap {
            constantTimeEqual(Array($0.proof.reveal().utf8), Array(proof.reveal().utf8)) ? $0.tokens : nil
        }
    }

    /// What another proof has bought meanwhile stays.
    func endRecovery(boughtBy proof: Secret<String>) {
        if tokens(boughtBy: proof) != nil { recovery = nil }
    }
}
