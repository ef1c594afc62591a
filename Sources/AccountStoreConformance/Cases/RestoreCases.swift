// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    /// All of a kind, in turns of so many rows.
    private static func takeBack(
        _ kind: IssuedKind, _ world: World, rows: Int
    ) async throws -> (taken: [DirectoryID: RestoreAftermath], turns: Int) {
        var (taken, turns, last) = ([DirectoryID: RestoreAftermath](), 0, [String]?.none)
        repeat {
            let turn = try await world.write { [last] in
                try $0.takeBack(kind, after: last, limit: rows, validSince: Sample.at(99), at: Sample.at(98))
            }
            taken.merge(turn.taken, uniquingKeysWith: +)
            last = turn.last
            turns += 1
        } while last != nil
        return (taken, turns)
    }

    private static func takeBackAll(_ world: World, rows: Int) async throws -> [DirectoryID: RestoreAftermath] {
        var taken: [DirectoryID: RestoreAftermath] = [:]
        for kind in IssuedKind.allCases {
            taken.merge(try await takeBack(kind, world, rows: rows).taken, uniquingKeysWith: +)
        }
        return taken
    }

    static let restores: [ConformanceCase] = [
        ConformanceCase("R8.17 what a store had issued is taken back in turns, and counted by Directory") { world in
            let ann = try await world.addUser("ann")
            let stranger = try Sample.user("bob", in: world.other)
            let message = Sample.message("due", in: world.home)
            let sent: OutboxMessage = {
                var message = Sample.message("sent", in: world.home)
                message.state = .sent
                return message
            }()
            try await world.write { tx in
                try tx.insert(stranger)
                try tx.insert(Sample.session("mine", of: ann))
                try tx.insert(Sample.session("theirs", of: stranger))
                try tx.replace(Sample.token("mine", of: ann, .recovery))
                try tx.replace(Sample.token("theirs", of: stranger, .recovery))
                try tx.enqueue(message)
                try tx.enqueue(sent)
            }
            try expectEqual(
                try await takeBackAll(world, rows: 1),
                [
                    world.home: RestoreAftermath(sessions: 1, proofs: 1, messages: 1),
                    world.other: RestoreAftermath(sessions: 1, proofs: 1),
                ], "taken back")
            try await world.read { tx in
                for (session, directory) in [("mine", world.home), ("theirs", world.other)] {
                    let ended = try tx.session(SessionID(session), in: directory)
                    try expectEqual(ended?.revocation, .restored, session)
                    try expectEqual(ended?.revokedAt, Sample.at(98), session)
                }
                for (user, directory) in [(ann.id, world.home), (stranger.id, world.other)] {
                    try expectEqual(
                        try tx.user(user, in: directory)?.tokensValidSince, Sample.at(99), "the tokens of \(user)")
                    try expect(
                        try tx.oneTimeToken(of: user, purpose: .recovery, in: directory) == nil, "the link of \(user)")
                }
                try expect(try tx.outboxMessage(message.id) == nil, "the message")
                try expect(try tx.outboxMessage(sent.id) != nil, "what was sent is no message that is owed")
            }
            try expectEqual(try await takeBackAll(world, rows: 1), [:], "a second time")
        },
        ConformanceCase(
            "R8.17 a turn is as long as it is told, goes on where the last one ended, and passes over what is done"
        ) {
            world in
            let ann = try await world.addUser("ann")
            try await world.write { tx in
                for number in 0..<5 { try tx.insert(Sample.session("s\(number)", of: ann)) }
            }
            let first = try await world.write {
                try $0.takeBack(.sessions, after: nil, limit: 2, validSince: Sample.at(99), at: Sample.at(98))
            }
            try expectEqual(first.taken, [world.home: RestoreAftermath(sessions: 2)], "the first turn")
            let live = try await world.read { tx in
                try (0..<5).count { try tx.session(SessionID("s\($0)"), in: world.home)?.revokedAt == nil }
            }
            try expectEqual(live, 3, "sessions that live on after it")
            // As after a cut: from the beginning.
            let rest = try await takeBack(.sessions, world, rows: 2)
            try expectEqual(rest.taken, [world.home: RestoreAftermath(sessions: 3)], "the others")
            try expectEqual(rest.turns, 3, "turns")
        },
    ]
}
