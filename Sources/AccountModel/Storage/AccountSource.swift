// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Another server's accounts, in the database that ours are to be in: read in the order of their identifiers, and never
/// written by this.
public protocol AccountSource: Sendable {
    /// What it is called where it is remembered how far its accounts have come.
    var name: String { get }

    /// What it is now, in words of its own by which ``finish(_:at:)`` finds out whether anything was written to it
    /// since.
    ///
    /// - Throws: ``AuthErrorCode/unavailable`` that says what is missing: tables, columns, or the right to read or
    ///   write them.
    func moment() async throws -> String

    /// The accounts after one, in order of their identifiers: everything that is there of each, as one object.
    ///
    /// - Parameter last: the identifier of the last one before; `nil` from the start.
    func accounts(after last: String?, limit: Int) async throws -> [(id: String, account: JSONObject)]

    /// Compares what there is with what was taken, and says in the same transaction that it is done.
    ///
    /// - Parameter takeOver: with all that has come.
    /// - Returns: the same, finished.
    /// - Throws: ``AuthErrorCode/conflict`` with what differs.
    func finish(_ takeOver: TakeOver, at now: Instant) async throws -> TakeOver
}
