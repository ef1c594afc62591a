// SPDX-License-Identifier: Apache-2.0

/// A column of a stored row that does not hold what this version of the program writes: the database was changed by
/// other means, or a disk lied.
public struct StoredDamage: Sendable, Hashable {
    /// Such as `user_metadata`.
    public var column: String
    /// What is there, as text.
    public var raw: String

    public init(column: String, raw: String) {
        self.column = column
        self.raw = raw
    }
}
