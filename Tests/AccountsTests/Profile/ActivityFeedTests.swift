// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite("ActivityFeed")
struct ActivityFeedTests {
    /// A demo user: 250 activities.
    func demo(_ bench: Bench, _ email: String = "demo@example.com") async throws -> User {
        try await DemoData(bench.ports).make(
            email: EmailAddress(email), password: Secret("Tr1cky-Enough-Phrase"), call: bench.call()
        ).user
    }

    func all(
        _ bench: Bench, _ user: User, _ filter: ActivityFilter = ActivityFilter(), limit: Int? = nil
    ) async throws -> [Activity] {
        var seen: [Activity] = []
        var cursor: String?
        repeat {
            let page = try await ActivityFeed(bench.ports).page(
                of: user.id, matching: filter, cursor: cursor, limit: limit, in: bench.directory)
            seen += page.activities
            cursor = page.nextCursor
        } while cursor != nil
        return seen
    }

    @Test(
        "Y-US4 Y-FR8 Pages of 20 come newest first, without overlap or gap, to the last",
        arguments: [nil, 1, 7, 100, 1000])
    func pages(limit: Int?) async throws {
        let bench = try await Bench.make()
        let user = try await demo(bench)
        let seen = try await all(bench, user, limit: limit)
        #expect(seen.count == 250)
        #expect(Set(seen.map(\.id)).count == 250)
        #expect(zip(seen, seen.dropFirst()).allSatisfy { ($0.at, $0.id) > ($1.at, $1.id) })
        let first = try await ActivityFeed(bench.ports).page(of: user.id, limit: limit, in: bench.directory)
        #expect(first.activities.count == min(limit ?? 20, 100))
    }

    @Test("Y-US4 Somebody without activities gets an empty last page")
    func empty() async throws {
        let bench = try await Bench.make()
        let page = try await ActivityFeed(bench.ports).page(of: UserID("nobody"), in: bench.directory)
        #expect(page.activities.isEmpty && page.nextCursor == nil)
    }

    @Test("An activity that arrives while a client pages neither shifts nor repeats the pages")
    func stable() async throws {
        let bench = try await Bench.make()
        let user = try await demo(bench)
        let feed = ActivityFeed(bench.ports)
        let first = try await feed.page(of: user.id, in: bench.directory)
        let newcomer = Activity(
            id: bench.ports.random.identifier(at: bench.now), directoryID: user.directoryID, userID: user.id,
            type: "yoga.yin", description: "New", durationSeconds: 60, at: bench.now + .hours(1))
        try await bench.ports.store.write { try $0.insert(newcomer) }
        let second = try await feed.page(of: user.id, cursor: first.nextCursor, in: bench.directory)
        #expect(Set(first.activities.map(\.id)).isDisjoint(with: second.activities.map(\.id)))
        #expect(!second.activities.contains { $0.id == newcomer.id })
    }

    @Test("Activities of one instant are each shown once")
    func ties() async throws {
        let bench = try await Bench.make()
        let user = try await demo(bench)
        let at = bench.now + .days(1)
        let ties = (0..<45).map { index in
            Activity(
                id: bench.ports.random.identifier(at: bench.now), directoryID: user.directoryID, userID: user.id,
                type: "tie", description: "\(index)", durationSeconds: 60, at: at)
        }
        try await bench.ports.store.write { tx in for tie in ties { try tx.insert(tie) } }
        let seen = try await all(bench, user, ActivityFilter(type: "tie"))
        #expect(seen.count == 45 && Set(seen.map(\.id)) == Set(ties.map(\.id)))
    }

    @Test("The filter holds on every page: type, from inclusive, until exclusive")
    func filters() async throws {
        let bench = try await Bench.make()
        let user = try await demo(bench)
        let everything = try await all(bench, user)
        let filter = ActivityFilter(type: "yoga.yin", from: everything[200].at, until: everything[10].at)
        let expected = everything.filter {
            $0.type == "yoga.yin" && $0.at >= everything[200].at && $0.at < everything[10].at
        }
        #expect(try await all(bench, user, filter, limit: 3) == expected)
        #expect(!expected.isEmpty)
    }

    @Test("R70 Every tampered, cut or foreign cursor is refused with the field 'cursor'")
    func tampered() async throws {
        let bench = try await Bench.make()
        let user = try await demo(bench)
        let stranger = try await demo(bench, "other@example.com")
        let other = try await DirectoryAdministration(bench.ports).create(name: "other", at: bench.now)
        let feed = ActivityFeed(bench.ports)
        let cursor = try #require(try await feed.page(of: user.id, in: bench.directory).nextCursor)
        func refused(
            _ text: String, of user: UserID, _ filter: ActivityFilter = ActivityFilter(), in directory: Directory
        ) async -> Bool {
            do {
                _ = try await feed.page(of: user, matching: filter, cursor: text, in: directory)
                return false
            } catch let error as AuthError {
                return error.code == .invalidRequest && error.field == "cursor"
            } catch { return false }
        }
        #expect(await !refused(cursor, of: user.id, in: bench.directory))
        #expect(await refused(cursor, of: stranger.id, in: bench.directory))
        #expect(await refused(cursor, of: user.id, in: other))
        #expect(await refused(cursor, of: user.id, ActivityFilter(type: "yoga.yin"), in: bench.directory))
        #expect(await refused(cursor, of: user.id, ActivityFilter(from: bench.now), in: bench.directory))
        #expect(await refused(cursor, of: user.id, ActivityFilter(until: bench.now), in: bench.directory))
        let bytes = Array(cursor.utf8)
        for index in bytes.indices {
            var changed = bytes
            changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(await refused(String(decoding: changed, as: UTF8.self), of: user.id, in: bench.directory))
            #expect(await refused(String(decoding: bytes[..<index], as: UTF8.self), of: user.id, in: bench.directory))
        }
        let strange = ["' OR 1=1 --", cursor + "=", cursor + "A", "\u{0}", "ü", String(repeating: "A", count: 100_000)]
        for text in strange { #expect(await refused(text, of: user.id, in: bench.directory)) }
    }

    @Test("A limit below 1 and a time that runs backwards are refused by field")
    func badInput() async throws {
        let bench = try await Bench.make()
        let user = UserID("nobody")
        let feed = ActivityFeed(bench.ports)
        for limit in [0, -1, Int.min] {
            await #expect(throws: AuthError(.invalidRequest)) {
                try await feed.page(of: user, limit: limit, in: bench.directory)
            }
        }
        await #expect(throws: AuthError(.invalidRequest)) {
            try await feed.page(
                of: user, matching: ActivityFilter(from: bench.now, until: bench.now - .seconds(1)), in: bench.directory
            )
        }
        #expect(try await feed.page(of: user, limit: .max, in: bench.directory).activities.isEmpty)
    }
}
