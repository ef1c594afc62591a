// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import GRDB

/// SQLite's errors in the domain's words.
enum SQLiteFailure {
    static func domainError(_ error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        switch error.extendedResultCode {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY:
            return StoreConflict.duplicate(uniqueName(error.message ?? ""))
        case .SQLITE_CONSTRAINT_FOREIGNKEY: return StoreConflict.stale("reference")
        default: break
        }
        switch error.resultCode {
        // A broken disk or a bug; either way the operator must look, and the client may try again.
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_BUSY, .SQLITE_LOCKED,
            .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_NOMEM, .SQLITE_PROTOCOL, .SQLITE_INTERRUPT:
            return AuthError(
                .unavailable, reason: "database: \(error.resultCode): \(error.message ?? "")", retryAfter: .seconds(1))
        // The statement is not repeated: its arguments may be addresses and hashes.
        default: return AuthError(.internalFailure, reason: "database: \(error.extendedResultCode)")
        }
    }

    /// `UNIQUE constraint failed: users.directory_id, users.email` is about `user.email`.
    private static func uniqueName(_ message: String) -> String {
        let columns = message.split(separator: ":").last?.split(separator: ",").map { column in
            column.filter { $0 != " " }
        } ?? []
        let last = columns.last ?? ""
        return switch last {
        case "users.email": "user.email"
        case "users.phone": "user.phone"
        case "users.id": "user.id"
        case "directories.name": "directory.name"
        case "directories.id": "directory.id"
        case "identities.subject": "identity.subject"
        case "user_groups.name": "group.name"
        default: last
        }
    }
}
