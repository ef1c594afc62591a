// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let authorizationCodes: [ConformanceCase] = [
        ConformanceCase("an authorization code keeps every field") { world in
            let user = try await world.addUser("ann")
            let code = Sample.code("one", of: user)
            var used = Sample.code("two", of: user)
            used.usedAt = Sample.at(8)
            used.sessionID = SessionID("session")
            used.parentID = nil
            used.request = AuthorizationRequest(challenge: nil)
            used.methods = []
            used.upstream = nil
            try await world.write { [used] tx in
                try tx.insert(code)
                try tx.insert(used)
            }
            for wanted in [code, used] {
                let found = try await world.read { try $0.authorizationCode(hash: wanted.codeHash, in: world.home) }
                try expectSame(found, wanted, "code")
                try expectEqual(found?.upstream?.access?.reveal(), wanted.upstream?.access?.reveal(), "access token")
                try expectEqual(found?.upstream?.refresh?.reveal(), wanted.upstream?.refresh?.reveal(), "refresh token")
            }
            let elsewhere = try await world.read { try $0.authorizationCode(hash: code.codeHash, in: world.other) }
            try expect(elsewhere == nil, "elsewhere")
        },
        ConformanceCase("of 50 callers that use an authorization code at once, one does") { world in
            let user = try await world.addUser("ann")
            let code = Sample.code("one", of: user)
            try await world.write { try $0.insert(code) }
            let won = try await race(50) { index in
                let session = SessionID("session \(index)")
                return try await world.write { tx in
                    try tx.use(code.id, session: session, at: Sample.at(Int64(index))) ? index : nil
                }
            }.compactMap { $0 }
            try expectEqual(won.count, 1, "winners")
            // A replay must find the session that the code became: that of the winner.
            let found = try await world.read { try $0.authorizationCode(hash: code.codeHash, in: world.home) }
            try expectEqual(found?.sessionID, won.first.map { SessionID("session \($0)") }, "session")
            try expectEqual(found?.usedAt, won.first.map { Sample.at(Int64($0)) }, "time")
            try expect(
                try await world.write { try !$0.use(FlowStateID("none"), session: SessionID("s"), at: Sample.now) },
                "a code that is not there was used")
        },
        ConformanceCase("what a provider gave is not kept beyond the use of its code") { world in
            let code = Sample.code("one", of: try await world.addUser("ann"))
            try await world.write { try $0.insert(code) }
            let isFirst = try await world.write { try $0.use(code.id, session: nil, at: Sample.now) }
            try expect(isFirst, "unused")
            let found = try await world.read { try $0.authorizationCode(hash: code.codeHash, in: world.home) }
            try expect(found != nil && found?.upstream == nil, "tokens")
        },
        ConformanceCase("a user's authorization codes go together, nobody else's with them") { world in
            let user = try await world.addUser("ann")
            let stranger = try await world.addUser("bob")
            let codes = [
                Sample.code("one", of: user), Sample.code("two", of: user), Sample.code("foreign", of: stranger),
            ]
            try await world.write { tx in
                for code in codes { try tx.insert(code) }
            }
            func left() async throws -> [String] {
                try await world.read { tx in
                    try codes.filter { try tx.authorizationCode(hash: $0.codeHash, in: world.home) != nil }
                        .map(\.id.rawValue)
                }
            }
            try await world.write { try $0.deleteAuthorizationCodes(of: user.id, in: world.other) }
            try expectEqual(try await left(), ["one", "two", "foreign"], "after another Directory's")
            try await world.write { try $0.deleteAuthorizationCodes(of: user.id, in: world.home) }
            try expectEqual(try await left(), ["foreign"], "after the user's")
        },
        ConformanceCase("how often a user's authorization codes were ended is known, whatever an update says") {
            world in
            let user = try await world.addUser("ann")
            let stranger = try await world.addUser("bob")
            try await world.write { tx in
                try tx.deleteAuthorizationCodes(of: user.id, in: world.other)
                try tx.deleteAuthorizationCodes(of: user.id, in: world.home)
                let ended = try tx.user(user.id, in: world.home)
                try tx.deleteAuthorizationCodes(of: user.id, in: world.home)
                if var ended {
                    ended.endedCodes = 0
                    try tx.update(ended)
                }
            }
            let counts = try await world.read { tx in
                try [user, stranger].map { try tx.user($0.id, in: world.home)?.endedCodes }
            }
            try expectEqual(counts, [2, 0], "times")
        },
        ConformanceCase("the purge takes expired tokens and codes, so many at a time") { world in
            let user = try await world.addUser("ann")
            let purposes: [OneTimeToken.Purpose] = [.recovery, .magicLink, .invitation, .phoneChange]
            try await world.write { tx in
                for (index, purpose) in purposes.enumerated() {
                    var token = Sample.token("\(index)", of: user, purpose)
                    token.expiresAt = Sample.at(Int64(index))
                    // The short life of a code is not the token's.
                    token.codeExpiresAt = Sample.at(-100)
                    try tx.replace(token)
                    var code = Sample.code("\(index)", of: user)
                    code.expiresAt = Sample.at(Int64(index))
                    code.usedAt = index == 0 ? Sample.at(-1) : nil
                    try tx.insert(code)
                }
            }
            func purge(_ limit: Int) async throws -> Int {
                try await world.write { try $0.purgeOneTime(expiredBefore: Sample.at(2), limit: limit) }
            }
            try expectEqual(try await purge(0), 0, "none asked for")
            try expectEqual(try await purge(3), 3, "first")
            try expectEqual(try await purge(3), 1, "rest")
            try expectEqual(try await purge(3), 0, "nothing")
            for index in 0..<4 {
                let (token, code) = try await world.read { tx in
                    (
                        try tx.oneTimeToken(linkHash: Sample.hash("link \(index)"), in: world.home) != nil,
                        try tx.authorizationCode(hash: Sample.hash("code \(index)"), in: world.home) != nil
                    )
                }
                try expectEqual(token, index >= 2, "token \(index)")
                try expectEqual(code, index >= 2, "code \(index)")
            }
        },
    ]
}
