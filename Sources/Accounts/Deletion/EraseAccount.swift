// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Deletes what an account has left that is over, turn by turn: between two of them others write.
///
/// Any number of processes may do it at once, and whoever dies in the midst of it leaves it to the next: see
/// ``DueDeletions``.
public struct EraseAccount: Sendable {
    private let store: any AccountStoring

    public init(_ ports: AccountPorts) {
        store = ports.store
    }

    /// Returns when nothing is left.
    ///
    /// - Throws: `CancellationError` between two turns, ``AuthErrorCode/unavailable``.
    public func callAsFunction(_ user: UserID, in directory: DirectoryID) async throws {
        var isDone = false
        while !isDone {
            try Task.checkCancellation()
            isDone = try await store.writeInTurn { tx in
                guard let erasure = try tx.erasure(of: user, in: directory) else { return true }
                return try ErasureTurn(tx).take(erasure, stored: erasure)
            }
        }
    }
}
