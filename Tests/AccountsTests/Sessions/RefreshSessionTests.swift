// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import AccountModel
@testable import Accounts

/// Refreshing on a real store.
@Suite struct RefreshSessionTests {
    private func justBefore(_ days: Int64) -> TimeSpan { TimeSpan(microseconds: days * 86_400_000_000 - 1) }

    @Test("R25 of fifty refreshes of one token at once, all are given one successor, and the family moves one step")
    func concurrent() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let first = try await bench.signIn()
        let call = bench.call(after: .hours(1))
        let answers = try await withThrowingTaskGroup(of: IssuedSession.self) { group in
            for _ in 0..<50 { group.addTask { try await bench.refresh(first.refreshToken, at: call) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 50)
        #expect(Set(answers.map { $0.refreshToken.reveal() }).count == 1)
        #expect(answers.count { $0.renewal == .rotated } == 1)
        #expect(answers.count { $0.renewal == .repeated(.parentOfLive) } == 49)
        #expect(try await bench.session(first).family.generation == 2)
        let token = try #require(answers.first?.refreshToken)
        #expect(try await bench.refresh(token, at: bench.call(after: .hours(2))).renewal == .rotated)
    }

    @Test("R25 fifty refreshes in which each token is used as soon as it is there leave one live token")
    func concurrentChains() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let first = try await bench.signIn()
        let call = bench.call(after: .hours(1))
        let ends = try await withThrowingTaskGroup(of: Secret<String>.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    var token = first.refreshToken
                    for _ in 0..<3 { token = try await bench.refresh(token, at: call).refreshToken }
                    return token
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let live = try await bench.session(first).family
        #expect(live.generation <= 1 + 30)
        for end in ends {
            let answer = try await bench.refresh(end, at: call)
            #expect(answer.session.id == first.session.id)
        }
    }

    @Test("F2 an answer that was lost is given again, hours later too")
    func lostAnswer() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let first = try await bench.signIn()
        let lost = try await bench.refresh(first.refreshToken, at: bench.call(after: .hours(1)))
        let again = try await bench.refresh(first.refreshToken, at: bench.call(after: .hours(20)))
        #expect(again.refreshToken.reveal() == lost.refreshToken.reveal())
        #expect(again.renewal == .repeated(.parentOfLive))
        #expect(again.accessExpiresAt == bench.now + .hours(21))
    }

