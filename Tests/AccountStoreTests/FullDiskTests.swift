// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import GRDB
import Testing

@testable import AccountStore
@testable import AccountStoreSQLite

/// The disk is full once the database may not grow: SQLite then fails as it does when the disk is.
@Suite("A full disk", .timeLimit(.minutes(10)))
struct FullDiskTests {
    private static let large = String(repeating: "x", count: 1_000_000)

    private func largeUser(_ id: String) -> User {
        var user = Rows.user(id)
        user.role = Self.large
        return user
    }

    /// - Parameter pages: How many pages the database may still grow by; `nil` for as many as it likes.
    private func limit(_ store: SQLiteAccountStore, pages: Int?) async throws {
        try await store.queue.writeWithoutTransaction { database in
            let count = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages.map { count + $0 } ?? 1_000_000_000)")
        }
    }

    private func expectFull(_ error: (any Error)?) {
        let error = error as? AuthError
        #expect(error?.code == .unavailable)
        #expect(error?.reason?.contains("full") == true)
        #expect(error?.retryAfter != nil)
    }

    @Test("a write that does not fit is refused as unavailable, and fits once there is room")
    func alone() async throws {
        try await withStore { store in
            try await store.addHome()
            try await limit(store, pages: 20)
            let user = largeUser("large")
            for _ in 0..<2 {
                do {
                    try await store.write { tx in
                        try tx.append(Rows.event("with it"))
                        try tx.insert(user)
                    }
                    Issue.record("a megabyte in twenty pages")
                } catch { expectFull(error) }
                #expect(try await store.userIDs().isEmpty)
                #expect(
                    try await store.scan(in: nil) { try $0.auditEventCount(in: Rows.home, actions: nil, user: nil) }
                        == 0
                )
            }
            try await store.write { try $0.insert(Rows.user("small")) }
            try await limit(store, pages: nil)
            try await store.write { try $0.insert(user) }
            #expect(try await store.userIDs() == ["small", "large"])
        }
    }

    @Test("in a batch, the write that does not fit fails alone, wherever it stands", arguments: [0, 9, 19])
    func inBatch(_ place: Int) async throws {
        try await withStore { store in
            try await store.addHome()
            try await limit(store, pages: 40)
            let user = largeUser("large")
            let results = try await store.writeTogether(20) { _, tx in
                // The batch's order is its own: the place is counted inside.
                let before = try tx.userCount(in: Rows.home)
                let isLarge = before == place
                try tx.insert(isLarge ? user : Rows.user("\(before)"))
                return before
            }
            let failures = results.compactMap(\.failure)
            for failure in failures { expectFull(failure) }
            let told = Set(try results.filter(\.isSuccess).map { "\(try $0.get())" })
            #expect(try await store.userIDs() == told)
            // Those before it had their turn; those after it found the same count, and were as large.
            #expect(told.count == place)
            #expect(failures.count == 20 - place)
        }
    }

    @Test("one write that is too large does not fail those it waits with")
    func others() async throws {
        try await withStore { store in
            try await store.addHome()
            try await limit(store, pages: 40)
            let user = largeUser("large")
            let results = try await store.writeTogether(20) { index, tx in
                try tx.insert(index == 7 ? user : Rows.user("\(index)"))
            }
            for (index, result) in results.enumerated() {
                if index == 7 { expectFull(result.failure) } else { #expect(result.isSuccess) }
            }
            #expect(try await store.userIDs() == Set((0..<20).filter { $0 != 7 }.map { "\($0)" }))
        }
    }

    @Test("when the disk fills during a batch, whoever was told of success is stored, and nobody else")
    func fills() async throws {
        try await withStore { store in
            try await store.addHome()
            try await limit(store, pages: 30)
            let results = try await store.writeTogether(60) { index, tx in
                var user = Rows.user("\(index)")
                user.role = String(repeating: "x", count: 8_000)
                try tx.insert(user)
            }
            for failure in results.compactMap(\.failure) { expectFull(failure) }
            let told = Set(results.indices.filter { results[$0].isSuccess }.map { "\($0)" })
            #expect((1...30).contains(told.count))
            #expect(try await store.userIDs() == told)
            #expect(try await store.read { try $0.userCount(in: Rows.home) } == told.count)
        }
    }

    @Test("a body that hides the failure of a statement cannot go on outside its transaction")
    func hidden() async throws {
        try await withStore { store in
            try await store.addHome()
            try await limit(store, pages: 40)
            let user = largeUser("large")
            let results = try await store.writeTogether(10) { index, tx in
                try tx.insert(Rows.user("before \(index)"))
                if index == 4 { try? tx.insert(user) }
                try tx.insert(Rows.user("after \(index)"))
            }
            let stored = try await store.userIDs()
            for (index, result) in results.enumerated() {
                #expect(stored.contains("before \(index)") == result.isSuccess)
                #expect(stored.contains("after \(index)") == result.isSuccess)
                if index != 4 { #expect(result.isSuccess) }
            }
            #expect(!stored.contains("large"))
        }
    }

    @Test("R8.16 the room that is left is asked of the disk that the database is on")
    func space() async throws {
        try await withStore { store in
            try store.requireSpace(bytes: 1)
            do {
                try store.requireSpace(bytes: .max)
                Issue.record("there is no such disk")
            } catch { expectFull(error) }
        }
    }
}
