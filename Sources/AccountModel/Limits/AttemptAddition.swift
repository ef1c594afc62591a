// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Attempts that were let through elsewhere, to be added to the ledger.
public struct AttemptAddition: Sendable {
    /// As in ``AttemptWriting``.
    public var key: [UInt8]
    public var directory: DirectoryID
    /// By how much later all that was counted will be forgotten: at most ``size``.
    public var debt: TimeSpan
    /// How far ahead that time may lie at most: see ``RateLimitRule/portion``.
    public var size: TimeSpan

    public init(key: [UInt8], directory: DirectoryID, debt: TimeSpan, size: TimeSpan) {
        self.key = key
        self.directory = directory
        self.debt = debt
        self.size = size
    }
}
