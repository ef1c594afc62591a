// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let takeOvers: [ConformanceCase] = [
        ConformanceCase("what is known of a take-over keeps every field, and goes on") { world in
            var takeOver = TakeOver(
                source: "elsewhere", directoryID: world.home, moment: "a moment", startedAt: Sample.now)
            try await world.write { [takeOver] in try $0.put(takeOver) }
            func stored(_ source: String = "elsewhere") async throws -> TakeOver? {
                try await world.read { try $0.takeOver(of: source) }
            }
            try expectEqual(try await stored(), takeOver, "begun")
            takeOver.position = "zoë"
            for (index, kind) in TakeOver.Kind.allCases.enumerated() {
                takeOver.taken[kind] = index + 1
                takeOver.left[kind] = index * 100
            }
            takeOver.finishedAt = Sample.at(1)
            try await world.write { [takeOver] in try $0.put(takeOver) }
            try expectEqual(try await stored(), takeOver, "finished")
            try expect(try await stored("another") == nil, "another source")
        },
        ConformanceCase("R25 a token brought along is found in its own Directory, as long as its session is there") {
            world in
            let user = try await world.addUser("ann")
            let session = Sample.session("session", of: user)
            let tokens = ["first", "second"].enumerated().map { index, name in
                BroughtRefreshToken(
                    directoryID: world.home, hash: Sample.hash(name), session: session.id,
                    generation: .max - UInt32(index), hidden: Sample.hash("hidden " + name))
            }
            try await world.write { tx in
                try tx.insert(session)
                try tx.insert(tokens)
            }
            func found(_ name: String, in directory: DirectoryID) async throws -> BroughtRefreshToken? {
                try await world.read { try $0.broughtToken(Sample.hash(name), in: directory) }
            }
            try expectEqual(try await found("first", in: world.home), tokens[0], "first")
            try expectEqual(try await found("second", in: world.home), tokens[1], "second")
            try expect(try await found("first", in: world.other) == nil, "elsewhere")
            do {
                try await world.write { try $0.insert([tokens[0]]) }
                try expect(false, "one token twice")
            } catch is StoreConflict {}
            try await world.write { tx in
                _ = try tx.revoke(session.id, in: world.home, because: .signedOut, at: Sample.now)
                _ = try tx.purgeSessions(endedBefore: Sample.at(1), limit: 9)
            }
            try expect(try await found("first", in: world.home) == nil, "after its session")
        },
    ]
}
