// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let userPages: [ConformanceCase] = [
        ConformanceCase("users are listed newest first, in pages that neither overlap nor skip") { world in
            // Three share each instant: their order must be the same on every page.
            let names = (0..<12).map(format)
            try await world.write { tx in
                for (index, name) in names.enumerated().reversed() {
                    try tx.insert(
                        User(id: UserID(name), directoryID: world.home, createdAt: Sample.at(Int64(index / 3))))
                }
                try tx.insert(User(id: UserID("x"), directoryID: world.other, createdAt: Sample.now))
            }
            let all = try await world.scan { try $0.users(in: world.home, search: nil, offset: 0, limit: 99) }
            let instants = all.map(\.createdAt)
            try expectEqual(instants, instants.sorted(by: >), "order")
            try expectEqual(Set(all.map(\.id.rawValue)), Set(names), "users")
            var paged: [UserID] = []
            for offset in stride(from: 0, to: 15, by: 5) {
                paged += try await world.scan {
                    try $0.users(in: world.home, search: nil, offset: offset, limit: 5).map(\.id)
                }
            }
            try expectEqual(paged, all.map(\.id), "pages")
            let oldest = try await world.scan {
                try $0.users(in: world.home, search: nil, oldestFirst: true, offset: 0, limit: 99).map(\.id)
            }
            try expectEqual(oldest, all.map(\.id).reversed(), "the oldest first")
        },
        ConformanceCase("users in the order in which they were made are gone on with from any place") { world in
            try await world.write { tx in
                for (index, name) in (0..<12).map(format).enumerated() {
                    // Three share each instant.
                    try tx.insert(
                        User(id: UserID(name), directoryID: world.home, createdAt: Sample.at(Int64(index / 3))))
                }
                try tx.insert(User(id: UserID("x"), directoryID: world.other, createdAt: Sample.at(1)))
                _ = try tx.deleteUser(UserID(format(4)), in: world.home)
            }
            for oldestFirst in [true, false] {
                let all = try await world.scan {
                    try $0.users(in: world.home, search: nil, oldestFirst: oldestFirst, offset: 0, limit: 99).map(\.id)
                }
                var walked: [UserID] = []
                var next: UserPosition?
                repeat {
                    let page = try await world.scan { [next] in
                        try $0.users(in: world.home, oldestFirst: oldestFirst, after: next, limit: 4)
                    }
                    try expect(page.users.count <= 4, "page size")
                    walked += page.users.map(\.id)
                    next = page.next
                } while next != nil && walked.count <= all.count
                try expectEqual(walked, all, "walked, the oldest first: \(oldestFirst)")
                for (start, count) in [(0, 1), (0, 4), (3, 2), (7, 4), (0, 11)] {
                    let rest = try await world.scan { tx in
                        let before = try tx.userPosition(
                            in: world.home, oldestFirst: oldestFirst, after: nil, passing: start)
                        let place = try tx.userPosition(
                            in: world.home, oldestFirst: oldestFirst, after: before, passing: count)
                        return try tx.users(in: world.home, oldestFirst: oldestFirst, after: place, limit: 99).users
                    }
                    try expectEqual(rest.map(\.id), Array(all.dropFirst(start + count)), "behind \(start) and \(count)")
                }
                let beyond = try await world.scan {
                    try $0.userPosition(in: world.home, oldestFirst: oldestFirst, after: nil, passing: 12)
                }
                try expect(beyond == nil, "as many as there are not")
            }
        },
        ConformanceCase("a tally is another once somebody came, went or was put elsewhere, and for nothing else") {
            world in
            func tally() async throws -> UserTally { try await world.read { try $0.userTally(in: world.home) } }
            try expectEqual(try await tally().count, 0, "nobody")
            var last = try await tally()
            func expectChange(_ count: Int, _ what: String) async throws {
                let now = try await tally()
                try expectEqual(now.count, count, what)
                try expect(now.changes > last.changes, "not told of: \(what)")
                last = now
            }
            var user = try await world.addUser("ann")
            try await expectChange(1, "insertion")
            try await world.write { try $0.insert([Sample.user("bob", in: world.home)], with: []) }
            try await expectChange(2, "several at once")
            user.role = "writer"
            user = try await world.write { [user] in try $0.update(user) }
            try await world.addUser("elsewhere", in: world.other)
            try expectEqual(try await tally(), last, "a change that moves nobody")
            user.createdAt = Sample.at(-100)
            user = try await world.write { [user] in try $0.update(user) }
            try await expectChange(2, "another time")
            user.deletedAt = Sample.now
            user = try await world.write { [user] in try $0.update(user) }
            try await expectChange(1, "a soft deletion")
            user.deletedAt = nil
            _ = try await world.write { [user] in try $0.update(user) }
            try await expectChange(2, "taken back")
            _ = try await world.write { try $0.deleteUser(UserID("bob"), in: world.home) }
            try await expectChange(1, "a deletion")
        },
        ConformanceCase("a search finds the beginning of an address or identifier, whatever its characters") { world in
            for (id, email) in [
                ("0199-a", "anna@example.com"), ("0199-b", "anne_1@example.com"), ("0288-c", "bob%x@example.com"),
                ("0288-d", "o'neil@example.com"),
            ] {
                try await world.addUser(id) { $0.email = try EmailAddress(email) }
            }
            try await world.addUser("0199-z", in: world.other) { $0.email = try EmailAddress("anna@example.com") }
            let expected: [(String, Set<String>)] = [
                ("ann", ["0199-a", "0199-b"]), ("ANNA", ["0199-a"]), ("anne_", ["0199-b"]),
                ("0199", ["0199-a", "0199-b"]),
                ("0288-C", ["0288-c"]), ("%", []), ("_", []), ("bob%", ["0288-c"]), ("o'", ["0288-d"]),
                ("example", []), ("anna@example.com", ["0199-a"]), ("", ["0199-a", "0199-b", "0288-c", "0288-d"]),
            ]
            for (search, ids) in expected {
                let found = try await world.scan {
                    try $0.users(in: world.home, search: search, offset: 0, limit: 9).map(\.id.rawValue)
                }
                try expectEqual(Set(found), ids, "search for \(search)")
                try expectEqual(found.count, ids.count, "search for \(search)")
            }
            let page = try await world.scan {
                try $0.users(in: world.home, search: "ann", offset: 1, limit: 9).map(\.id.rawValue)
            }
            try expectEqual(page, ["0199-a"], "second page of a search")
            let oldest = try await world.scan {
                try $0.users(in: world.home, search: "ann", oldestFirst: true, offset: 0, limit: 9).map(\.id.rawValue)
            }
            try expectEqual(oldest, ["0199-a", "0199-b"], "a search, the oldest first")
        },
        ConformanceCase("a part finds whoever has it in their address or in what they call themselves, in any case") {
            world in
            let said: [JSONObject] = [
                ["full_name": "Ann Lee"], ["full_name": "100%_\"Ünal\""], ["name": "lee"], ["full_name": 7], [:],
            ]
            for (index, metadata) in said.enumerated() {
                try await world.addUser("user-\(index)") {
                    $0.email = index == 4 ? nil : try EmailAddress("box\(index)@Example.com")
                    $0.userMetadata = metadata
                }
            }
            try await world.addUser("user-z", in: world.other) { $0.userMetadata = ["full_name": "Ann Lee"] }
            let expected: [(String, [Int])] = [
                ("LEE", [0]), ("n l", [0]), ("example", [3, 2, 1, 0]), ("x2@", [2]), ("full_name", []), ("%", [1]),
                ("_", [1]), ("ÜNAL\"", [1]), ("0%_", [1]), ("7", []), ("!", []), ("\\", []),
            ]
            for (text, indices) in expected {
                let part = try UserPart(text, orIn: "full_name")
                let found = try await world.scan {
                    try $0.userIDs(in: world.home, holding: part, oldestFirst: false, after: nil, limit: 9)
                }
                try expect(found.next == nil, "part \(text) is looked for to the end")
                try expectEqual(found.found.map(\.rawValue), indices.map { "user-\($0)" }, "part \(text)")
            }
            let part = try UserPart("example", orIn: "full_name")
            var pages: [[String]] = []
            var next: UserPosition?
            repeat {
                let page = try await world.scan { [next] in
                    try $0.userIDs(in: world.home, holding: part, oldestFirst: true, after: next, limit: 3)
                }
                pages.append(page.found.map(\.rawValue))
                next = page.next
            } while next != nil && pages.count < 9
            try expectEqual(pages, [["user-0", "user-1", "user-2"], ["user-3"]], "three by three, the oldest first")
        },
        ConformanceCase("an export walks every user once, in order of identifiers") { world in
            let names = (0..<11).map(format)
            try await world.write { tx in
                for name in names.shuffled(by: 7) {
                    try tx.insert(User(id: UserID(name), directoryID: world.home, createdAt: Sample.now))
                }
                try tx.insert(User(id: UserID("user-05x"), directoryID: world.other, createdAt: Sample.now))
            }
            var walked: [String] = []
            var last: UserID?
            while true {
                let page = try await world.scan { [last] in try $0.users(in: world.home, after: last, limit: 4) }
                guard let end = page.last else { break }
                try expect(page.count <= 4, "page size")
                walked += page.map(\.id.rawValue)
                last = end.id
            }
            try expectEqual(walked, names, "walked")
        },
        ConformanceCase("R9.14 of many users at once are found what is found of each alone, and nobody else's") {
            world in
            let names = (0..<120).map { "user-" + String(100 + $0) }
            for directory in [world.home, world.other] {
                try await world.write { tx in
                    for (index, name) in names.enumerated() {
                        let user = User(id: UserID(name), directoryID: directory, createdAt: Sample.now)
                        try tx.insert(user)
                        for number in 0..<(index % 3) {
                            let id = "\(directory.rawValue) \(name) \(number)"
                            try tx.insert(Sample.identity(id, of: user, provider: "p\(number)"))
                        }
                        if index.isMultiple(of: 4) {
                            try tx.upsert(
                                Profile(
                                    userID: user.id, directoryID: directory, name: name, updatedAt: Sample.now))
                        }
                    }
                    for group in ["b", "a"] {
                        let group = Sample.group("\(directory.rawValue) \(group)", in: directory)
                        try tx.insert(group)
                        for name in names.prefix(60) {
                            _ = try tx.addMember(UserID(name), to: group.id, in: directory, at: Sample.now)
                        }
                    }
                }
            }
            let asked = (names + ["nobody"]).map { UserID($0) }
            try await world.read { tx in
                let identities = try tx.identities(of: asked, in: world.home)
                let groups = try tx.groups(of: asked, in: world.home)
                let profiles = try tx.profiles(of: asked, in: world.home)
                for user in asked {
                    try expectSame(
                        identities[user] ?? [], try tx.identities(of: user, in: world.home), "identities of \(user)")
                    try expectEqual(
                        (groups[user] ?? []).map(\.id), try tx.groups(of: user, in: world.home).map(\.id),
                        "groups of \(user)")
                    try expectEqual(
                        profiles[user]?.name, try tx.profile(of: user, in: world.home)?.name, "profile of \(user)")
                }
                let backwards = Array(asked.reversed())
                try expectEqual(
                    try tx.users(backwards, in: world.home).map(\.id), Array(backwards.dropFirst()),
                    "in the order given")
                try expect(try tx.users([], in: world.home).isEmpty, "nobody asked for")
            }
        },
        ConformanceCase("the count follows every insertion, deletion and return") { world in
            func count() async throws -> Int { try await world.read { try $0.userCount(in: world.home) } }
            try expectEqual(try await count(), 0, "at first")
            var ann = try await world.addUser("ann")
            try await world.addUser("bob")
            try await world.addUser("eve", in: world.other)
            try await world.addUser("ghost") { $0.deletedAt = Sample.now }
            try expectEqual(try await count(), 2, "after insertions")
            ann.deletedAt = Sample.now
            ann = try await world.write { [ann] in try $0.update(ann) }
            try expectEqual(try await count(), 1, "after a soft deletion")
            ann.role = "still gone"
            ann = try await world.write { [ann] in try $0.update(ann) }
            try expectEqual(try await count(), 1, "after an update of the deleted")
            ann.deletedAt = nil
            ann = try await world.write { [ann] in try $0.update(ann) }
            try expectEqual(try await count(), 2, "after a return")
            _ = try await world.write { try $0.deleteUser(UserID("ghost"), in: world.home) }
            try expectEqual(try await count(), 2, "after the purge of a soft-deleted user")
            _ = try await world.write { try $0.deleteUser(UserID("bob"), in: world.home) }
            try expectEqual(try await count(), 1, "after a deletion")
            try? await world.write { tx in
                try tx.insert(User(id: UserID("undone"), directoryID: world.home, createdAt: Sample.now))
                throw StoreConflict.duplicate("test")
            }
            try expectEqual(try await count(), 1, "after a transaction that failed")
            _ = try await race(50) { try await world.addUser("crowd-\($0)") }
            try expectEqual(try await count(), 51, "after 50 at once")
            try expectEqual(try await world.read { try $0.userCount(in: DirectoryID("none")) }, 0, "of no Directory")
        },
    ]

    private static func format(_ index: Int) -> String { "user-" + (index < 10 ? "0" : "") + String(index) }
}

extension [String] {
    /// In an order of its own that is the same at every run; `step` and the count have no common divisor.
    fileprivate func shuffled(by step: Int) -> [String] { indices.map { self[$0 * step % count] } }
}
