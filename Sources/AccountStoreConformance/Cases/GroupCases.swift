// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let groups: [ConformanceCase] = [
        ConformanceCase("a group keeps every field and is found by its exact name") { world in
            let full = Sample.group("b", in: world.home)
            var bare = Sample.group("a", in: world.home, precedence: nil)
            (bare.description, bare.role) = (nil, nil)
            let elsewhere = Sample.group("c", in: world.other)
            try await world.write { [bare] tx in
                for group in [full, bare, elsewhere] { try tx.insert(group) }
            }
            try expectSame(try await world.read { try $0.groups(in: world.home) }, [bare, full], "in order of names")
            for (name, directory, wanted) in [
                ("name of b", world.home, full), ("name of c", world.home, nil), ("name of c", world.other, elsewhere),
                ("NAME OF B", world.home, nil), ("name of b ", world.home, nil), ("", world.home, nil),
            ] as [(String, DirectoryID, Group?)] {
                let found = try await world.read { try $0.group(named: name, in: directory) }
                try expectEqual(String(reflecting: found), String(reflecting: wanted), name)
            }
        },
        ConformanceCase("a group's name is given once in a Directory") { world in
            try await world.write { tx in
                for name in ["a", "b"] { try tx.insert(Sample.group(name, in: world.home)) }
            }
            var twin = Sample.group("c", in: world.home)
            twin.name = "name of a"
            try await expectConflict(.duplicate("group.name"), "insert") { [twin] in
                try await world.write { try $0.insert(twin) }
            }
            var renamed = Sample.group("b", in: world.home)
            renamed.name = "name of a"
            try await expectConflict(.duplicate("group.name"), "update") { [renamed] in
                try await world.write { try $0.update(renamed) }
            }
            var elsewhere = twin
            elsewhere.directoryID = world.other
            try await world.write { [elsewhere] in try $0.insert(elsewhere) }
            try expectEqual(
                try await world.read { try $0.groups(in: world.home).map(\.name) }, ["name of a", "name of b"], "names")
        },
        ConformanceCase("a group's update writes every field, in its Directory only") { world in
            let group = Sample.group("a", in: world.home)
            try await world.write { try $0.insert(group) }
            var changed = group
            changed.name = "renamed"
            changed.description = nil
            changed.precedence = -1
            changed.role = nil
            changed.updatedAt = Sample.at(20)
            var foreign = changed
            foreign.directoryID = world.other
            try await expectStale("elsewhere") { [foreign] in try await world.write { try $0.update(foreign) } }
            try expectSame(try await world.read { try $0.groups(in: world.home) }, [group], "unchanged")
            try await world.write { [changed] in try $0.update(changed) }
            try expectSame(try await world.read { try $0.groups(in: world.home) }, [changed], "changed")
            try expect(try await world.write { try !$0.deleteGroup(group.id, in: world.other) }, "deleted elsewhere")
            try expect(try await world.write { try $0.deleteGroup(group.id, in: world.home) }, "was there")
            try expect(try await world.write { try !$0.deleteGroup(group.id, in: world.home) }, "is gone")
            try await expectStale("a group that is gone") { [changed] in
                try await world.write { try $0.update(changed) }
            }
        },
        ConformanceCase("a user's groups are in order of precedence, then name; those without go last") { world in
            let user = try await world.addUser("ann")
            try await world.addUser("bob")
            try await world.write { tx in
                let groups: [(String, Int64?)] = [
                    ("e", nil), ("d", nil), ("c", 2), ("b", 2), ("a", 3), ("f", 0), ("g", .max), ("h", -1), ("not", 1),
                ]
                for (name, precedence) in groups {
                    let group = Sample.group(name, in: world.home, precedence: precedence)
                    try tx.insert(group)
                    _ = try tx.addMember(
                        name == "not" ? UserID("bob") : user.id, to: group.id, in: world.home, at: Sample.now)
                }
            }
            let found = try await world.read { try $0.groups(of: user.id, in: world.home).map(\.id.rawValue) }
            try expectEqual(found, ["h", "f", "b", "c", "a", "g", "d", "e"], "groups")
            try expect(try await world.read { try $0.groups(of: user.id, in: world.other).isEmpty }, "elsewhere")
        },
        ConformanceCase("a user joins a group once, of 50 attempts at once, and leaves it once") { world in
            let user = try await world.addUser("ann")
            let group = Sample.group("a", in: world.home)
            try await world.write { try $0.insert(group) }
            for round in 1...2 {
                let joined = try await race(50) { _ in
                    try await world.write { try $0.addMember(user.id, to: group.id, in: world.home, at: Sample.now) }
                }
                try expectEqual(joined.count { $0 }, 1, "joined, round \(round)")
                try expect(
                    try await world.write { try !$0.removeMember(user.id, from: group.id, in: world.other) },
                    "left by way of another Directory")
                let left = try await race(50) { _ in
                    try await world.write { try $0.removeMember(user.id, from: group.id, in: world.home) }
                }
                try expectEqual(left.count { $0 }, 1, "left, round \(round)")
            }
            try expect(try await world.read { try $0.groups(of: user.id, in: world.home).isEmpty }, "still a member")
        },
        ConformanceCase("nobody joins a group of another Directory, or one that is not there") { world in
            let here = try await world.addUser("ann")
            try await world.addUser("eve", in: world.other)
            try await world.write { try $0.insert(Sample.group("a", in: world.home)) }
            // Who, and by way of which Directory.
            for (user, group, directory) in [
                ("eve", "a", world.other), ("eve", "a", world.home), ("nobody", "a", world.home),
                ("ann", "none", world.home), ("ann", "a", world.other),
            ] {
                do {
                    let joined = try await world.write {
                        try $0.addMember(UserID(user), to: GroupID(group), in: directory, at: Sample.now)
                    }
                    try expect(!joined, "\(user) joined \(group) by way of \(directory)")
                } catch StoreConflict.stale {}
            }
            let members = try await world.read { tx in
                try [world.home, world.other].flatMap {
                    try tx.members(of: GroupID("a"), in: $0, after: nil, limit: 9)
                }
            }
            try expectEqual(members, [], "members")
            try expect(try await world.read { try $0.groups(of: here.id, in: world.home).isEmpty }, "groups")
        },
        ConformanceCase("members come in pages, and go with their group or their account") { world in
            let group = Sample.group("a", in: world.home)
            try await world.write { try $0.insert(group) }
            for name in ["d", "a", "c", "b"] {
                let user = try await world.addUser(name)
                _ = try await world.write { try $0.addMember(user.id, to: group.id, in: world.home, at: Sample.now) }
            }
            func page(after: String?, _ limit: Int, in directory: DirectoryID) async throws -> [String] {
                try await world.read {
                    try $0.members(of: group.id, in: directory, after: after.map { UserID($0) }, limit: limit)
                        .map(\.rawValue)
                }
            }
            try expectEqual(try await page(after: nil, 3, in: world.home), ["a", "b", "c"], "first")
            try expectEqual(try await page(after: "c", 3, in: world.home), ["d"], "second")
            try expectEqual(try await page(after: "d", 3, in: world.home), [], "third")
            try expectEqual(try await page(after: nil, 3, in: world.other), [], "elsewhere")
            _ = try await world.write { try $0.deleteUser(UserID("b"), in: world.home) }
            try expectEqual(try await page(after: nil, 9, in: world.home), ["a", "c", "d"], "without b")
            _ = try await world.write { try $0.deleteGroup(group.id, in: world.home) }
            try expectEqual(try await page(after: nil, 9, in: world.home), [], "without the group")
            try expectEqual(try await world.read { try $0.userCount(in: world.home) }, 3, "users")
        },
    ]
}
