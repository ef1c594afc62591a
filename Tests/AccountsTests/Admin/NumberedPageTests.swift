// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// Lists of many users, turn by turn.
@Suite struct NumberedPageTests {
    private static func fill(_ bench: Bench, _ count: Int) async throws {
        let (directory, start) = (bench.directory.id, bench.now)
        let users = (0..<count).map { index in
            // Three share each instant.
            User(
                id: UserID("user-\(1000 + index * 7 % count)"), directoryID: directory,
                createdAt: start + .seconds(Int64(index / 3)))
        }
        try await bench.ports.store.write { try $0.insert(users, with: []) }
    }

    private static func all(_ bench: Bench, oldestFirst: Bool) async throws -> [UserID] {
        let directory = bench.directory.id
        return try await bench.ports.store.scan(in: directory) {
            try $0.users(in: directory, search: nil, oldestFirst: oldestFirst, offset: 0, limit: 10_000).map(\.id)
        }
    }

    private static func users(_ bench: Bench, _ store: RecordingStore) -> UserAdministration {
        UserAdministration(
            AccountPorts(
                store: store, passwords: bench.ports.passwords, random: bench.ports.random,
                messages: bench.ports.messages))
    }

    @Test("R9.15 a page is the same in however many turns it is put together, from wherever it begins")
    func turns() async throws {
        let bench = try await Bench.make()
        try await Self.fill(bench, 40)
        let (directory, starts) = (bench.directory.id, PageStarts())
        for oldestFirst in [true, false] {
            let all = try await Self.all(bench, oldestFirst: oldestFirst)
            let order = PageStarts.Order(directory: directory, oldestFirst: oldestFirst)
            for (offset, limit) in [(0, 5), (10, 7), (17, 7), (16, 40), (35, 5), (39, 5), (40, 5), (41, 5), (3, 1)] {
                var page = NumberedPage(of: order, offset: offset, limit: limit, passedAtOnce: 4, readAtOnce: 3)
                var (found, turns): ([UserID], Int) = ([], 0)
                while !page.isDone {
                    let (records, further) = try await bench.ports.store.scan(in: directory) { [page] tx in
                        var page = page
                        return (try page.next(tx, starts), page)
                    }
                    #expect(records.count <= 3)
                    found += records.map(\.user.id)
                    page = further
                    turns += 1
                }
                #expect(found == Array(all.dropFirst(offset).prefix(limit)), "\(offset) \(limit)")
                #expect(page.total == 40 && turns <= 2 + offset / 4 + limit / 3, "\(turns) turns")
            }
        }
    }

    @Test("R9.15 page after page nothing is passed twice, and whoever comes or goes is in the next page's place")
    func sequence() async throws {
        let bench = try await Bench.make()
        try await Self.fill(bench, 60)
        let store = RecordingStore(bench.ports.store)
        let users = Self.users(bench, store)
        /// - Parameter passes: statements that pass users by.
        func expectPage(_ number: Int, _ wanted: ArraySlice<UserID>, passes: Int) async throws {
            _ = store.taken()
            let found = try await users.list(page: number, perPage: 10, call: bench.call())
            #expect(found.records.map(\.user.id) == Array(wanted), "page \(number)")
            let passed = store.taken().filter { $0.sql.contains("OFFSET") }.count
            #expect(passed == passes, "page \(number)")
        }
        var all = try await Self.all(bench, oldestFirst: false)
        for number in 1...3 { try await expectPage(number, all[(number * 10 - 10)..<(number * 10)], passes: 0) }
        // One that was not next is passed to, and gone on from.
        try await expectPage(5, all[40..<50], passes: 1)
        try await expectPage(6, all[50..<60], passes: 0)
        try await expectPage(5, all[40..<50], passes: 0)
        try await expectPage(7, [], passes: 0)
        // Another order is another list.
        let oldest = try await users.list(page: 2, perPage: 10, oldestFirst: true, call: bench.call())
        #expect(oldest.records.map(\.user.id) == Array(Array(all.reversed())[10..<20]))

        let (directory, last) = (bench.directory.id, all[0])
        _ = try await bench.ports.store.write { try $0.deleteUser(last, in: directory) }
        all.removeFirst()
        try await expectPage(4, all[30..<40], passes: 1)
        try await expectPage(5, all[40..<50], passes: 0)
        let newcomer = User(id: UserID("user-9999"), directoryID: directory, createdAt: bench.now + .days(1))
        try await bench.ports.store.write { try $0.insert(newcomer) }
        try await expectPage(6, all[49..<59], passes: 1)
    }

    @Test("R9.14 a long page asks in turns: so many statements for each two hundred users, however deep it is")
    func statements() async throws {
        let bench = try await Bench.make()
        try await Self.fill(bench, 1_000)
        let store = RecordingStore(bench.ports.store)
        let users = Self.users(bench, store)
        func statements(_ body: () async throws -> Int) async throws -> Int {
            _ = store.taken()
            #expect(try await body() == 1_000)
            return store.taken().count
        }
        // The users of a turn, and their identities.
        let byIdentifier = try await statements {
            try await users.list(matching: nil, limit: 1_000, looksAhead: false, call: bench.call()).records.count
        }
        #expect(byIdentifier == 5 * 2)
        // How many there are, once a turn.
        let numbered = try await statements {
            try await users.list(page: 1, perPage: 1_000, call: bench.call()).records.count
        }
        #expect(numbered == 5 * 3)
        #expect(try await users.list(page: 101, perPage: 10, call: bench.call()).records.isEmpty)
        _ = store.taken()
        #expect(try await users.list(page: 100, perPage: 10, oldestFirst: true, call: bench.call()).records.count == 10)
        #expect(store.taken().count == 4)
        let all = try await users.list(matching: nil, limit: 1_000, call: bench.call())
        #expect(all.records.count == 1_000 && all.next == nil)
        let part = try await users.list(matching: nil, limit: 999, call: bench.call())
        #expect(part.records.count == 999 && part.next != nil)
    }
}
