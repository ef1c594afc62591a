// SPDX-License-Identifier: Apache-2.0

import AccountStoreSQLite
import Foundation

/// A database that has its tables and nothing in them, made once in a process: every bench gets a copy of it, and is
/// spared the migrations, which were a tenth of the processor's time of tests that have a bench each.
enum EmptyDatabase {
    private static let content = Result<Data, any Error> {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("accounts.sqlite")
        // What is closed has all of its content in this one file.
        try SQLiteAccountStore(path: path.path).close()
        return try Data(contentsOf: path)
    }

    static func copy(to url: URL) throws {
        try content.get().write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    }
}
