// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import AccountModel
@testable import Accounts

@Suite struct SessionIssuerTests {
    private func issue(
        _ bench: PasswordBench, _ user: User, by method: AuthenticationMethod.Name = .magicLink,
        identifier: SignInIdentifier? = nil, call: CallContext? = nil
    ) async throws -> IssuedSession {
        let call = call ?? bench.call()
        return try await bench.ports.write(call) { step in
            let current = try #require(try step.tx.user(user.id, in: user.directoryID))
            return try step.issue(for: current, by: method, identifier: identifier)
        }
    }

    @Test("G-6.1 a session says who, how, when and on which device, and is kept as it was given")
    func contents() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        var call = bench.call()
        call.device = DeviceMetadata(userAgent: "Yoga/1.0 (iPhone)")
        let issued = try await issue(bench, user, by: .password, identifier: bench.email(), call: call)
        let kept = try await bench.session(issued)
        for session in [issued.session, kept] {
            #expect(session.userID == user.id && session.directoryID == user.directoryID)
            #expect(session.methods == [AuthenticationMethod(.password, at: call.now)])
            #expect(session.assurance == .aal1)
            #expect(session.createdAt == call.now && session.lastActiveAt == call.now)
            #expect(session.notAfter == call.now + .days(90))
            #expect(session.device.userAgent == "Yoga/1.0 (iPhone)")
            #expect(session.revokedAt == nil)
        }
        #expect(issued.renewal == .signedIn)
        #expect(issued.accessExpiresAt == call.now + .hours(1))
        let token = try #require(RefreshToken(issued.refreshToken.reveal(), under: bench.base.directory.tokenKey))
        #expect(token.session == kept.id && token.generation == 1 && token.hash == kept.family.liveHash)
    }

    @Test("G-5 a sign-in stamps the user and the identity they came by, in the audit log too")
    func stamps() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user(phone: "+491701234567")
        let call = bench.call(after: .hours(2))
        let issued = try await issue(
            bench, user, by: .password, identifier: .phone(PhoneNumber("+491701234567")), call: call)
        #expect(try await bench.base.reload(user).lastSignInAt == call.now)
        #expect(issued.user.lastSignInAt == call.now)
        for identity in issued.identities {
            #expect((identity.lastSignInAt == call.now) == (identity.provider == "phone"))
        }
        let event = try #require(try await bench.base.events(.signedIn).first)
        #expect(event.userID == user.id && event.at == call.now)
        #expect(event.details["method"] == "password")
        #expect(event.details["session"] == .string(issued.session.id.rawValue))
    }

    @Test("G-5 a session names the user's groups as they are now, at each refresh again")
    func groups() async throws {
        let bench = try await PasswordBench()
        let user = try await bench.user()
        let first = try await issue(bench, user)
        #expect(first.groups.isEmpty)
        var operators = bench.call()
        operators.actor = .commandLine
        let group = try await GroupAdministration(bench.ports).create(name: "teachers", call: operators)
        _ = try await bench.store.write { tx in
            try tx.addMember(user.id, to: group.id, in: user.directoryID, at: bench.now)
        }
        let next = try await bench.refresh(first.refreshToken, at: bench.call(after: .hours(1)))
        #expect(next.groups.map(\.name) == ["teachers"])
    }

    @Test(
        "R68 a banned, deleted or foreign user gets no session by any method, and nothing is written",
        arguments: [
            AuthenticationMethod.Name.password, .oneTimeCode, .magicLink, .emailConfirmation, .recovery, .invitation,
            .emailChange, .anonymous,
        ])
    func refusals(method: AuthenticationMethod.Name) async throws {
        let bench = try await PasswordBench()
        let banned = try await bench.user("b@example.com") { $0.bannedUntil = bench.now + .seconds(1) }
        let deleted = try await bench.user("d@example.com") { $0.deletedAt = bench.now }
        var foreign = try await bench.user("f@example.com")
        await #expect(throws: AuthError(.userBanned)) { try await issue(bench, banned, by: method) }
        await #expect(throws: AuthError(.userNotFound)) { try await issue(bench, deleted, by: method) }
        foreign.directoryID = DirectoryID(bench.ports.random.uuid())
        let stranger = foreign
        await #expect(throws: AuthError(.userNotFound)) {
            try await bench.ports.write(bench.call()) { try $0.issue(for: stranger, by: method) }
        }
        #expect(try await bench.base.events(.signedIn).isEmpty)
        #expect(try await bench.base.sessions(of: banned).isEmpty)
        // The ban is over at the instant it names.
        _ = try await issue(bench, banned, by: method, call: bench.call(after: .seconds(1)))
    }

    @Test("G-4 a typed password needs what was typed to be confirmed; a link or a code is its own proof")
    func unconfirmed() async throws {
        let bench = try await PasswordBench()
        let number = SignInIdentifier.phone(try PhoneNumber("+491701234567"))
        let user = try await bench.user(phone: "+491701234567") { $0.phoneVerifiedAt = nil }
        _ = try await issue(bench, user, by: .password, identifier: bench.email())
        await #expect(throws: AuthError(.phoneNotVerified)) {
            try await issue(bench, user, by: .password, identifier: number)
        }
        try await bench.write(user) { $0.emailVerifiedAt = nil }
        for identifier in [try bench.email(), nil] {
            await #expect(throws: AuthError(.emailNotVerified)) {
                try await issue(bench, user, by: .password, identifier: identifier)
            }
        }
        for method in [AuthenticationMethod.Name.magicLink, .oneTimeCode, .recovery] {
            _ = try await issue(bench, user, by: method)
        }
        let lenient = bench.call { $0.signUp.unverifiedSignIn = .allow }
        _ = try await issue(bench, user, by: .password, identifier: number, call: lenient)
    }

    @Test("G-6 where one session per user is the rule, a sign-in ends the others, and only this user's")
    func singlePerUser() async throws {
        let bench = try await PasswordBench { $0.sessions.singlePerUser = true }
        let (user, other) = (try await bench.user(), try await bench.user("o@example.com"))
        let (first, theirs) = (try await issue(bench, user), try await issue(bench, other))
        let second = try await issue(bench, user, call: bench.call(after: .minutes(1)))
        #expect(try await bench.base.sessions(of: user).map(\.id) == [second.session.id])
        #expect(try await bench.base.sessions(of: other).map(\.id) == [theirs.session.id])
        #expect(try await bench.session(first).revocation == .replaced)
        await #expect(throws: AuthError(.refreshTokenNotFound)) {
            try await bench.refresh(first.refreshToken, at: bench.call(after: .minutes(2)))
        }
        await #expect(throws: AuthError(.sessionNotFound)) { try await bench.authenticated(first) }
    }

    @Test("R30 the access token never outlives the session")
    func accessEnds() async throws {
        let bench = try await PasswordBench {
            $0.sessions.timebox = 5400
            $0.sessions.inactivityTimeout = 0
        }
        let issued = try await issue(bench, await bench.user())
        #expect(issued.accessExpiresAt == bench.now + .hours(1))
        let next = try await bench.refresh(issued.refreshToken, at: bench.call(after: .minutes(50)))
        #expect(next.accessExpiresAt == bench.now + .minutes(90))
        let idle = bench.call { $0.sessions.inactivityTimeout = 600 }
        #expect(try await issue(bench, issued.user, call: idle).accessExpiresAt == bench.now + .minutes(10))
    }

    @Test("G-5 without limits a session has no end")
    func unlimited() async throws {
        let bench = try await PasswordBench {
            $0.sessions.timebox = 0
            $0.sessions.inactivityTimeout = 0
        }
        let issued = try await issue(bench, await bench.user())
        #expect(issued.session.notAfter == nil)
        let next = try await bench.refresh(issued.refreshToken, at: bench.call(after: .days(10_000)))
        #expect(next.accessExpiresAt == bench.now + .days(10_000) + .hours(1))
    }
}
