// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    func isSpent(_ nonce: [UInt8], in directory: DirectoryID) throws -> Bool {
        try connection.first(
            "SELECT 1 FROM spent_nonces WHERE directory_id = ? AND nonce = ?", [SQLValue(directory), SQLValue(nonce)]
        ) { _ in true } ?? false
    }

    func spend(_ nonce: [UInt8], in directory: DirectoryID, until expiry: Instant) throws -> Bool {
        try execute(
            """
            INSERT INTO spent_nonces (directory_id, nonce, expires_at) VALUES (?, ?, ?)
            ON CONFLICT (directory_id, nonce) DO NOTHING
            """, [SQLValue(directory), SQLValue(nonce), SQLValue(expiry)]) == 1
    }

    func purgeNonces(expiredBefore instant: Instant, limit: Int) throws -> Int {
        try execute(
            """
            DELETE FROM spent_nonces WHERE (directory_id, nonce) IN (
                SELECT directory_id, nonce FROM spent_nonces WHERE expires_at < ? LIMIT ?)
            """, [SQLValue(instant), SQLValue(limit)])
    }
}
