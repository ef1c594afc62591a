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
}
