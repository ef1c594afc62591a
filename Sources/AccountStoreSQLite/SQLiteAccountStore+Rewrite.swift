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
}
