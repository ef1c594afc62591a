// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let identifiers: [ConformanceCase] = [
        ConformanceCase("a user is found by each of their identifiers, octet by octet, in their Directory only") {
            world in
            let user = try await world.addUser("ann", called: ["one": "Zo\u{EB}/1", "two": "2", "three": "2"])
            try await world.addUser("bob")
            for text in ["ann", "Zo\u{EB}/1", "2"] {
                try expectSame(try await world.read { try $0.user(identifier: text, in: world.home) }, user, text)
                try expect(try await world.read { try $0.user(identifier: text, in: world.other) } == nil, "elsewhere")
            }
            let wanted: Set = [user.id, UserID("bob"), UserID("nobody")]
            let all = try await world.read { try $0.externalIdentifiers(of: Array(wanted), in: world.home) }
            try expectEqual(all, [user.id: user.externalIdentifiers], "of several")
            let many = Set((0..<1200).map { UserID("user-\($0)") }).union(wanted)
            try expectEqual(
                try await world.read { try $0.externalIdentifiers(of: Array(many), in: world.home) }, all, "of many")
            try expect(
                try await world.read { try $0.externalIdentifiers(of: Array(many), in: world.other) }.isEmpty,
                "of others")
            try expect(try await world.read { try $0.externalIdentifiers(of: [], in: world.home) }.isEmpty, "of nobody")
            for text in ["", "Ann", "zo\u{EB}/1", "Zoe\u{308}/1", "Zo\u{EB}", "one", "3", "%"] {
                try expect(try await world.read { try $0.user(identifier: text, in: world.home) } == nil, text)
            }
            var gone = user
            gone.deletedAt = Sample.at(9)
            gone = try await world.write { [gone] in try $0.update(gone) }
            try expectSame(try await world.read { try $0.user(identifier: "2", in: world.home) }, gone, "soft-deleted")
        },
        ConformanceCase("an identifier, ours or brought along, is one user's until that user is gone") { world in
            let first = try await world.addUser("first", called: ["one": "a", "two": "b"])
            let second = try await world.addUser("second", called: ["one": "c"])
            for text in ["a", "b", "c"] {
                try await expectConflict(.duplicate("user.external_identifiers"), "brought along twice") {
                    try await world.addUser("third", called: ["two": .string(text), "three": "free"])
                }
            }
            try await expectConflict(.duplicate("user.external_identifiers"), "our own brought along") {
                try await world.addUser("third", called: ["one": "free", "two": "second"])
            }
            try await expectConflict(.duplicate("user.id"), "one brought along as our own") {
                try await world.addUser("b")
            }
            try expectEqual(try await world.read { try $0.userCount(in: world.home) }, 2, "count")
            // Elsewhere they are free, and what was refused took nothing.
            try await world.addUser("a", in: world.other, called: ["one": "second", "two": "c"])
            try await world.addUser("third", called: ["one": "free"])
            var gone = first
            gone.deletedAt = Sample.at(9)
            gone = try await world.write { [gone] in try $0.update(gone) }
            try await expectConflict(.duplicate("user.external_identifiers"), "of a soft-deleted user") {
                try await world.addUser("fourth", called: ["one": "a"])
            }
            _ = try await world.write { try $0.deleteUser(first.id, in: world.home) }
            try await world.addUser("fourth", called: ["one": "a", "two": "first"])
            try await world.addUser("b")
            try expectSame(try await world.read { try $0.user(identifier: "c", in: world.home) }, second, "unchanged")
        },
        ConformanceCase("of 50 made at once of one identifier, ours or brought along, one succeeds") { world in
            let made = try await race(50) { index in
                do {
                    let text = index % 2 == 0 ? "user-\(index)" : "wanted"
                    try await world.addUser(text, called: index % 2 == 0 ? ["one": "wanted"] : [:])
                    return true
                } catch StoreConflict.duplicate {
                    return false
                }
            }
            try expectEqual(made.count { $0 }, 1, "users made")
            try expectEqual(try await world.read { try $0.userCount(in: world.home) }, 1, "count")
            try expect(try await world.read { try $0.user(identifier: "wanted", in: world.home) } != nil, "found")
        },
        ConformanceCase("a user who is refused for an identifier leaves nothing in a body that survives it") { world in
            try await world.addUser("ann", called: ["one": "taken"])
            let wanted = try ExternalIdentifiers(["one": "free", "two": "taken"])
            let refused = User(
                id: UserID("bob"), directoryID: world.home, externalIdentifiers: wanted, createdAt: Sample.now)
            try await world.write { tx in
                do {
                    try tx.insert(refused)
                    try expect(false, "two of one identifier")
                } catch StoreConflict.duplicate {}
                try expect(try tx.user(identifier: "free", in: world.home) == nil, "half a claim")
                try tx.insert(User(id: refused.id, directoryID: world.home, createdAt: Sample.now))
            }
            try expectEqual(try await world.read { try $0.userCount(in: world.home) }, 2, "count")
            try await world.addUser("cleo", called: ["one": "free"])
        },
        ConformanceCase("a name that is spelled as somebody's identifier finds them, before whose name is like it") {
            world in
            let ann = try await world.addUser("ann", called: ["one": "Legacy.1"])
            let bob = try await world.addUser("bob") { $0.username = try Username("legacy.1") }
            for (name, owner) in [("Legacy.1", ann), ("legacy.1", bob), ("LEGACY.1", bob)] {
                let found = try await world.read { try $0.user(username: Username(name), in: world.home) }
                try expectSame(found, owner, name)
            }
        },
        ConformanceCase("R10.4 of two whose identifiers a name is, it finds the one who is called as it is spelled") {
            world in
            try await world.addUser("legacy.1")
            let ann = try await world.addUser("zoe", called: ["one": "Legacy.1"])
            for _ in 0..<3 {
                let found = try await world.read { try $0.user(username: Username("Legacy.1"), in: world.home) }
                try expectSame(found, ann, "as spelled")
            }
        },
        ConformanceCase("R10.4 a name that is spelled as our own identifier of somebody is theirs, in any case") {
            world in
            let id = "0198a6b2-1111-7222-8333-123456789abc"
            let ann = try await world.addUser(id)
            try await world.addUser("bob") { $0.username = try Username(id) }
            for name in [id, id.uppercased()] {
                let found = try await world.read { try $0.user(username: Username(name), in: world.home) }
                try expectSame(found, ann, name)
            }
            try expect(
                try await world.read { try $0.user(username: Username(id), in: world.other) } == nil, "elsewhere")
            var gone = ann
            gone.deletedAt = Sample.at(9)
            _ = try await world.write { [gone] in try $0.update(gone) }
            let found = try await world.read { try $0.user(username: Username(id), in: world.home) }
            try expectEqual(found?.id.rawValue, "bob", "once they are gone")
        },
        ConformanceCase("a search finds the beginning of an identifier that was brought along") { world in
            try await world.addUser("ann", called: ["one": "Uid-1%", "two": "Uid-2"])
            try await world.addUser("bob", called: ["one": "uid-1"])
            try await world.addUser("ann", in: world.other, called: ["one": "Uid-1"])
            for (search, ids) in [("Uid-", ["ann"]), ("Uid-1%", ["ann"]), ("uid", ["bob"]), ("U%", [])] {
                let found = try await world.scan {
                    try $0.users(in: world.home, search: search, offset: 0, limit: 9).map(\.id.rawValue)
                }
                try expectEqual(found, ids, search)
            }
        },
        ConformanceCase("R10.4 a filter finds whom a dialect calls so, and nobody by what another dialect calls them") {
            world in
            try await world.addUser("ann", called: ["one": "Uid-1", "two": "Uid-2"])
            try await world.addUser("uid-3")
            try await world.addUser("bob", called: ["one": "Uid-4"]) { $0.username = try Username("Uid-4") }
            let (one, two, three) = (DialectName("one"), DialectName("two"), DialectName("three"))
            let expected: [(UserFilter, [String])] = [
                (.identifier(.exact("Uid-1"), in: one), ["ann"]), (.identifier(.exact("Uid-1"), in: two), []),
                (.identifier(.exact("Uid-2"), in: two), ["ann"]), (.identifier(.exact("ann"), in: two), []),
                (.identifier(.exact("ann"), in: three), ["ann"]), (.identifier(.exact("uid-1"), in: one), []),
                (.identifier(.prefix("Uid-"), in: one), ["ann", "bob"]),
                (.identifier(.prefix("Uid-"), in: two), ["ann"]),
                (.identifier(.prefix("u"), in: two), ["uid-3"]), (.called(.prefix("uid-"), in: one), ["uid-3", "bob"]),
                (.called(.exact("Uid-4"), in: one), ["bob"]), (.called(.exact("UID-4"), in: two), ["bob"]),
                (.called(.exact("Uid-1"), in: one), ["ann"]), (.called(.exact("bob"), in: three), []),
            ]
            for (filter, ids) in expected {
                var walked: [String] = []
                var position: UserPosition?
                repeat {
                    let page = try await world.scan { [position] in
                        try $0.users(in: world.home, matching: filter, after: position, limit: 1, at: Sample.now)
                    }
                    walked += page.users.map(\.id.rawValue)
                    position = page.next
                } while position != nil
                try expectEqual(walked, ids, "\(filter)")
            }
        },
    ]
}
