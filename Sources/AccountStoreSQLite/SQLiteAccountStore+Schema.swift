// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import GRDB

extension SQLiteAccountStore {
    /// Which schema a database has, without changing anything in it.
    ///
    /// - Returns: the number of its newest migration; `nil` where there is no database, or an empty one.
    /// - Throws: `AuthErrorCode.unavailable` for a database written by a newer version, by one before a release, or by
    ///   another program.
    public static func schemaVersion(path: String) throws(AuthError) -> Int? {
        let file = DatabaseFile(path: path)
        guard FileManager.default.fileExists(atPath: file.absolutePath) else { return nil }
        let reader = try file.openReader()
        defer { try? reader.close() }
        do {
            return try reader.inDatabase { try SQLiteMigrator().inspect($0) }
        } catch {
            throw file.failure(error)
        }
    }
}
