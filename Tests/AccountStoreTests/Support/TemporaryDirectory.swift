// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AccountStoreSQLite
import Foundation

/// A directory of a test's own, removed with all in it when the test ends.
struct TemporaryDirectory {
    let path: String

    func file(_ name: String) -> String { path + "/" + name }

    static func with<Value>(_ body: (TemporaryDirectory) async throws -> Value) async throws -> Value {
        let template = FileManager.default.temporaryDirectory.appendingPathComponent("account-store-XXXXXX").path
        var characters = template.utf8CString.map { $0 }
        guard let made = mkdtemp(&characters) else { throw CocoaError(.fileWriteUnknown) }
        let directory = TemporaryDirectory(path: String(cString: made))
        defer { try? FileManager.default.removeItem(atPath: directory.path) }
        return try await body(directory)
    }
}

/// Runs `body` on an empty store, which is closed and removed afterwards.
func withStore<Value>(
    _ options: SQLiteAccountStore.Options = .init(), masterKeys: MasterKeys? = nil,
    _ body: (SQLiteAccountStore) async throws -> Value
) async throws -> Value {
    try await TemporaryDirectory.with { directory in
        let store = try SQLiteAccountStore(
            path: directory.file("accounts.sqlite"), masterKeys: { masterKeys }, options: options)
        let value: Value
        do {
            value = try await body(store)
        } catch {
            try? store.close()
            throw error
        }
        try store.close()
        return value
    }
}
