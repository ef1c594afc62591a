// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes
import GRDB

/// SQLite's errors in the domain's words.
enum SQLiteFailure {
    static func domainError(_ error: any Error) -> any Error {
        if let error = error as? StoredRowError {
            return AuthError(.internalFailure, reason: "database: \(error)")
        }
        guard let error = error as? DatabaseError else { return error }
        switch error.extendedResultCode {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY:
            return StoreConflict.duplicate(uniqueName(error.message ?? ""))
        case .SQLITE_CONSTRAINT_FOREIGNKEY: return StoreConflict.stale("reference")
        default: break
        }
        switch error.resultCode {
        // A broken disk, a full one, or a store that is closing: the client may try again.
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_BUSY, .SQLITE_LOCKED,
            .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_NOMEM, .SQLITE_PROTOCOL, .SQLITE_INTERRUPT, .SQLITE_ABORT,
            .SQLITE_MISUSE:
            return AuthError(
                .unavailable, reason: "database: \(error.extendedResultCode): \(error.message ?? "")",
                retryAfter: .seconds(1))
        // The statement is not repeated: its arguments may be addresses and hashes.
        default: return AuthError(.internalFailure, reason: "database: \(error.extendedResultCode)")
        }
    }

    /// What every writer of a batch is told whose commit did not happen.
    static func failedCommit(_ error: any Error) -> AuthError {
        let cause = domainError(error)
        if let cause = cause as? AuthError, cause.code == .unavailable { return cause }
        return AuthError(.unavailable, reason: "database: the commit failed (\(cause))", retryAfter: .seconds(1))
    }

    /// `UNIQUE constraint failed: users.directory_id, users.email, users.email_holder` is about `user.email`.
    private static func uniqueName(_ message: String) -> String {
        let columns = message.split(separator: ":").last?.split(separator: ",") ?? []
        let last = columns.last?.filter { $0 != " " } ?? ""
        return UniqueNames.name(ofColumn: last)
    }
}
