// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Counts the calls under way to each provider. One that hangs fills its own places and nobody else's, and whoever
/// comes then is told at once.
final class CallGate: Sendable {
    private let most: Int
    private let underWay = Mutex<[String: Int]>([:])

    /// - Parameter most: calls that one provider may have under way.
    init(most: Int) {
        self.most = most
    }

    /// Takes a place for `provider`; whoever was given one gives it back by ``leave(_:)``.
    func enter(_ provider: String) throws(OutwardFailure) {
        let isIn = underWay.withLock { underWay in
            let count = underWay[provider, default: 0]
            guard count < most else { return false }
            underWay[provider] = count + 1
            return true
        }
        guard isIn else { throw .busy }
    }

    func leave(_ provider: String) {
        underWay.withLock { underWay in
            let count = underWay[provider, default: 1] - 1
            underWay[provider] = count > 0 ? count : nil
        }
    }
}
