// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A page of users in the order in which they were made, from so many users on: put together turn by turn, so that no
/// list keeps others waiting for more than a turn, however far into the list and however long the page is.
struct NumberedPage: Sendable {
    let order: PageStarts.Order
    let offset: Int
    let limit: Int
    /// How many users one turn passes by, and how many it reads.
    private let passedAtOnce: Int
    private let readAtOnce: Int
    /// How many users there are in all.
    private(set) var total = 0
    private(set) var isDone = false
    /// How many of the page's users were read.
    private var count = 0
    private var passed = 0
    private var position: UserPosition?
    /// What the place is good for; `nil` before the first turn.
    private var changes: Int64?
    /// Whether nobody has come or gone since the first turn.
    private var isSteady = true

    init(
        of order: PageStarts.Order, offset: Int, limit: Int, passedAtOnce: Int = 25_000,
        readAtOnce: Int = UserPage.readAtOnce
    ) {
        self.order = order
        self.offset = offset
        self.limit = limit
        self.passedAtOnce = passedAtOnce
        self.readAtOnce = readAtOnce
    }

    /// One turn, in a transaction of its own.
    ///
    /// - Returns: the users that it came to, behind those of the turns before.
    mutating func next(_ tx: any StoreScanning, _ starts: PageStarts) throws -> [UserRecord] {
        let tally = try tx.userTally(in: order.directory)
        total = tally.count
        if let changes {
            isSteady = isSteady && changes == tally.changes
        } else {
            changes = tally.changes
            if let start = starts.nearest(to: offset, in: order, changes: tally.changes) {
                passed = start.offset
                position = start.position
            }
        }
        guard try pass(tx, starts, tally) else { return [] }
        let wanted = min(limit - count, readAtOnce)
        let page = try tx.users(in: order.directory, oldestFirst: order.oldestFirst, after: position, limit: wanted)
        count += page.users.count
        position = page.next
        isDone = page.next == nil || count == limit
        if isDone { remember(at: offset + count, starts, tally) }
        return try UserRecord.all(page.users, in: order.directory, tx)
    }

    /// Whether the page's beginning is reached.
    private mutating func pass(_ tx: any StoreScanning, _ starts: PageStarts, _ tally: UserTally) throws -> Bool {
        guard passed < offset else { return true }
        let count = min(offset - passed, passedAtOnce)
        position = try tx.userPosition(
            in: order.directory, oldestFirst: order.oldestFirst, after: position, passing: count)
        passed += count
        // There are fewer.
        isDone = position == nil
        if passed == offset { remember(at: offset, starts, tally) }
        return !isDone && passed == offset
    }

    private func remember(at offset: Int, _ starts: PageStarts, _ tally: UserTally) {
        guard isSteady, let position else { return }
        starts.remember(position, at: offset, in: order, changes: tally.changes)
    }
}
