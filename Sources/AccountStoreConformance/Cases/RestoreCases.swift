// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let restores: [ConformanceCase] = [
        ConformanceCase("R8.17 what a Directory had issued is taken back, and nothing of another's") { world in
            let ann = try await world.addUser("ann")
            let stranger = try Sample.user("bob", in: world.other)
            let message = Sample.message("due", in: world.home)
            try await world.write { tx in
                try tx.insert(stranger)
                try tx.insert(Sample.session("mine", of: ann))
                try tx.insert(Sample.session("theirs", of: stranger))
                try tx.replace(Sample.token("mine", of: ann, .recovery))
                try tx.replace(Sample.token("theirs", of: stranger, .recovery))
                try tx.enqueue(message)
            }
            let taken = try await world.write {
                try $0.takeBackEverything(in: world.home, validSince: Sample.at(99), at: Sample.at(98))
            }
            try expectEqual(taken, RestoreAftermath(sessions: 1, proofs: 1, messages: 1), "taken back")
            try await world.read { tx in
                try expectEqual(
                    try tx.session(SessionID("mine"), in: world.home)?.revocation, .restored, "the session")
                try expectEqual(
                    try tx.session(SessionID("theirs"), in: world.other)?.revokedAt, nil, "another's session")
                try expectEqual(
                    try tx.user(ann.id, in: world.home)?.tokensValidSince, Sample.at(99), "the user's tokens")
                try expectEqual(
                    try tx.user(stranger.id, in: world.other)?.tokensValidSince, stranger.tokensValidSince,
                    "another's tokens")
                try expect(try tx.outboxMessage(message.id) == nil, "the message")
            }
            let again = try await world.write {
                try $0.takeBackEverything(in: world.home, validSince: Sample.at(99), at: Sample.at(98))
            }
            try expectEqual(again, RestoreAftermath(), "a second time")
        }
    ]
}
