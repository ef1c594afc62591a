// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import TokenVerifier

/// Remembers proofs in memory until they are refused anyway, two minutes at most. For an API of one process: two that
/// know nothing of each other each take a proof once.
public final class SpentProofs: ProofLedger {
    private struct Entries {
        var spent: [[UInt8]: Instant] = [:]
        var sweptAt: Instant?
    }

    private let capacity: Int
    private let entries = Mutex(Entries())

    /// - Parameter capacity: how many proofs are remembered. When it is reached, requests are answered 503 until proofs
    ///   have expired: forgetting one would let it work twice.
    public init(capacity: Int = 200_000) {
        self.capacity = capacity
    }

    /// As ``ProofLedger/spend(_:of:at:)``; `TokenError.Code.keysUnavailable` where there is no room.
    public func spend(_ proof: DPoPProof, of _: VerifiedToken, at now: Instant) async throws(TokenError) -> Bool {
        let isFirst: Bool? = entries.withLock { entries in
            // One of the future: the clock has been set back, and would keep full for as long what is full now.
            if entries.sweptAt.map({ now < $0 || now >= $0 + .seconds(30) }) ?? true {
                entries.spent = entries.spent.filter { $0.value > now }
                entries.sweptAt = now
            }
            guard entries.spent[proof.identifier] == nil else { return false }
            guard entries.spent.count < capacity else { return nil }
            entries.spent[proof.identifier] = proof.expiresAt
            return true
        }
        guard let isFirst else {
            throw TokenError(.keysUnavailable, "too many proofs at once", retryAfter: .seconds(30))
        }
        return isFirst
    }
}
