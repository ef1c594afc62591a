// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

extension StoreConformance {
    static let signUps: [ConformanceCase] = [
        ConformanceCase("a sign-up keeps every field, and is found in its Directory only") { world in
            let user = try await world.addUser("ann")
            var bare = SignUpAttempt(
                id: SignUpAttemptID("bare"), directoryID: world.home, userID: user.id, createdAt: Sample.at(1))
            bare.userMetadata = [:]
            let (full, empty) = (try Sample.signUp("full", of: user), bare)
            try await world.write { tx in
                try tx.insert(full)
                try tx.insert(empty)
            }
            for attempt in [full, empty] {
                let found = try await world.read { try $0.signUpAttempt(attempt.id, in: world.home) }
                try expectSame(found, attempt, "by identifier")
                let foreign = try await world.read { try $0.signUpAttempt(attempt.id, in: world.other) }
                try expect(foreign == nil, "found elsewhere")
            }
            let elsewhere = try await world.read { try $0.signUpAttempts(of: user.id, in: world.other) }
            try expect(elsewhere.isEmpty, "found elsewhere")
        },
        ConformanceCase("a user's sign-ups are listed, the newest first, and go one by one or together") { world in
            let user = try await world.addUser("ann")
            let stranger = try await world.addUser("bob")
            try await world.write { tx in
                for (index, id) in ["b", "a", "c"].enumerated() {
                    var attempt = try Sample.signUp(id, of: user)
                    // "b" and "a" share a time: the identifier decides.
                    attempt.createdAt = Sample.at(index < 2 ? 1 : 2)
                    try tx.insert(attempt)
                }
                try tx.insert(try Sample.signUp("foreign", of: stranger))
            }
            func list() async throws -> [String] {
                try await world.read { try $0.signUpAttempts(of: user.id, in: world.home).map(\.id.rawValue) }
            }
            try expectEqual(try await list(), ["c", "b", "a"], "all")
            try await world.write { try $0.deleteSignUpAttempt(SignUpAttemptID("b"), in: world.other) }
            try await world.write { try $0.deleteSignUpAttempt(SignUpAttemptID("c"), in: world.home) }
            try expectEqual(try await list(), ["b", "a"], "after one")
            try await world.write { try $0.deleteSignUpAttempts(of: user.id, in: world.other) }
            try expectEqual(try await list(), ["b", "a"], "after none")
            try await world.write { try $0.deleteSignUpAttempts(of: user.id, in: world.home) }
            try expectEqual(try await list(), [], "after all")
            let foreign = try await world.read { try $0.signUpAttempts(of: stranger.id, in: world.home) }
            try expectEqual(foreign.count, 1, "the stranger's")
            _ = try await world.write { try $0.deleteUser(stranger.id, in: world.home) }
            let orphan = try await world.read { try $0.signUpAttempt(SignUpAttemptID("foreign"), in: world.home) }
            try expect(orphan == nil, "it outlived its user")
        },
        ConformanceCase("each sign-up has one token of its own, which goes with it, beside one that is of none") {
            world in
            let user = try await world.addUser("ann")
            func token(_ id: String, _ signUp: String?) -> OneTimeToken {
                var token = Sample.token(id, of: user, .signUpConfirmation)
                token.signUp = signUp.map { SignUpAttemptID($0) }
                return token
            }
            let (own, first, second, again) = (token("own", nil), token("1", "a"), token("2", "b"), token("3", "a"))
            try await world.write { tx in
                for id in ["a", "b"] { try tx.insert(try Sample.signUp(id, of: user)) }
                for token in [own, first, second, again] { try tx.replace(token) }
            }
            func list() async throws -> [String] {
                try await world.read {
                    try $0.oneTimeTokens(of: user.id, purpose: .signUpConfirmation, in: world.home).map(\.id.rawValue)
                        .sorted()
                }
            }
            try expectEqual(try await list(), ["2", "3", "own"], "tokens")
            let single = try await world.read {
                try $0.oneTimeToken(of: user.id, purpose: .signUpConfirmation, in: world.home)
            }
            try expectSame(single, own, "of no sign-up")
            let kept = try await world.read { try $0.oneTimeToken(linkHash: again.linkHash, in: world.home) }
            try expectSame(kept, again, "of a sign-up")
            try await world.write { try $0.deleteSignUpAttempt(SignUpAttemptID("a"), in: world.home) }
            try expectEqual(try await list(), ["2", "own"], "after the sign-up")
            // A message answered does not take the sign-up with it: what it asked for is still to be done.
            _ = try await world.write { try $0.consume(second.id) }
            let left = try await world.read { try $0.signUpAttempt(SignUpAttemptID("b"), in: world.home) }
            try expect(left != nil, "the sign-up went with its token")
        },
    ]
}
