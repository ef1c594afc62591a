// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AccountStoreConformance
import AccountStorePostgres
import AccountStoreSQLite
import AuthTypes
import Foundation
import Testing

@Suite("Everything moves between the kinds of databases", .postgres, .timeLimit(.minutes(10)))
struct CopyTests {
    @Test(
        "Whatever a store has come to hold is the same in the other kind, and back", arguments: StoreConformance.cases)
    func moves(_ conformance: ConformanceCase) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("latchkey-copy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func open(_ name: String) throws -> SQLiteAccountStore {
            try SQLiteAccountStore(path: folder.appendingPathComponent(name).path)
        }
        let (source, back) = (try open("source.sqlite"), try open("back.sqlite"))
        try await conformance.run(on: source)
        let held = try await source.contents()
        try await PostgresServer.withStore { there in
            let now = Instant(seconds: 1_800_000_000)
            let copied = try await DatabaseCopy(from: source, to: there)(at: now)
            let found = try await there.contents()
            #expect(copied == held && found == held)
            let returned = try await DatabaseCopy(from: there, to: back)(at: now)
            #expect(returned == held)
        }
        let found = try await back.contents()
        #expect(found == held)
        try source.close()
        try back.close()
    }

    @Test(
        "Nothing is moved while a server runs over either, whose next change would be in one alone",
        arguments: [true, false])
    func running(_ isSource: Bool) async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("latchkey-copy-\(UUID().uuidString)")
            .path
        let file = try SQLiteAccountStore(path: path)
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        try await PostgresServer.withStore { there in
            let signals = there.changeSignals(every: .seconds(60))
            defer { signals.close() }
            var next = signals.signals.makeAsyncIterator()
            _ = await next.next()
            let copy = isSource ? DatabaseCopy(from: there, to: file) : DatabaseCopy(from: file, to: there)
            let error = await #expect(throws: AuthError.self) { try await copy(at: Instant(seconds: 1)) }
            #expect(error?.code == .conflict && error?.reason?.contains("a server runs") == true)
            let target: any AccountDatabase = isSource ? file : there
            let isHalf = try await target.isHalfCopied()
            #expect(!isHalf)
        }
        try file.close()
    }
}
