// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// One turn of deleting what a user who is over has left: so many rows, and no more, since whoever else writes waits as
/// long. Nobody can use any of it: that ended in the transaction in which the account did.
struct ErasureTurn {
    /// Of each kind, in one transaction.
    static let rows = 200

    private let tx: any StoreWriting

    init(_ tx: any StoreWriting) {
        self.tx = tx
    }

    /// Goes on where the last turn stopped.
    ///
    /// - Parameter stored: what the store knows of it; `nil` for one that begins.
    /// - Returns: whether nothing is left. Otherwise that is kept in the store, and the next turn is whoever's that
    ///   comes.
    func take(_ begun: Erasure, stored: Erasure? = nil) throws -> Bool {
        var erasure = begun
        guard try hasErased(&erasure) else {
            if erasure != stored { try tx.put(erasure) }
            return false
        }
        if erasure.keepsRow {
            try tx.deleteErasure(of: erasure.userID, in: erasure.directoryID)
        } else {
            _ = try tx.deleteUser(erasure.userID, in: erasure.directoryID)
        }
        return true
    }

    private func hasErased(_ erasure: inout Erasure) throws -> Bool {
        let (user, directory) = (erasure.userID, erasure.directoryID)
        guard try tx.eraseActivities(of: user, in: directory, limit: Self.rows) < Self.rows else { return false }
        guard try tx.eraseAgreements(of: user, in: directory, limit: Self.rows) < Self.rows else { return false }
        let sessions =
            erasure.keepsRow
            ? try tx.redactSessions(of: user, in: directory, limit: Self.rows)
            : try tx.eraseSessions(of: user, in: directory, limit: Self.rows)
        guard sessions < Self.rows else { return false }
        erasure.position = try tx.redactAuditEvents(
            of: user, in: directory, after: erasure.position, limit: Self.rows)
        return erasure.position == nil
    }
}
