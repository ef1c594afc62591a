// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Foundation
import Testing

@testable import AccountStore
@testable import AccountStoreSQLite

@Suite("A database of which the log alone is left", .timeLimit(.minutes(5)))
struct LostDatabaseTests {
    @Test(
        "R8.17 where the file of a database is missing or empty and its log is not, nothing opens it, and the log stays",
        arguments: [nil, Data()] as [Data?])
    func lost(left: Data?) async throws {
        try await TemporaryDirectory.with { directory in
            let (path, backup) = (directory.file("accounts.sqlite"), directory.file("backup"))
            let store = try SQLiteAccountStore(path: path)
            try await store.addHome()
            try SQLiteBackup.create(of: path, at: backup)
            try await store.write { try $0.insert(Rows.user("ann")) }
            let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
            try store.close()
            try FileManager.default.removeItem(atPath: path)
            try left?.write(to: URL(fileURLWithPath: path))
            try log.write(to: URL(fileURLWithPath: path + "-wal"))

            let link = directory.file("link.sqlite")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
            for name in (left == nil ? [path] : [path, link]) {
                let error = #expect(throws: AuthError.self) { try SQLiteAccountStore(path: name).close() }
                #expect(error?.code == .unavailable)
                #expect(error?.reason?.contains("accounts.sqlite-wal") == true, "\(error?.reason ?? "")")
            }
            #expect(throws: AuthError.self) { try SQLiteBackup.create(of: path, at: directory.file("another")) }
            #expect(FileManager.default.fileExists(atPath: path) == (left != nil))
            #expect(try Data(contentsOf: URL(fileURLWithPath: path + "-wal")) == log)

            try SQLiteRestore(of: backup, over: path).finish()
            let restored = try SQLiteAccountStore(path: path)
            #expect(try await restored.userIDs().isEmpty)
            try restored.close()
        }
    }

    @Test(
        "an empty file that an operator or a first start that was killed has left is made a database of",
        arguments: [("-wal", 0), ("-wal", 32), ("-journal", 512)])
    func begun(end: String, octets: Int) async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            for (name, size) in [(path, 0), (path + end, octets)] {
                try Data(count: size).write(to: URL(fileURLWithPath: name))
            }
            let store = try SQLiteAccountStore(path: path)
            try await store.addHome()
            #expect(try await store.userIDs().isEmpty)
            try store.close()
        }
    }
}
