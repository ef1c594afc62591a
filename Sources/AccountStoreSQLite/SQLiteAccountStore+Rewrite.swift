// SPDX-License-Identifier: Apache-2.0

import GRDB

extension SQLiteAccountStore {
    /// Writes the whole file anew: what was overwritten or deleted in it is gone from it. Nobody else may have the
    /// database open.
    public func rewriteFile() throws {
        try writer.exclusively { database in
            // The copy that SQLite makes meanwhile holds what the file holds: it need not fit into memory.
            try database.execute(sql: "PRAGMA temp_store = FILE")
            defer { try? database.execute(sql: "PRAGMA temp_store = MEMORY") }
            try database.execute(sql: "VACUUM")
            try database.checkpoint(.truncate)
        }
    }

    /// Moves what the log holds into the file, and leaves nothing in it: the pages that a deletion has overwritten are
    /// in the log as they were before, for as long as it is not written over. Writes wait meanwhile, for no longer than
    /// 16 MB take.
    ///
    /// - Returns: whether it was done. Not while somebody reads what is in the log: then it is to be tried again.
    /// - Throws: `AuthErrorCode.unavailable`.
    public func emptyLog() async throws -> Bool {
        try await writer.apart { database in
            // Nobody is kept waiting for a reader who takes their time.
            try database.execute(sql: "PRAGMA busy_timeout = 0")
            defer { try? database.execute(sql: "PRAGMA busy_timeout = \(DatabaseFile.busyMilliseconds)") }
            return try Int.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0
        }
    }
}
