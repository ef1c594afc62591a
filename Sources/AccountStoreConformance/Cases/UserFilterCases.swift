// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let userFilters: [ConformanceCase] = [
        ConformanceCase("a filter finds whom it names and nobody else, in pages of any length") { world in
            try await fill(world)
            let expected: [(UserFilter, [String])] = [
                (.email(.exact("ANNA@example.com")), ["c"]), (.email(.prefix("Ann")), ["c", "b"]),
                (.email(.exact("ann")), []), (.email(.prefix("%")), []), (.email(.prefix("")), ["c", "b", "h", "a"]),
                (called(.exact("ZOË")), ["a"]), (called(.exact("zoe\u{308}")), ["a"]),
                (called(.prefix("z")), ["d", "a"]), (called(.exact("z")), []),
                // Whoever has no name is called by their identifier, and whoever has one is not.
                (called(.exact("b")), ["b"]), (called(.exact("a")), []), (called(.exact("B")), []),
                (called(.prefix("")), ["b", "c", "e", "f", "g", "h", "d", "a"]), (called(.exact("gone")), []),
                (.phone(.exact("+4930111")), []), (.phone(.prefix("+4930")), ["b", "d"]),
                (.phone(.exact("49301111")), ["b"]),
                (named(.exact("Zoë")), ["a"]), (named(.prefix("Zo")), ["a", "c"]), (named(.exact("zoë")), []),
                (named(.exact("Kept")), ["d"]), (named(.exact("Hidden")), []),
                (.attribute("name", of: ours, orShared: nil, .prefix("")), ["d"]),
                (.attribute("age", of: ours, orShared: nil, .exact("7")), []),
                (.attribute("name", of: DialectName("theirs"), orShared: nil, .prefix("")), []),
                (.identifier(.exact("b"), in: ours), ["b"]), (.identifier(.exact("x"), in: ours), []),
                (.identifier(.exact("gone"), in: ours), []), (.identifier(.prefix("go"), in: ours), []),
                (.identifier(.prefix(""), in: ours), ["a", "b", "c", "d", "e", "f", "g", "h"]),
                (.enabled(true), ["a", "c", "d", "e", "f", "g", "h"]), (.enabled(false), ["b"]),
                (.standing([.confirmed]), ["a", "d", "g", "h"]), (.standing([.unconfirmed]), ["b", "c", "f"]),
                (.standing([.temporaryPassword]), ["e"]), (.standing([]), []),
                (.standing([.confirmed, .temporaryPassword]), ["a", "d", "e", "g", "h"]),
            ]
            for (filter, ids) in expected {
                let found = try await list(filter, in: world)
                try expectEqual(found, ids, "\(filter)")
                // One at a time gives the same.
                var walked: [String] = []
                var position: UserPosition?
                repeat {
                    let page = try await page(filter, after: position, limit: 1, in: world)
                    try expect(page.users.count <= 1, "\(filter) in a page of one")
                    walked += page.users.map(\.id.rawValue)
                    try expect(page.next == nil || walked.count < 9, "\(filter) ends")
                    position = page.next
                } while position != nil
                try expectEqual(walked, ids, "\(filter) in pages of one")
            }
            try expectEqual(try await list(.email(.prefix("ann")), limit: 0, in: world), [], "none asked for")
        },
        ConformanceCase("a page of a filter says that another follows only where one does, and none begins before it") {
            world in
            try await fill(world)
            for (filter, count) in [(UserFilter.email(.prefix("")), 4), (.enabled(true), 7), (named(.prefix("Z")), 2)] {
                let whole = try await page(filter, limit: count, in: world)
                try expect(whole.users.count == count && whole.next == nil, "\(filter): all")
                let part = try await page(filter, limit: count - 1, in: world)
                try expect(part.users.count == count - 1 && part.next != nil, "\(filter): one is left")
            }
            let before = try await page(.email(.prefix("ann")), after: UserPosition(""), limit: 9, in: world)
            try expectEqual(before.users.map(\.id.rawValue), ["c", "b"], "from before the prefix")
            let behind = try await page(.email(.prefix("ann")), after: UserPosition("z"), limit: 9, in: world)
            try expect(behind.users.isEmpty && behind.next == nil, "from behind the prefix")
            let second = try await page(.email(.exact("anna@example.com")), after: UserPosition("x"), in: world)
            try expect(second.users.isEmpty && second.next == nil, "a second page of one user")
        },
        ConformanceCase("a filter by what has no index finds the last of many") { world in
            try await world.write { tx in
                for index in 0..<1100 {
                    let digits = String(index)
                    let id = UserID("user-" + String(repeating: "0", count: 4 - digits.count) + digits)
                    var user = User(id: id, directoryID: world.home, createdAt: Sample.now)
                    if index == 3 || index > 1097 { user.userMetadata = ["name": "wanted"] }
                    try tx.insert(user)
                }
            }
            let filter = named(.exact("wanted"))
            try expectEqual(
                try await list(filter, in: world), ["user-0003", "user-1098", "user-1099"], "all")
            try expectEqual(
                try await list(filter, after: UserPosition("user-0003"), limit: 1, in: world), ["user-1098"], "next")
        },
        ConformanceCase("R12.6 a filter tells who came by a provider alone from who has a password too") { world in
            try await world.addUser("a") { $0.appMetadata = ["provider": "google"] }
            try await world.addUser("b") {
                $0.appMetadata = ["provider": "google"]
                $0.passwordHash = try Sample.user("x", in: world.home).passwordHash
            }
            try await world.addUser("c") {
                $0.appMetadata = ["provider": "email", "providers": ["email", "google"]]
                $0.email = try EmailAddress("c@example.com")
                $0.emailVerifiedAt = Sample.now
            }
            try expectEqual(try await list(.standing([.federated]), in: world), ["a"], "by a provider alone")
            let others = UserFilter.standing([.confirmed, .unconfirmed, .temporaryPassword])
            try expectEqual(try await list(others, in: world), ["b", "c"], "all others")
        },
        ConformanceCase(
            "R9.15 a page looks at so many users and no more, and goes on behind them where it found nobody"
        ) {
            world in
            let last = UserPage.mostLookedAt + 3
            @Sendable func id(_ index: Int) -> UserID { UserID("user-" + String(10_000 + index)) }
            try await world.write { tx in
                for index in 0...last {
                    var user = User(id: id(index), directoryID: world.home, createdAt: Sample.now)
                    user.origin = .administrator
                    if index == last {
                        user.userMetadata = ["name": "wanted"]
                        user.bannedUntil = Sample.at(1)
                        user.email = try EmailAddress("wanted@example.com")
                    }
                    try tx.insert(user)
                }
            }
            for filter in [named(.exact("wanted")), .enabled(false), .standing([.unconfirmed])] {
                let first = try await page(filter, limit: 1, in: world)
                try expect(first.users.isEmpty, "\(filter): nobody among the first")
                let second = try await page(filter, after: first.next, limit: 1, in: world)
                try expectEqual(second.users.map(\.id), [id(last)], "\(filter): the one behind them")
                try expect(second.next == nil, "\(filter): the end")
            }
            let direct = try await page(.email(.exact("wanted@example.com")), limit: 1, in: world)
            try expectEqual(direct.users.map(\.id), [id(last)], "by an index there is no walk")
        },
    ]

    private static let ours = DialectName("ours")

    private static func called(_ match: UserFilter.Match) -> UserFilter { .called(match, in: ours) }

    private static func named(_ match: UserFilter.Match) -> UserFilter {
        .attribute("name", of: ours, orShared: .name, match)
    }

    private static func fill(_ world: World) async throws {
        try await world.addUser("a") {
            $0.email = try EmailAddress("o'neil@example.com")
            $0.emailVerifiedAt = Sample.now
            $0.username = try Username("Zoë")
            $0.userMetadata = ["name": "Zoë", "age": 7]
        }
        try await world.addUser("b") {
            $0.email = try EmailAddress("anne@example.com")
            $0.phone = try PhoneNumber("+49301111")
            $0.bannedUntil = Sample.at(1)
        }
        try await world.addUser("c") {
            $0.email = try EmailAddress("anna@example.com")
            $0.bannedUntil = Sample.now
            $0.userMetadata = ["name": "Zora"]
        }
        try await world.addUser("d") {
            $0.phone = try PhoneNumber("+49302222")
            $0.phoneVerifiedAt = Sample.now
            $0.username = try Username("zed")
            $0.userMetadata = ["name": "Hidden"]
            $0.dialectData = try DialectData([ours.rawValue: ["user": ["name": "Kept", "age": 7]]])
        }
        try await world.addUser("e") {
            $0.origin = .administrator
            $0.temporaryPassword = TemporaryPassword(expiresAt: nil)
        }
        // Nobody answers for one who signed up without an address, unless they are anonymous or were confirmed.
        try await world.addUser("f")
        try await world.addUser("g") { $0.isAnonymous = true }
        try await world.addUser("h") {
            $0.email = try EmailAddress("hal@example.com")
            $0.confirmedAt = Sample.now
        }
        try await world.addUser("gone") {
            $0.email = try EmailAddress("anna@example.com")
            $0.deletedAt = Sample.now
        }
        try await world.addUser("x", in: world.other) {
            $0.email = try EmailAddress("anna@example.com")
            $0.username = try Username("zoë")
            $0.userMetadata = ["name": "Zoë"]
        }
    }

    private static func list(
        _ filter: UserFilter, after: UserPosition? = nil, limit: Int = 99, in world: World
    ) async throws -> [String] {
        try await page(filter, after: after, limit: limit, in: world).users.map(\.id.rawValue)
    }

    private static func page(
        _ filter: UserFilter, after: UserPosition? = nil, limit: Int = 99, in world: World
    ) async throws -> UserPage {
        try await world.scan {
            try $0.users(in: world.home, matching: filter, after: after, limit: limit, at: Sample.now)
        }
    }
}
