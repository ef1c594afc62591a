// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Tells of each row that can't be read once, however often it is.
package final class DamageReports: Sendable {
    private static let maximum = 10_000

    private let told = Mutex<Set<String>>([])
    private let tell: @Sendable (_ row: String, _ columns: [String]) -> Void

    package init(_ tell: @escaping @Sendable (_ row: String, _ columns: [String]) -> Void) {
        self.tell = tell
    }

    /// - Parameter row: what it is and its identifier, such as `user 0190…`; nothing that it holds.
    func add(_ row: String, _ damage: [StoredDamage]) {
        let isNew = told.withLock { $0.count < Self.maximum && $0.insert(row).inserted }
        if isNew { tell(row, damage.map(\.column)) }
    }
}
