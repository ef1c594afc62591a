// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The attempts that this process is judging now. The ledger counts an attempt once it turned out wrong; until then it
/// weighs here, so that a hundred at once are no more than the limit lets through one by one.
final class AttemptsUnderWay: Sendable {
    private let counts = Mutex<[[UInt8]: Int]>([:])

    /// Begins an attempt, and says how many of each key were under way before.
    ///
    /// - Parameter keys: each once; ended by ``end(_:)``.
    func begin(_ keys: [[UInt8]]) -> [Int] {
        counts.withLock { counts in
            keys.map { key in
                let before = counts[key] ?? 0
                counts[key] = before + 1
                return before
            }
        }
    }

    func end(_ keys: [[UInt8]]) {
        counts.withLock { counts in
            for key in keys { counts[key] = counts[key].flatMap { $0 > 1 ? $0 - 1 : nil } }
        }
    }

    /// Keys of which something is under way.
    var count: Int { counts.withLock { $0.count } }
}
