// SPDX-License-Identifier: Apache-2.0

/// How many users a Directory has, and whether they are those that they were.
public struct UserTally: Sendable, Hashable {
    /// Without the soft-deleted.
    public var count: Int
    /// How often users came, went, or were put elsewhere in the order in which they were made. While it is the same,
    /// the same user is at each place in that order.
    public var changes: Int64

    public init(count: Int, changes: Int64) {
        self.count = count
        self.changes = changes
    }
}
