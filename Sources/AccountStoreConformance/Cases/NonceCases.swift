// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let nonces: [ConformanceCase] = [
        ConformanceCase("R9.8 a nonce is spent once, in its own Directory") { world in
            let nonce = Sample.hash("nonce")
            func spend(in directory: DirectoryID) async throws -> Bool {
                try await world.write { try $0.spend(nonce, in: directory, until: Sample.at(60)) }
            }
            func isSpent(in directory: DirectoryID) async throws -> Bool {
                try await world.read { try $0.isSpent(nonce, in: directory) }
            }
            try expect(try await !isSpent(in: world.home), "spent before")
            try expect(try await spend(in: world.home), "first")
            try expect(try await !spend(in: world.home), "second")
            try expect(try await isSpent(in: world.home), "not spent after")
            try expect(try await !isSpent(in: world.other), "spent in another Directory")
            try expect(try await spend(in: world.other), "in another Directory")
        },
        ConformanceCase("R9.8 of many that spend one nonce at once, one does") { world in
            let nonce = Sample.hash("nonce")
            let winners = try await race(24) { _ in
                try await world.write { try $0.spend(nonce, in: world.home, until: Sample.at(60)) }
            }
            try expectEqual(winners.count(where: { $0 }), 1, "winners")
        },
        ConformanceCase("R9.8 a nonce stays unspent where what it allowed has failed") { world in
            struct Failure: Error {}
            let nonce = Sample.hash("nonce")
            do {
                try await world.write { tx in
                    _ = try tx.spend(nonce, in: world.home, until: Sample.at(60))
                    throw Failure()
                }
            } catch is Failure {}
            try expect(try await !world.read { try $0.isSpent(nonce, in: world.home) }, "spent by a failure")
            try expect(
                try await world.write { try $0.spend(nonce, in: world.home, until: Sample.at(60)) }, "spent again")
        },
        ConformanceCase("R9.8 the purge takes the nonces of expired tickets, so many at a time") { world in
            try await world.write { tx in
                for index in 0..<4 {
                    for directory in [world.home, world.other] {
                        _ = try tx.spend(
                            Sample.hash("\(index)"), in: directory, until: Sample.at(Int64(index)))
                    }
                }
            }
            func purge(_ limit: Int) async throws -> Int {
                try await world.write { try $0.purgeNonces(expiredBefore: Sample.at(2), limit: limit) }
            }
            try expectEqual(try await purge(0), 0, "none asked for")
            try expectEqual(try await purge(3), 3, "first")
            try expectEqual(try await purge(3), 1, "rest")
            try expectEqual(try await purge(3), 0, "nothing")
            for index in 0..<4 {
                let isSpent = try await world.read { try $0.isSpent(Sample.hash("\(index)"), in: world.home) }
                try expectEqual(isSpent, index >= 2, "nonce \(index)")
            }
        },
        ConformanceCase("R9.8 a deleted Directory takes its nonces and counts with it") { world in
            let key = Sample.hash("key")
            let rule = RateLimitRule(name: "rule", count: 1, period: .minutes(1))
            try await world.write { tx in
                for directory in [world.home, world.other] {
                    _ = try tx.spend(key, in: directory, until: Sample.at(60))
                    _ = try tx.takeAttempt(rule, key: key, in: directory, at: Sample.now)
                }
                _ = try tx.deleteDirectory(world.home)
            }
            let (home, other) = try await world.read { tx in
                try (
                    tx.isSpent(key, in: world.home) || tx.attemptsEnd(key, in: world.home) != nil,
                    tx.isSpent(key, in: world.other) && tx.attemptsEnd(key, in: world.other) != nil
                )
            }
            try expect(!home, "left of the deleted one")
            try expect(other, "of the other")
        },
    ]
}
