// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import GRDB
import Testing

@testable import AccountStore
@testable import AccountStoreSQLite

@Suite("Rows that can't be read", .timeLimit(.minutes(10)))
struct DamagedRowTests {
    /// As SQL says them: what SQLite stores in a column whatever it is declared as.
    private static let junk = ["'{'", "'[1]'", "'{\"one\":{\"admin\":{}}}'", "'a b'", "x'FF00'", "1.5", "-1"]

    private static func spoil(
        _ store: SQLiteAccountStore, _ table: String, _ column: String, _ value: String, of id: String
    ) async throws {
        try await store.queue.writeWithoutTransaction { database in
            try database.execute(sql: "UPDATE \(table) SET \(column) = \(value) WHERE id = '\(id)'")
        }
    }

    private static func stored(_ store: SQLiteAccountStore, _ column: String, of id: String) async throws -> String? {
        try await store.queue.writeWithoutTransaction { database in
            try String.fetchOne(database, sql: "SELECT quote(\(column)) FROM users WHERE id = '\(id)'")
        }
    }

    private static func columns(_ store: SQLiteAccountStore) async throws -> [String] {
        let names = try await store.queue.writeWithoutTransaction { database in
            try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info('users')")
        }
        return names.filter { !["id", "directory_id"].contains($0) }
    }

    private static func fill(_ store: SQLiteAccountStore) async throws {
        try await store.write { tx in
            for id in ["a", "b", "c"] {
                var user = User(
                    id: UserID(id), directoryID: Rows.home,
                    externalIdentifiers: ExternalIdentifiers(
                        try ExternalIdentifier("uid-\(id)"), in: DialectName("one")),
                    createdAt: Rows.now)
                user.email = try EmailAddress("\(id)@example.com")
                user.username = try Username("name-\(id)")
                user.userMetadata = ["name": "N"]
                try tx.insert(user)
            }
        }
    }

    /// Every way in which users are read many at a time.
    private static func lists(_ store: SQLiteAccountStore) async throws -> [[String]] {
        let filters: [UserFilter] = [
            .email(.prefix("")), .called(.prefix(""), in: DialectName("any")), .phone(.prefix("")), .enabled(true),
            .enabled(false),
            .standing([.confirmed]), .standing([.unconfirmed]),
            .attribute("name", of: DialectName("one"), orShared: .name, .prefix("")),
        ]
        return try await store.scan(in: nil) { tx in
            var lists = [
                try tx.users(in: Rows.home, after: nil, limit: 10),
                try tx.users(in: Rows.home, search: nil, offset: 0, limit: 10),
                try tx.users(in: Rows.home, search: "a@", offset: 0, limit: 10),
            ]
            // One by one, so that each row is once what the next turn goes on from.
            for oldestFirst in [true, false] {
                var (walked, passed): ([User], [User]) = ([], [])
                var (next, place): (UserPosition?, UserPosition?) = (nil, nil)
                repeat {
                    passed += try tx.users(in: Rows.home, oldestFirst: oldestFirst, after: place, limit: 1).users
                    place = try tx.userPosition(in: Rows.home, oldestFirst: oldestFirst, after: place, passing: 1)
                    let page = try tx.users(in: Rows.home, oldestFirst: oldestFirst, after: next, limit: 1)
                    walked += page.users
                    next = page.next
                } while next != nil && walked.count < 9
                lists += [walked, passed]
            }
            for filter in filters {
                lists.append(try tx.users(in: Rows.home, matching: filter, after: nil, limit: 10, at: Rows.now).users)
            }
            return lists.map { $0.map(\.id.rawValue) }
        }
    }

