// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    private static func recovery(
        of user: User, due: Int64 = 5, end: Int64 = 9, told: Int64? = nil
    ) -> FactorRecovery {
        FactorRecovery(
            directoryID: user.directoryID, userID: user.id, requestedAt: Sample.at(1), dueAt: Sample.at(due),
            endsAt: Sample.at(end), toldAt: told.map { Sample.at($0) })
    }

    static let factorRecoveries: [ConformanceCase] = [
        ConformanceCase(
            "G-9.8 a recovery of factors comes back as it was put, is its user's only one, and goes with them"
        ) {
            world in
            let (ann, ben) = (try await world.addUser("ann"), try await world.addUser("ben"))
            let (first, second, other) = (recovery(of: ann), recovery(of: ann, due: 6, told: 7), recovery(of: ben))
            let counted = (Sample.hash("counted"), Sample.hash("nothing"))
            func standing(of user: User) async throws -> (ends: [[UInt8]: Instant], isRecovering: Bool) {
                try await world.read {
                    try $0.attemptsEnds(counted.0, counted.1, in: user.directoryID, andRecoveryOf: user.id)
                }
            }
            let before = try await standing(of: ann)
            try expect(before.ends.isEmpty && !before.isRecovering, "nothing yet")
            let rule = RateLimitRule(name: "rule", count: 5, period: .minutes(1))
            try await world.write { tx in
                try tx.put(first)
                try tx.put(other)
                _ = try tx.takeAttempt(rule, key: counted.0, in: world.home, at: Sample.now)
            }
            let both = try await standing(of: ann)
            try expectEqual(Array(both.ends.keys), [counted.0], "what was counted")
            try expectEqual(
                both.ends, try await world.read { try $0.attemptsEnds(counted.0, counted.1, in: world.home) },
                "until when")
            try expect(both.isRecovering, "beside it")
            func found(_ user: User) async throws -> FactorRecovery? {
                try await world.read { try $0.factorRecovery(of: user.id, in: user.directoryID) }
            }
            try expectEqual(try await found(ann), first, "put")
            try await world.write { try $0.put(second) }
            try expectEqual(try await found(ann), second, "in its place")
            let elsewhere = try await world.read { try $0.factorRecovery(of: ann.id, in: world.other) }
            try expect(elsewhere == nil, "in another Directory")
            let winners = try await race(24) { _ in
                try await world.write { try $0.deleteFactorRecovery(of: ann.id, in: world.home) }
            }
            try expectEqual(winners.count { $0 }, 1, "winners")
            try expectEqual(try await found(ann), nil, "gone")
            try expect(try await !standing(of: ann).isRecovering, "nor beside what was counted")
            try expectEqual(try await found(ben), other, "other stays")
            _ = try await world.write { try $0.deleteUser(ben.id, in: world.home) }
            try expectEqual(try await found(ben), nil, "gone with its user")
        },
        ConformanceCase("G-9.8 whose wait is over is found once, the first due first, and what has ended is purged") {
            world in
            let users = [
                try await world.addUser("ann"), try await world.addUser("ben"), try await world.addUser("cid"),
                try await world.addUser("dan"),
            ]
            let all = [
                recovery(of: users[0], due: 5), recovery(of: users[1], due: 3), recovery(of: users[2], due: 2, told: 2),
                recovery(of: users[3], due: 6, end: 12),
            ]
            try await world.write { tx in for recovery in all { try tx.put(recovery) } }
            func due(_ at: Int64, limit: Int = 9) async throws -> [UserID] {
                try await world.read { try $0.factorRecoveries(dueAt: Sample.at(at), limit: limit).map(\.userID) }
            }
            try expectEqual(try await due(5), [users[1].id, users[0].id], "at 5")
            try expectEqual(try await due(5, limit: 1), [users[1].id], "one of them")
            try expectEqual(try await due(2), [], "at 2")
            func purge(_ limit: Int) async throws -> Int {
                try await world.write { try $0.purgeFactorRecoveries(endedBefore: Sample.at(10), limit: limit) }
            }
            try expectEqual(try await purge(2), 2, "two of them")
            try expectEqual(try await purge(9), 1, "the third")
            try expectEqual(try await due(99), [users[3].id], "what has not ended stays")
        },
    ]
}
