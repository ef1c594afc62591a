// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite struct SignOutTests {
    /// A user with three sessions, another with one, and how many of each are left after the first has signed out.
    private func survivors(_ scope: SignOutScope) async throws -> (own: Set<SessionID>, sessions: [IssuedSession]) {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        let other = try await bench.user("o@example.com")
        var sessions: [IssuedSession] = []
        for _ in 0..<3 { sessions.append(try await bench.signIn()) }
        let theirs = try await bench.signIn("o@example.com")
        let call = bench.call(after: .minutes(1))
        try await SignOut(bench.ports)(bench.authenticated(sessions[0], at: call), scope: scope, call: call)
        let left = Set(try await bench.base.sessions(of: user).map(\.id))
        #expect(try await bench.base.sessions(of: other).map(\.id) == [theirs.session.id])
        for issued in sessions {
            let isLeft = left.contains(issued.session.id)
            let access = await bench.error { _ = try await bench.authenticated(issued, at: call) }
            #expect(access == (isLeft ? nil : AuthError(.sessionNotFound)))
            let refresh = await bench.error { _ = try await bench.refresh(issued.refreshToken, at: call) }
            #expect(refresh == (isLeft ? nil : AuthError(.refreshTokenNotFound)))
            if !isLeft { #expect(try await bench.session(issued).revocation == .signedOut) }
        }
        let events = try await bench.base.events(.signedOut)
        #expect(events.count == 1 && events.first?.userID == user.id)
        #expect(events.first?.details["scope"] == .string(scope.rawValue))
        #expect(events.first?.details["session"] == .string(sessions[0].session.id.rawValue))
        return (left, sessions)
    }

    @Test("G-13.2 a local sign-out ends this session alone, at once for both of its tokens")
    func local() async throws {
        let (left, sessions) = try await survivors(.local)
        #expect(left == Set(sessions.dropFirst().map(\.session.id)))
    }

    @Test("G-13.2 a global sign-out ends every session of the user")
    func global() async throws {
        #expect(try await survivors(.global).own.isEmpty)
    }

    @Test("G-6.4 signing the others out spares this session")
    func others() async throws {
        let (left, sessions) = try await survivors(.others)
        #expect(left == [sessions[0].session.id])
    }

    @Test("G-6.2 G-6.6 the list has the sessions that live, the last active first")
    func list() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        try await bench.user("o@example.com")
        let first = try await bench.signIn()
        let second = try await bench.signIn(at: bench.call(after: .days(1)))
        let third = try await bench.signIn(at: bench.call(after: .days(2)))
        try await bench.signIn("o@example.com")
        _ = try await bench.refresh(first.refreshToken, at: bench.call(after: .days(3)))
        let list = SessionList(bench.ports)
        let user = try await bench.authenticated(third, at: bench.call(after: .days(3)))
        #expect(
            try await list.list(user, call: bench.call(after: .days(3))).map(\.id)
                == [first, third, second].map(\.session.id))
        // Unused for thirty days, the second has ended by itself.
        #expect(
            try await list.list(user, call: bench.call(after: .days(31))).map(\.id) == [first, third].map(\.session.id))
    }

    @Test("G-6.3 a user ends one of their own sessions, once, and nobody else's")
    func revokeOne() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        try await bench.user("o@example.com")
        let (first, second) = (try await bench.signIn(), try await bench.signIn())
        let theirs = try await bench.signIn("o@example.com")
        let user = try await bench.authenticated(first)
        let list = SessionList(bench.ports)
        try await list.revoke(second.session.id, of: user, call: bench.call())
        #expect(try await bench.session(second).revocation == .signedOut)
        for id in [second.session.id, theirs.session.id, SessionID("no-such-session")] {
            await #expect(throws: AuthError(.sessionNotFound)) {
                try await list.revoke(id, of: user, call: bench.call())
            }
        }
        _ = try await bench.authenticated(theirs)
        #expect(try await bench.base.events(.sessionRevoked).count == 1)
    }

    @Test("G-6.5 an access token names a live session of its own user, or it opens nothing")
    func authentication() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        let other = try await bench.user("o@example.com")
        let (mine, theirs) = (try await bench.signIn(), try await bench.signIn("o@example.com"))
        let authenticate = SessionAuthentication(bench.ports)
        let found = try await authenticate(user: user.id, session: mine.session.id, call: bench.call())
        #expect(found.user.id == user.id && found.session?.id == mine.session.id)
        #expect(found.identities.map(\.provider) == ["email"])
        for (user, session) in [(user.id, theirs.session.id), (other.id, mine.session.id), (user.id, SessionID(""))] {
            await #expect(throws: AuthError(.sessionNotFound)) {
                try await authenticate(user: user, session: session, call: bench.call())
            }
        }
        var elsewhere = bench.call()
        elsewhere.directory.id = DirectoryID(bench.ports.random.uuid())
        let foreign = elsewhere
        await #expect(throws: AuthError(.userNotFound)) {
            try await authenticate(user: user.id, session: mine.session.id, call: foreign)
        }
    }
}