    @Test("R8.2 whatever a column holds, everybody is listed, and the row can be banned and deleted", arguments: junk)
    func everyColumn(junk: String) async throws {
        let told = Mutex<[String]>([])
        let options = SQLiteAccountStore.Options(damaged: { row, _ in told.withLock { $0.append(row) } })
        try await withStore(options) { store in
            try await store.addHome()
            let columns = try await Self.columns(store)
            #expect(columns.count > 30)
            var damages = 0
            for column in columns {
                try await Self.fill(store)
                try await Self.spoil(store, "users", column, junk, of: "b")
                let lists = try await Self.lists(store)
                let isListed = column != "deleted_at"
                #expect(lists[0] == (isListed ? ["a", "b", "c"] : ["a", "c"]), "\(column)")
                #expect(lists.allSatisfy { $0.filter { $0 == "a" }.count <= 1 } && lists[2] == ["a"], "\(column)")
                #expect(lists[3..<7].allSatisfy { $0.sorted() == lists[0] }, "\(column)")
                let found = try #require(try await store.read { try $0.user(UserID("b"), in: Rows.home) })
                if found.isDamaged, isListed {
                    damages += 1
                    let kept = try await Self.stored(store, column, of: "b")
                    var banned = found
                    banned.bannedUntil = Rows.now
                    do {
                        let written = try await store.write { [banned] in try $0.update(banned) }
                        #expect(written.bannedUntil == Rows.now && written.isBanned(at: Rows.now))
                        let after = try await Self.stored(store, column, of: "b")
                        #expect(column == "version" || column == "banned_until" || after == kept, "\(column)")
                    } catch StoreConflict.stale where column == "version" {}
                }
                try await store.write { tx in
                    for id in ["a", "b", "c"] {
                        let isGone = try tx.deleteUser(UserID(id), in: Rows.home)
                        #expect(isGone, "\(column)")
                    }
                }
                #expect(try await store.read { try $0.userCount(in: Rows.home) } == (isListed ? 0 : 1), "\(column)")
                try await store.queue.writeWithoutTransaction {
                    try $0.execute(sql: "UPDATE directories SET user_count = 0")
                }
            }
            #expect(damages >= 3, "\(junk) damages \(damages) columns")
            // The same row is told of once, however often it is read.
            #expect(told.withLock { $0 } == ["user b"])
        }
    }

    @Test(
        "R8.2 what can't be read is not written over by what could only be added to it",
        arguments: ["app_metadata", "user_metadata", "dialect_data"])
    func additions(column: String) async throws {
        try await withStore { store in
            try await store.addHome()
            try await Self.fill(store)
            let deep = String(repeating: "{\"a\":", count: 70) + "1" + String(repeating: "}", count: 70)
            try await Self.spoil(store, "users", column, "'\(deep)'", of: "b")
            let found = try #require(try await store.read { try $0.user(UserID("b"), in: Rows.home) })
            #expect(found.damage == [StoredDamage(column: column, raw: deep)])
            var changed = found
            changed.appMetadata["plan"] = "pro"
            changed.userMetadata["name"] = "B"
            changed.dialectData = try DialectData(["one": ["user": ["a": 1]]])
            let update = changed
            await #expect(throws: AuthError(.conflict)) {
                try await store.write { tx in _ = try tx.update(update) }
            }
            #expect(try await Self.stored(store, column, of: "b") == "'\(deep)'")
        }
    }

    @Test("R8.2 an identity that can't be read keeps its user listed, and is not written over by a sign-in")
    func identities() async throws {
        try await withStore { store in
            try await store.addHome()
            try await Self.fill(store)
            let identity = Identity(
                id: IdentityID("i"), directoryID: Rows.home, userID: UserID("b"), provider: "email", subject: "b",
                data: ["a": 1], createdAt: Rows.now, updatedAt: Rows.now)
            try await store.write { try $0.insert(identity) }
            try await Self.spoil(store, "identities", "data", "'{'", of: "i")
            var found = try #require(
                try await store.read { try $0.identities(of: UserID("b"), in: Rows.home) }.first)
            #expect(found.damage.map(\.raw) == ["{"] && found.provider == "email")
            found.lastSignInAt = Rows.now
            let stamped = found
            try await store.write { try $0.update(stamped) }
            let again = try await store.read { try $0.identity(provider: "email", subject: "b", in: Rows.home) }
            #expect(again?.lastSignInAt == Rows.now && again?.damage.map(\.raw) == ["{"])
        }
    }

    @Test("R8.2 the store writes no object that it would not read, whatever flow forgot to ask")
    func unwritable() async throws {
        try await withStore { store in
            try await store.addHome()
            try await Self.fill(store)
            var deep = JSONValue.null
            for _ in 0..<64 { deep = .array([deep]) }
            let large = JSONValue.string(String(repeating: "\u{1}", count: 3 << 20))
            for value in [deep, large, .number(.infinity)] {
                await #expect(throws: AuthError(.metadataTooLarge)) {
                    try await store.write { tx in
                        guard var user = try tx.user(UserID("a"), in: Rows.home) else { return }
                        user.userMetadata["x"] = value
                        _ = try tx.update(user)
                    }
                }
            }
            let user = try await store.read { try $0.user(UserID("a"), in: Rows.home) }
            #expect(user?.isDamaged == false && user?.userMetadata == ["name": "N"])
        }
    }
}
