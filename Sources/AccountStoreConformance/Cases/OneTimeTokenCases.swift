// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let oneTimeTokens: [ConformanceCase] = [
        ConformanceCase("a one-time token keeps every field, whatever its purpose") { world in
            let user = try await world.addUser("ann")
            for purpose in OneTimeToken.Purpose.allCases {
                let full = Sample.token(purpose.rawValue, of: user, purpose)
                try await world.write { try $0.replace(full) }
                let found = try await world.read { try $0.oneTimeToken(linkHash: full.linkHash, in: world.home) }
                try expectSame(found, full, "by link")
            }
            // One purpose does not displace another.
            for purpose in OneTimeToken.Purpose.allCases {
                let found = try await world.read {
                    try $0.oneTimeToken(of: user.id, purpose: purpose, in: world.home)
                }
                try expectSame(found, Sample.token(purpose.rawValue, of: user, purpose), "by user")
            }
            var bare = Sample.token("bare", of: user, .recovery)
            bare.codeChallenge = nil
            try await world.write { [bare] in try $0.replace(bare) }
            let found = try await world.read { [bare] in
                try $0.oneTimeToken(linkHash: bare.linkHash, in: world.home)
            }
            try expectSame(found, bare, "bare")
        },
        ConformanceCase("a one-time token is found in its Directory only") { world in
            let user = try await world.addUser("ann")
            try await world.addUser("ann", in: world.other)
            let token = Sample.token("one", of: user, .recovery)
            try await world.write { try $0.replace(token) }
            let found = try await world.read { tx in
                [
                    try tx.oneTimeToken(linkHash: token.linkHash, in: world.other),
                    try tx.oneTimeToken(of: user.id, purpose: .recovery, in: world.other),
                    try tx.oneTimeTokens(
                        to: token.recipient, purpose: .recovery, in: world.other, askedBy: [], limit: 9
                    ).first,
                    // Right Directory, wrong everything else.
                    try tx.oneTimeToken(linkHash: token.codeHash, in: world.home),
                    try tx.oneTimeToken(of: user.id, purpose: .invitation, in: world.home),
                    try tx.oneTimeTokens(
                        to: token.recipient, purpose: .invitation, in: world.home, askedBy: [], limit: 9
                    ).first,
                ]
            }
            try expect(found.allSatisfy { $0 == nil }, "found \(found)")
        },
        ConformanceCase("a new token takes the place of the user's older one of its purpose") { world in
            let user = try await world.addUser("ann")
            let stranger = try await world.addUser("bob")
            let old = Sample.token("old", of: user, .recovery)
            let new = Sample.token("new", of: user, .recovery)
            let foreign = Sample.token("foreign", of: stranger, .recovery)
            try await world.write { tx in
                try tx.replace(old)
                try tx.replace(foreign)
                try tx.replace(new)
            }
            let (byOldLink, own, other) = try await world.read { tx in
                (
                    try tx.oneTimeToken(linkHash: old.linkHash, in: world.home),
                    try tx.oneTimeToken(of: user.id, purpose: .recovery, in: world.home),
                    try tx.oneTimeToken(of: stranger.id, purpose: .recovery, in: world.home)
                )
            }
            try expect(byOldLink == nil, "the old link still works")
            try expectSame(own, new, "the user's")
            try expectSame(other, foreign, "the stranger's")
            try expect(try await world.write { try !$0.consume(old.id) }, "the old token can be consumed")
        },
        ConformanceCase("of 50 messages asked for at once, one token is left") { world in
            let user = try await world.addUser("ann")
            _ = try await race(50) { index in
                try await world.write { try $0.replace(Sample.token("token \(index)", of: user, .magicLink)) }
            }
            let left = try await world.read { tx in
                try (0..<50).filter {
                    try tx.oneTimeToken(linkHash: Sample.hash("link token \($0)"), in: world.home) != nil
                }
            }
            try expectEqual(left.count, 1, "tokens")
        },
        ConformanceCase("of 50 callers that consume a token at once, one gets it") { world in
            let user = try await world.addUser("ann")
            let token = Sample.token("one", of: user, .recovery)
            let spared = Sample.token("two", of: user, .magicLink)
            try await world.write { tx in
                try tx.replace(token)
                try tx.replace(spared)
            }
            let won = try await race(50) { _ in
                try await world.write { tx in
                    // Each has read the token before any of them consumes it, as a flow does.
                    guard let found = try tx.oneTimeToken(linkHash: token.linkHash, in: world.home) else {
                        return try tx.consume(token.id)
                    }
                    return try tx.consume(found.id)
                }
            }
            try expectEqual(won.count { $0 }, 1, "winners")
            try expect(try await world.write { try !$0.consume(token.id) }, "it came back")
            try expect(try await world.write { try $0.consume(spared.id) }, "the other purpose went with it")
        },
        ConformanceCase("wrong codes are counted, apart for whoever the code is their own, and end no token") { world in
            let user = try await world.addUser("ann")
            var token = Sample.token("one", of: user, .phoneSignIn)
            (token.attempts, token.ownAttempts) = (0, 0)
            try await world.write { [token] in try $0.replace(token) }
            for isOwn in [true, false, true] {
                try await world.write { [token] in try $0.countAttempt(token.id, isOwn: isOwn) }
            }
            let kept = try await world.read { [token] in
                try $0.oneTimeToken(linkHash: token.linkHash, in: world.home)
            }
            try expectEqual(kept?.attempts, 1, "strangers'")
            try expectEqual(kept?.ownAttempts, 2, "own")
            _ = try await world.write { [token] in try $0.consume(token.id) }
            try await world.write { [token] in try $0.countAttempt(token.id, isOwn: true) }
        },
        ConformanceCase("of 50 wrong codes at once, none goes uncounted") { world in
            let user = try await world.addUser("ann")
            var token = Sample.token("one", of: user, .phoneSignIn)
            (token.attempts, token.ownAttempts) = (0, 0)
            try await world.write { [token] in try $0.replace(token) }
            _ = try await race(50) { [token] index in
                try await world.write { try $0.countAttempt(token.id, isOwn: index.isMultiple(of: 2)) }
            }
            let kept = try await world.read { [token] in
                try $0.oneTimeToken(linkHash: token.linkHash, in: world.home)
            }
            try expectEqual(kept?.attempts, 25, "strangers'")
            try expectEqual(kept?.ownAttempts, 25, "own")
        },
        ConformanceCase("tokens to one recipient are listed, whoever asks their own first, and then the newest") {
            world in
            for (index, name) in ["b", "a", "c"].enumerated() {
                let user = try await world.addUser(name)
                var token = Sample.token(name, of: user, .emailChangeNew)
                // "b" and "a" share a time: the identifier decides.
                token.createdAt = Sample.at(index < 2 ? 1 : 2)
                token.askedBy = Array(name.utf8)
                var elsewhere = Sample.token("else " + name, of: user, .emailChangeCurrent)
                elsewhere.recipient = "zoe@example.org"
                try await world.write { [token, elsewhere] tx in
                    try tx.replace(token)
                    try tx.replace(elsewhere)
                }
            }
            func list(_ limit: Int, for asker: String = "") async throws -> [String] {
                try await world.read {
                    try $0.oneTimeTokens(
                        to: "zoe@example.com", purpose: .emailChangeNew, in: world.home, askedBy: Array(asker.utf8),
                        limit: limit
                    ).map(\.id.rawValue)
                }
            }
            try expectEqual(try await list(9), ["c", "b", "a"], "all")
            try expectEqual(try await list(2), ["c", "b"], "limited")
            try expectEqual(try await list(9, for: "a"), ["a", "c", "b"], "with one's own")
            try expectEqual(try await list(1, for: "a"), ["a"], "one's own alone")
        },
        ConformanceCase("a user's tokens go by purpose, or all together") { world in
            let user = try await world.addUser("ann")
            let stranger = try await world.addUser("bob")
            for owner in [user, stranger] {
                for purpose in OneTimeToken.Purpose.allCases {
                    let token = Sample.token("\(owner.id) \(purpose)", of: owner, purpose)
                    try await world.write { try $0.replace(token) }
                }
            }
            func left(_ owner: UserID) async throws -> [OneTimeToken.Purpose] {
                try await world.read { tx in
                    try OneTimeToken.Purpose.allCases.filter {
                        try tx.oneTimeToken(of: owner, purpose: $0, in: world.home) != nil
                    }
                }
            }
            let all = OneTimeToken.Purpose.allCases
            func delete(_ purposes: [OneTimeToken.Purpose]?, in directory: DirectoryID) async throws {
                try await world.write { try $0.deleteOneTimeTokens(of: user.id, in: directory, purposes: purposes) }
            }
            try await delete(nil, in: world.other)
            try await delete([], in: world.home)
            try expectEqual(try await left(user.id), all, "after none")
            try await delete([.recovery, .magicLink], in: world.home)
            try expectEqual(try await left(user.id), all.filter { $0 != .recovery && $0 != .magicLink }, "after two")
            try await delete(nil, in: world.home)
            try expectEqual(try await left(user.id), [], "after all")
            try expectEqual(try await left(stranger.id), all, "the stranger's")
        },
    ]
}
