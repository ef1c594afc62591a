// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Crypto

/// What is under way between two calls, in memory alone: the proof key of the browser that was last sent away, and the
/// session that a recovery's proof has bought before its new password was taken.
actor PendingFlows {
    private var proofKey: ProofKey?
    private var recovery: (proof: [UInt8], tokens: TokenSet)?

    func begin(_ key: ProofKey) { proofKey = key }

    /// Good for one redirect.
    func takeProofKey() -> ProofKey? {
        defer { proofKey = nil }
        return proofKey
    }

    /// A proof is good once at the service. A password that it refuses may be chosen anew.
    func keep(_ tokens: TokenSet, boughtBy proof: Secret<String>) {
        recovery = (Self.digest(proof), tokens)
    }

    func tokens(boughtBy proof: Secret<String>) -> TokenSet? {
        recovery.flatMap { constantTimeEqual($0.proof, Self.digest(proof)) ? $0.tokens : nil }
    }

    func endRecovery() { recovery = nil }

    private static func digest(_ proof: Secret<String>) -> [UInt8] {
        Array(SHA256.hash(data: Array(proof.reveal().utf8)))
    }
}