    @Test("F3 a token left behind ends the session for good, with a line in the audit log, although the call fails")
    func replay() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        let first = try await bench.signIn()
        let other = try await bench.signIn()
        let second = try await bench.refresh(first.refreshToken, at: bench.call(after: .hours(1)))
        let third = try await bench.refresh(second.refreshToken, at: bench.call(after: .hours(2)))
        let late = bench.call(after: .seconds(7210))
        await #expect(throws: AuthError(.refreshTokenReused)) { try await bench.refresh(first.refreshToken, at: late) }
        #expect(try await bench.session(first).revocation == .replay)
        for token in [first, second, third].map(\.refreshToken) {
            await #expect(throws: AuthError(.refreshTokenReused)) { try await bench.refresh(token, at: late) }
        }
        await #expect(throws: AuthError(.sessionNotFound)) { try await bench.authenticated(third, at: late) }
        let events = try await bench.base.events(.refreshTokenReplayed)
        #expect(events.count == 1)
        #expect(events.first?.userID == user.id)
        #expect(events.first?.details["session"] == .string(first.session.id.rawValue))
        // The user's other device is none of the thief's business.
        #expect(try await bench.refresh(other.refreshToken, at: late).renewal == .rotated)
    }

    @Test("G-5 a plain refresh is in no audit log, and says when the session was last used")
    func quiet() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let first = try await bench.signIn()
        let before = try await bench.base.events().count
        let call = bench.call(after: .hours(5))
        let next = try await bench.refresh(first.refreshToken, at: call)
        #expect(try await bench.base.events().count == before)
        #expect(next.session.lastActiveAt == call.now)
        #expect(try await bench.session(first).lastActiveAt == call.now)
    }

    @Test("R67 whoever was banned, deleted or signed out gets no further token, and the ban is not the session's end")
    func endedUsers() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        let first = try await bench.signIn()
        let call = bench.call(after: .hours(1))
        try await bench.write(user) { $0.bannedUntil = bench.now + .hours(2) }
        await #expect(throws: AuthError(.userBanned)) { try await bench.refresh(first.refreshToken, at: call) }
        await #expect(throws: AuthError(.userBanned)) { try await bench.authenticated(first, at: call) }
        let next = try await bench.refresh(first.refreshToken, at: bench.call(after: .hours(2)))
        try await bench.write(user) { $0.deletedAt = bench.now }
        let later = bench.call(after: .hours(3))
        await #expect(throws: AuthError(.refreshTokenNotFound)) {
            try await bench.refresh(next.refreshToken, at: later)
        }
        await #expect(throws: AuthError(.userNotFound)) { try await bench.authenticated(next, at: later) }
        #expect(try await bench.session(first).family.generation == 2)
    }

    @Test("G-5.4 a session ends with its time box, and when it was not used for too long, to the microsecond")
    func limits() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let idle = try await bench.signIn()
        _ = try await bench.authenticated(idle, at: bench.call(after: justBefore(30)))
        await #expect(throws: AuthError(.sessionExpired)) {
            try await bench.authenticated(idle, at: bench.call(after: .days(30)))
        }
        await #expect(throws: AuthError(.sessionExpired)) {
            try await bench.refresh(idle.refreshToken, at: bench.call(after: .days(30)))
        }
        // Used once a month, it lasts its ninety days and no longer.
        var used = try await bench.refresh(idle.refreshToken, at: bench.call(after: justBefore(30)))
        for days in Int64(2)...3 {
            used = try await bench.refresh(used.refreshToken, at: bench.call(after: .days(29 * days)))
        }
        _ = try await bench.refresh(used.refreshToken, at: bench.call(after: justBefore(90)))
        await #expect(throws: AuthError(.sessionExpired)) {
            try await bench.refresh(used.refreshToken, at: bench.call(after: .days(90)))
        }
    }

    @Test("G-5 limits that the operator tightens count for sessions there are, looser ones do not lengthen them")
    func tightened() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let first = try await bench.signIn()
        let tight = bench.call(after: .hours(1)) { $0.sessions.timebox = 3600 }
        await #expect(throws: AuthError(.sessionExpired)) { try await bench.refresh(first.refreshToken, at: tight) }
        let loose = bench.call(after: .days(90)) {
            $0.sessions.timebox = 0
            $0.sessions.inactivityTimeout = 0
        }
        await #expect(throws: AuthError(.sessionExpired)) { try await bench.refresh(first.refreshToken, at: loose) }
    }

    @Test("R64 a text that this Directory did not make costs no transaction, and ends nobody's session")
    func invented() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let first = try await bench.signIn()
        let forged = RefreshToken(session: first.session.id, generation: 0, secret: [UInt8](repeating: 0, count: 24))
        let writes = bench.store.writes
        let texts = ["", "x", String(repeating: "A", count: 76), forged.encoded(under: Secret([1, 2, 3]))]
        for text in texts + [String(repeating: "a", count: 1 << 20)] {
            await #expect(throws: AuthError(.refreshTokenNotFound)) {
                try await bench.refresh(Secret(text), at: bench.call())
            }
        }
        #expect(bench.store.writes == writes)
        #expect(try await bench.session(first).revokedAt == nil)
    }

    @Test("G-5 a Directory that does not rotate gives the same token back and marks the session used")
    func withoutRotation() async throws {
        let bench = try await PasswordBench { $0.sessions.rotationEnabled = false }
        try await bench.user()
        let first = try await bench.signIn()
        for hours in Int64(1)...3 {
            let next = try await bench.refresh(first.refreshToken, at: bench.call(after: .hours(hours)))
            #expect(next.refreshToken.reveal() == first.refreshToken.reveal() && next.renewal == .kept)
            #expect(try await bench.session(first).lastActiveAt == bench.now + .hours(hours))
        }
    }
}
