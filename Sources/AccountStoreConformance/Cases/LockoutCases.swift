// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    private static let rule = LockoutRule(attempts: 5, window: .minutes(15), duration: .minutes(15))
    private static let key = Sample.hash("lockout")

    private static func lockout(
        _ name: String = "lockout", at lockedAt: Int64? = nil, in directory: DirectoryID, user: UserID? = nil,
        isOwn: Bool = false
    ) -> Lockout {
        Lockout(
            key: Sample.hash(name), directoryID: directory, userID: user, isOwn: isOwn,
            lockedAt: lockedAt.map { Sample.at($0) }, truncatedAddress: "192.0.2.0")
    }

    static let lockouts: [ConformanceCase] = [
        ConformanceCase("G-8.1 a lockout comes back as it was put, and stands in its own Directory alone") { world in
            var first = lockout(in: world.home)
            first.failures = [Sample.at(-1), Sample.at(0), Instant(microseconds: -7), Instant(microseconds: .max)]
            let (put, other) = (first, lockout(at: 3, in: world.other))
            try await world.write { tx in
                try tx.put(put, until: Sample.at(60))
                try tx.put(other, until: Sample.at(60))
            }
            func found(in directory: DirectoryID) async throws -> Lockout? {
                try await world.read { try $0.lockout(key, in: directory) }
            }
            try expectEqual(try await found(in: world.home), put, "home")
            try expectEqual(try await found(in: world.other), other, "other")
            try await world.write { try $0.put(lockout(at: 9, in: world.home), until: Sample.at(60)) }
            try expectEqual(try await found(in: world.home), lockout(at: 9, in: world.home), "in its place")
            try expect(try await world.write { try $0.deleteLockout(key, in: world.home) }, "deleted")
            try expect(try await !world.write { try $0.deleteLockout(key, in: world.home) }, "deleted twice")
            try expectEqual(try await found(in: world.home), nil, "gone")
            try expectEqual(try await found(in: world.other), other, "other stays")
        },
        ConformanceCase("G-8.1 of many wrong passwords at once as many are counted as lock, and none is lost") {
            world in
            let answers = try await race(24) { _ in
                try await world.write { tx -> String in
                    var current =
                        try tx.lockout(key, in: world.home)
                        ?? Lockout(key: key, directoryID: world.home, userID: nil)
                    guard current.wait(rule, at: Sample.now) == nil else { return "locked" }
                    let locks = current.fail(rule, at: Sample.now, from: nil)
                    try tx.put(current, until: current.end(rule))
                    return locks ? "locks" : "counted"
                }
            }
            try expectEqual(answers.count { $0 == "counted" }, 4, "counted")
            try expectEqual(answers.count { $0 == "locks" }, 1, "locks")
        },
        ConformanceCase("G-8.7 what is locked is listed, the newest first, page by page, without an owner's own places")
        {
            world in
            let ann = try await world.addUser("ann")
            try await world.write { tx in
                for (name, at) in [("a", 1), ("b", 3), ("c", 2), ("d", 3)] as [(String, Int64)] {
                    try tx.put(
                        lockout(name, at: at, in: world.home, user: name == "a" ? ann.id : nil), until: Sample.at(60))
                }
                try tx.put(lockout("own", at: 4, in: world.home, user: ann.id, isOwn: true), until: Sample.at(60))
                try tx.put(lockout("counted", in: world.home), until: Sample.at(60))
                try tx.put(lockout("a", at: 9, in: world.other), until: Sample.at(60))
            }
            var listed: [Lockout] = []
            while true {
                let position = listed.last.flatMap { last in
                    last.lockedAt.map { LockoutPosition(lockedAt: $0, key: last.key) }
                }
                let page = try await world.read { try $0.lockouts(in: world.home, after: position, limit: 3) }
                listed += page
                if page.count < 3 { break }
            }
            try expectEqual(
                listed.map(\.lockedAt), [3, 3, 2, 1].map { Sample.at($0) }, "times of the list")
            try expectEqual(Set(listed.map(\.key)).count, 4, "each once")
            let ofAnn = try await world.read { try $0.lockouts(of: ann.id, in: world.home) }
            try expectEqual(Set(ofAnn.map(\.key)), [Sample.hash("a"), Sample.hash("own")], "of a user")
        },
        ConformanceCase("G-8.3 the purge takes what has ended, so many at a time") { world in
            try await world.write { tx in
                for index in 0..<4 {
                    try tx.put(lockout("\(index)", at: 0, in: world.home), until: Sample.at(Int64(index)))
                }
            }
            func purge(_ limit: Int) async throws -> Int {
                try await world.write { try $0.purgeLockouts(endedBefore: Sample.at(2), limit: limit) }
            }
            try expectEqual(try await purge(0), 0, "none asked for")
            try expectEqual(try await purge(1), 1, "first")
            try expectEqual(try await purge(3), 1, "rest")
            let left = try await world.read { try $0.lockouts(in: world.home, after: nil, limit: 9).count }
            try expectEqual(left, 2, "left")
        },
        ConformanceCase("G-8.7 a deleted user and a deleted Directory take what is locked of theirs with them") {
            world in
            let ann = try await world.addUser("ann")
            try await world.write { tx in
                try tx.put(lockout("ann", at: 0, in: world.home, user: ann.id), until: Sample.at(60))
                try tx.put(lockout("nobody", at: 0, in: world.home), until: Sample.at(60))
                try tx.put(lockout("nobody", at: 0, in: world.other), until: Sample.at(60))
                _ = try tx.deleteUser(ann.id, in: world.home)
            }
            func keys(in directory: DirectoryID) async throws -> [[UInt8]] {
                try await world.read { try $0.lockouts(in: directory, after: nil, limit: 9).map(\.key) }
            }
            try expectEqual(try await keys(in: world.home), [Sample.hash("nobody")], "without ann")
            try await world.write { _ = try $0.deleteDirectory(world.home) }
            try expectEqual(try await keys(in: world.home), [], "without the Directory")
            try expectEqual(try await keys(in: world.other), [Sample.hash("nobody")], "of the other")
        },
    ]
}
