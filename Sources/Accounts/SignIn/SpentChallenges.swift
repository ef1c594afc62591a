// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Synchronization

/// The challenges that have been answered rightly and not yet expired, so that none is answered twice.
///
/// Bounded: a challenge is only added after a right password, and stays until it expires. Where that is not enough, the
/// one that expires first makes room.
final class SpentChallenges: Sendable {
    private let capacity: Int
    private let state = Mutex<[[UInt8]: Instant]>([:])

    init(capacity: Int = 100_000) {
        self.capacity = capacity
    }

    func contains(_ nonce: [UInt8]) -> Bool { state.withLock { $0[nonce] != nil } }

    /// Whether the challenge was unspent until now: of two callers at once, one gets `true`.
    func spend(_ nonce: [UInt8], until expiry: Instant, at now: Instant) -> Bool {
        state.withLock { spent in
            guard spent[nonce] == nil else { return false }
            if spent.count >= capacity {
                spent = spent.filter { $0.value > now }
                if spent.count >= capacity, let first = spent.min(by: { $0.value < $1.value }) {
                    spent[first.key] = nil
                }
            }
            spent[nonce] = expiry
            return true
        }
    }

    /// Takes back what a call that failed on its way had spent.
    func release(_ nonce: [UInt8]) { state.withLock { $0[nonce] = nil } }
}
