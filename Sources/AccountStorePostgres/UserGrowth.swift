// SPDX-License-Identifier: Apache-2.0

import AccountModel

/// When tables are to be counted to which many users are added: a Directory that nobody has counted is taken for a
/// small one, and one that was counted is known for what it is until it is another.
struct UserGrowth {
    /// So few are found however they are looked for.
    private static let few = 100
    /// How many times as many as at the last time.
    private static let factor = 10

    /// Of each Directory the users that this process has added, and with how many it is due.
    private var directories: [DirectoryID: (users: Int, next: Int)] = [:]

    /// - Returns: whether the tables are due.
    mutating func isDue(with count: Int, in directory: DirectoryID) -> Bool {
        let before = directories[directory] ?? (users: 0, next: Self.few)
        let users = before.users + max(0, count)
        let isDue = users >= before.next
        directories[directory] = (users, isDue ? users * Self.factor : before.next)
        return isDue
    }
}
