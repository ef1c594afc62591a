// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    private static let rule = RateLimitRule(name: "rule", count: 5, period: .minutes(1))
    private static let key = Sample.hash("key")

    static let attempts: [ConformanceCase] = [
        ConformanceCase("R9.8 attempts are counted as the rule judges them, at every time and after a clock set back") {
            world in
            // Of each rule and key one time is kept: the store and the pure rule must agree on it, step by step.
            let rules = [
                rule, RateLimitRule(name: "odd", count: 7, period: TimeSpan(microseconds: 10)),
                RateLimitRule(name: "one", count: 1, period: .hours(1)),
                RateLimitRule(name: "none", count: 0, period: .hours(1)),
                RateLimitRule(name: "long", count: 3, period: .days(100_000)),
            ]
            let steps: [TimeSpan] = [
                .zero, .zero, .zero, .seconds(1), .zero, .zero, .zero, .seconds(12), .zero, .seconds(-30), .zero,
                .hours(1), .zero, .days(-365), .zero, .zero, .minutes(-1), .zero, .seconds(3), .days(400), .zero,
            ]
            for rule in rules {
                var (now, wanted) = (Sample.now, Instant?.none)
                for (index, step) in steps.enumerated() {
                    now = now + step
                    let at = now
                    let verdict = rule.judge(wanted, at: at)
                    if case .room(let end) = verdict { wanted = end }
                    let (isTaken, end) = try await world.write { tx in
                        let key = Sample.hash(rule.name)
                        return try (
                            tx.takeAttempt(rule, key: key, in: world.home, at: at),
                            tx.attemptsEnd(key, in: world.home)
                        )
                    }
                    try expectEqual(isTaken, verdict.decision == .allowed, "\(rule.name), step \(index)")
                    try expectEqual(end, wanted, "\(rule.name), end after step \(index)")
                }
            }
        },
        ConformanceCase("R9.8 attempts that were let through elsewhere are added, up to the limit's end") { world in
            func add(_ seconds: Int64, _ keys: [String], at time: Int64, in directory: DirectoryID) async throws
                -> [Int64?]
            {
                try await world.write { tx in
                    let additions = keys.map {
                        AttemptAddition(
                            key: Sample.hash($0), directory: directory, debt: .seconds(seconds), size: .seconds(60))
                    }
                    let ends = try tx.addAttempts(additions, at: Sample.at(time))
                    return keys.map { ends[Sample.hash($0)].map { ($0 - Sample.now).seconds } }
                }
            }
            try expectEqual(try await add(12, ["a"], at: 0, in: world.home), [12], "the first")
            try expectEqual(try await add(24, ["a", "b"], at: 0, in: world.home), [36, 24], "to what is there")
            try expectEqual(try await add(24, ["a"], at: 0, in: world.home), [60], "up to the end")
            try expectEqual(try await add(12, ["a"], at: 0, in: world.home), [60], "and no further")
            try expectEqual(try await add(0, ["a"], at: 0, in: world.home), [60], "nothing is added")
            try expectEqual(try await add(12, ["a"], at: 0, in: world.other), [12], "elsewhere")
            try expectEqual(try await add(12, ["a"], at: 90, in: world.home), [102], "what was is forgotten")
            // What a clock that was set back has left ahead is none; a moment is no sign of that.
            try expectEqual(try await add(12, ["a"], at: -30, in: world.home), [102], "a little ahead")
            try expectEqual(try await add(12, ["a"], at: -9000, in: world.home), [-8988], "far ahead")
            try expectEqual(
                try await add(1, (0..<120).map { "k\($0)" }, at: 0, in: world.home), .init(repeating: 1, count: 120),
                "many")
            try expect(try await world.write { try $0.addAttempts([], at: Sample.now).isEmpty }, "none")
            let isTaken = try await world.write {
                try $0.takeAttempt(rule, key: Sample.hash("b"), in: world.home, at: Sample.now)
            }
            try expect(isTaken, "beside attempts that are counted")
            let end = try await world.read { try $0.attemptsEnd(Sample.hash("b"), in: world.home) }
            try expect(end == Sample.at(36), "with them")
        },
        ConformanceCase("R9.8 of many that count an attempt at once, as many do as the rule has room for") { world in
            let taken = try await race(24) { _ in
                try await world.write { try $0.takeAttempt(rule, key: key, in: world.home, at: Sample.now) }
            }
            try expectEqual(taken.count(where: { $0 }), rule.count, "counted")
        },
        ConformanceCase("R9.8 what is given back can be counted again, and what is forgotten never was") { world in
            func take(_ count: Int, in directory: DirectoryID = world.home) async throws -> Int {
                try await world.write { tx in
                    try (0..<count).count { _ in try tx.takeAttempt(rule, key: key, in: directory, at: Sample.now) }
                }
            }
            try expectEqual(try await take(9), 5, "at once")
            try await world.write { try $0.giveBackAttempt(rule, key: key, in: world.home) }
            try expectEqual(try await take(9), 1, "after one was given back")
            try expectEqual(try await take(9, in: world.other), 5, "in another Directory")
            let ends = try await world.read {
                try $0.attemptsEnds(key, Sample.hash("none"), in: world.home)
            }
            try expectEqual(Set(ends.keys), [key], "of two keys the one that was counted")
            try expectEqual(
                ends[key], try await world.read { try $0.attemptsEnd(key, in: world.home) }, "by one look-up")
            try await world.write { try $0.forgetAttempts(key, in: world.home) }
            try expectEqual(try await world.read { try $0.attemptsEnd(key, in: world.home) }, nil, "forgotten")
            try expectEqual(try await take(9, in: world.other), 0, "forgotten in another Directory")
            try expectEqual(try await take(9), 5, "after all were forgotten")
            // More than there was: no more room than the rule has.
            for _ in 0..<50 { try await world.write { try $0.giveBackAttempt(rule, key: key, in: world.home) } }
            try expectEqual(try await take(9), 5, "after more was given back than was counted")
        },
        ConformanceCase("R9.8 the purge takes the counts that have ended, so many at a time") { world in
            try await world.write { tx in
                for index in 0..<4 {
                    for directory in [world.home, world.other] {
                        _ = try tx.takeAttempt(
                            RateLimitRule(name: "rule", count: 1, period: .seconds(Int64(index) + 1)),
                            key: Sample.hash("\(index)"), in: directory, at: Sample.now)
                    }
                }
            }
            func purge(_ limit: Int) async throws -> Int {
                try await world.write { try $0.purgeAttempts(endedBefore: Sample.at(3), limit: limit) }
            }
            try expectEqual(try await purge(0), 0, "none asked for")
            try expectEqual(try await purge(3), 3, "first")
            try expectEqual(try await purge(3), 1, "rest")
            try expectEqual(try await purge(3), 0, "nothing")
            for index in 0..<4 {
                let end = try await world.read { try $0.attemptsEnd(Sample.hash("\(index)"), in: world.home) }
                try expectEqual(end, index >= 2 ? Sample.at(Int64(index) + 1) : nil, "key \(index)")
            }
        },
    ]
}
