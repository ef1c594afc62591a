// SPDX-License-Identifier: Apache-2.0

import AccountStoreSQLite
import AuthTypes
import Foundation
import Testing

@Suite("StoreLock")
struct StoreLockTests {
    private func refusal(_ path: String) -> AuthError? {
        do {
            _ = try StoreLock(databaseAt: path)
            return nil
        } catch {
            return error
        }
    }

    @Test("a second server on one database is refused in words that name the file")
    func second() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            let lock = try StoreLock(databaseAt: path)
            for _ in 0..<3 {
                let error = refusal(path)
                #expect(error?.code == .conflict)
                #expect(error?.reason?.contains(path) == true)
            }
            withExtendedLifetime(lock) {}
        }
    }

    @Test("the lock ends with its holder, and can be taken again")
    func released() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            var lock: StoreLock? = try StoreLock(databaseAt: path)
            #expect(refusal(path)?.code == .conflict)
            withExtendedLifetime(lock) {}
            lock = nil
            #expect(refusal(path) == nil)
            #expect(refusal(path) == nil)
        }
    }

    @Test("two databases in one directory do not share a lock")
    func others() async throws {
        try await TemporaryDirectory.with { directory in
            let lock = try StoreLock(databaseAt: directory.file("a.sqlite"))
            #expect(refusal(directory.file("b.sqlite")) == nil)
            withExtendedLifetime(lock) {}
        }
    }

    @Test("other names of one database share its lock: a symbolic link, a linked directory, a detour")
    func names() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            let files = FileManager.default
            try SQLiteAccountStore(path: path).close()
            try files.createSymbolicLink(atPath: directory.file("link.sqlite"), withDestinationPath: path)
            try files.createSymbolicLink(
                atPath: directory.file("relative.sqlite"), withDestinationPath: "accounts.sqlite")
            try files.createSymbolicLink(atPath: directory.file("there"), withDestinationPath: directory.path)
            let names = [
                "link.sqlite", "relative.sqlite", "there/accounts.sqlite", "there/link.sqlite", "./accounts.sqlite",
                "there/../" + (directory.path as NSString).lastPathComponent + "/accounts.sqlite",
            ]
            let lock = try StoreLock(databaseAt: path)
            for name in names { #expect(refusal(directory.file(name))?.code == .conflict, "\(name)") }
            withExtendedLifetime(lock) {}
        }
    }

    @Test("a link's lock is the database's")
    func link() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("accounts.sqlite")
            try SQLiteAccountStore(path: path).close()
            try FileManager.default.createSymbolicLink(
                atPath: directory.file("link.sqlite"), withDestinationPath: path)
            let lock = try StoreLock(databaseAt: directory.file("link.sqlite"))
            #expect(refusal(path)?.code == .conflict)
            withExtendedLifetime(lock) {}
        }
    }

    @Test("the directories above the database are made, and nobody else reads the lock")
    func makes() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory.file("deep/down/accounts.sqlite")
            let lock = try StoreLock(databaseAt: path)
            let attributes = try FileManager.default.attributesOfItem(atPath: path + ".lock")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            withExtendedLifetime(lock) {}
        }
    }

    @Test("a lock that can't be made is unavailable, and the reason names the file")
    func impossible() async throws {
        try await TemporaryDirectory.with { directory in
            try Data("x".utf8).write(to: URL(fileURLWithPath: directory.file("file")))
            try FileManager.default.createDirectory(
                atPath: directory.file("taken.lock"), withIntermediateDirectories: false)
            for name in ["file/accounts.sqlite", "taken"] {
                let error = refusal(directory.file(name))
                #expect(error?.code == .unavailable)
                #expect(error?.reason?.contains(directory.file(name)) == true)
            }
            #expect(refusal("")?.code == .unavailable)
            #expect(refusal("a\u{0000}b")?.code == .unavailable)
        }
    }
}
