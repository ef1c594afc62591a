// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The database that accounts are kept in, with what a program that runs on it asks beside transactions: each driver
/// does what its kind of database has of it.
package protocol AccountDatabase: SQLAccountStore {
    /// Looks whether there is room for what is written next, where that is the program's affair.
    ///
    /// - Throws: `AuthErrorCode.unavailable`.
    func requireSpace() throws(AuthError)

    /// Sees to it that what was deleted is not left in what the database notes its changes in, where that is the
    /// program's affair.
    ///
    /// - Returns: whether it was done; if not, it is to be tried again.
    func emptyLog() async throws -> Bool

    /// Writes anew where secrets have stood in the clear, so that nothing of them is left beside the sealed ones.
    ///
    /// - Returns: the tables that were left as they were, since this program may not; empty where all were written.
    func rewrite() async throws -> [String]

    /// Looks for damage below its rows, as far as the program can: pages, indexes, and rows that refer to none.
    ///
    /// - Throws: `AuthErrorCode.unavailable` for a damaged one.
    func checkIntegrity() async throws

    /// Looks whether another server's tables are still written with its rows, where they are to be.
    ///
    /// - Returns: what is wrong, for an operator; `nil` where nothing is, and where there are no such tables.
    func mirrorFault() async throws -> String?

    /// Looks whether a server runs over the same tables, where nothing else keeps one off.
    ///
    /// - Throws: `AuthErrorCode.conflict` where one does.
    func requireNoServer() async throws

    /// Before very many rows are written while nobody else writes: keeps more of it in memory and in the log, so that
    /// what changes often is written to its place less often. It lasts until ``close()``.
    func expectMuch() async throws

    /// After very many rows were written at once: has the database look again at what its tables hold, where it plans
    /// by that and does not look by itself at once. Nobody waits for it, and it is passed over where it may not be
    /// done.
    func refreshStatistics() async

    /// Finishes what was begun and lets go of the database. Later calls throw `AuthErrorCode.unavailable`.
    func close() throws
}

extension AccountDatabase {
    package func expectMuch() async throws {}

    package func refreshStatistics() async {}

    package func requireNoServer() async throws {}

    package func mirrorFault() async throws -> String? { nil }
}
