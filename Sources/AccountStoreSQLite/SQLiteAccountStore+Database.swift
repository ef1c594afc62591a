// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AuthTypes
import GRDB

extension SQLiteAccountStore: AccountDatabase {
    package func requireSpace() throws(AuthError) { try requireSpace(bytes: nil) }

    package func rewrite() async throws -> [String] {
        try rewriteFile()
        return []
    }

    package func expectMuch() async throws {
        try await writer.apart { database in
            try database.execute(sql: "PRAGMA cache_size = -\(DatabaseFile.largeCache / 1024)")
            try DatabaseFile.limitLog(to: DatabaseFile.longLogLength, of: database)
        }
        writer.moveLog(by: DatabaseFile.longLogMoves)
    }

    package func checkIntegrity() async throws {
        try await writer.apart { database in
            guard try String.fetchOne(database, sql: "PRAGMA integrity_check(1)") == "ok",
                try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") == nil
            else { throw AuthError(.unavailable, reason: "the database is damaged") }
        }
    }
}
