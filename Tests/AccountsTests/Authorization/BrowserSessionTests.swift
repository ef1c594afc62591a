// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

@Suite struct BrowserSessionTests {
    private typealias Bench = AuthorizationBench

    /// A browser's session, what a client was given in it, and what it was given to keep.
    private struct Scene {
        let bench: AuthorizationBench
        let user: User
        let parent: BrowserSession
        let online: IssuedSession
        let offline: IssuedSession

        init(_ settings: (inout DirectorySettings) -> Void = { _ in }) async throws {
            bench = try await Bench(settings) { $0.settings.authorization.consent = .notAsked }
            user = try await bench.user("ada@example.com")
            parent = try await bench.browserSession(user)
            online = try await bench.exchange(try await bench.code(nil, parent.cookie))
            offline = try await bench.exchange(
                try await bench.code(bench.request(scopes: ["openid", "offline_access"]), parent.cookie))
        }

        func isAlive(_ issued: IssuedSession) async -> Bool { (try? await bench.refresh(issued)) != nil }
        func isAlive() async throws -> Bool {
            try await bench.flows.browserSessions.find(parent.cookie, call: bench.call()) != nil
        }
    }

    @Test("R11.2 signing out of the browser ends what clients were given there but offline, and says whose that was")
    func signOut() async throws {
        let scene = try await Scene()
        let other = try await Bench.add("other", to: scene.bench.base) { $0.settings.authorization.consent = .notAsked }
        _ = try await scene.bench.exchange(
            try await scene.bench.code(nil, scene.parent.cookie, client: other), client: other)
        let elsewhere = try await scene.bench.browserSession(scene.user)
        let ended = try #require(
            try await scene.bench.flows.browserSessions.end(scene.parent.cookie, call: scene.bench.call()))
        #expect(ended.session.user.id == scene.user.id && ended.session.session.id == scene.parent.session.id)
        // Each once, in whichever order.
        #expect(ended.clients.count == 2 && Set(ended.clients) == [scene.bench.client.id, other.id])
        #expect(try await !scene.isAlive())
        #expect(await !scene.isAlive(scene.online))
        #expect(await scene.isAlive(scene.offline))
        let flows = scene.bench.flows.browserSessions
        #expect(try await flows.find(elsewhere.cookie, call: scene.bench.call()) != nil)
        #expect(try await flows.end(scene.parent.cookie, call: scene.bench.call()) == nil)
        // Whoever comes next is asked.
        #expect(try await scene.bench.step(in: scene.bench.browser(), scene.parent.cookie).kind == "sign in")
    }

    @Test(
        "R14.2 a code opens no more than the browser's session shows by then: a factor may have gone since it was given"
    )
    func loweredCode() async throws {
        let bench = try await Bench { _ in
        } _: {
            $0.settings.authorization.consent = .notAsked
        }
        let user = try await bench.user("ada@example.com")
        let browser = try await bench.browserSession(user)
        func code() async throws -> String {
            try await bench.ports.write(bench.call()) { step in
                var session = try #require(try step.tx.session(browser.session.id, in: step.directory))
                session.methods = session.methods.adding(AuthenticationMethod(.totp, at: step.now))
                session.assurance = .aal2
                _ = try step.tx.advance(session, from: session.family.generation)
            }
            return try await bench.code(nil, browser.cookie)
        }
        let raised = try await bench.exchange(try await code())
        #expect(raised.session.assurance == .aal2)
        let waiting = try await code()
        try await bench.ports.write(bench.call()) { try FactorSessions($0).lower(of: user) }
        let low = try await bench.exchange(waiting)
        #expect(low.session.assurance == .aal1)
        #expect(low.session.methods.map(\.name) == [.password])
    }

    @Test("R14.2 a browser's session takes over what a sign-in shows by then: its factor or itself may have gone since")
    func loweredSignIn() async throws {
        let bench = try await Bench()
        let user = try await bench.user("ada@example.com")
        let former = try await bench.browserSession(user)
        func signIn() async throws -> IssuedSession {
            try await bench.ports.write(bench.call().inBrowser) { step in
                let current = try #require(try step.tx.user(user.id, in: user.directoryID))
                let proof = SignInProof(.password, at: step.now).adding(AuthenticationMethod(.totp, at: step.now))
                return try SessionIssuer(step).conclude(proof, of: current).get().session()
            }
        }
        let issued = try await signIn()
        #expect(issued.session.assurance == .aal2)
        try await bench.ports.write(bench.call()) { try FactorSessions($0).lower(of: user) }
        let flow = bench.flows.browserSessions
        let next = try await flow.begin(issued, over: former.cookie, call: bench.call())
        #expect(next.session.id == former.session.id)
        let stored = try #require(try await bench.session(next.session.id))
        #expect(stored.assurance == .aal1 && stored.methods.map(\.name) == [.password])
        let ended = try await signIn()
        try await bench.ports.write(bench.call()) {
            _ = try SessionEnding($0).end(ended.session.id, because: .replaced)
        }
        _ = try await flow.begin(ended, over: next.cookie, call: bench.call())
        #expect(try await bench.session(next.session.id)?.assurance == .aal1)
    }

    @Test("R11.2 a new password, a ban and an administrator end the browser's session and what came of it")
    func ended() async throws {
        let replaced = try await Scene()
        let bench = replaced.bench
        var attributes = UserAttributes()
        attributes.password = Secret(AccountBench.password)
        _ = try await UserAdministration(bench.ports).update(replaced.user.id, attributes, call: bench.base.call())
        #expect(try await !replaced.isAlive())
        #expect(await !replaced.isAlive(replaced.online))
        // A new password takes everything: whoever knew the old one may have it.
        #expect(await !replaced.isAlive(replaced.offline))

        let banned = try await Scene()
        try await banned.bench.ban(banned.user)
        #expect(try await !banned.isAlive())
        #expect(await !banned.isAlive(banned.online))
        #expect(await !banned.isAlive(banned.offline))

        let revoked = try await Scene()
        _ = try await revoked.bench.ports.store.write { tx in
            try tx.revoke(
                revoked.parent.session.id, in: revoked.user.directoryID, because: .administrator,
                at: revoked.bench.base.now)
        }
        #expect(try await !revoked.isAlive())
        #expect(await !revoked.isAlive(revoked.online))
        #expect(await revoked.isAlive(revoked.offline))
    }

    @Test("R11.2 where the time of the browser's session is over, that of its clients is, but offline")
    func timeOver() async throws {
        let boxed = try await Scene { $0.sessions.timebox = 3600 }
        #expect(boxed.online.session.notAfter == boxed.parent.session.notAfter)
        let idle = try await Scene { $0.sessions.inactivityTimeout = 3600 }
        idle.bench.base.advance(by: .minutes(40))
        let online = try await idle.bench.refresh(idle.online)
        let offline = try await idle.bench.refresh(idle.offline)
        idle.bench.base.advance(by: .minutes(40))
        await #expect(throws: AuthError(.sessionExpired)) { try await idle.bench.refresh(online) }
        #expect(await idle.isAlive(offline))
    }

    @Test(
        "R11.2 a browser's session whose user signs in anew lasts as long as one that begins with it, under its own name"
    )
    func timeBegunAnew() async throws {
        let scene = try await Scene { $0.sessions.timebox = 3600 }
        let (bench, flows) = (scene.bench, scene.bench.flows.browserSessions)
        bench.base.advance(by: .minutes(50))
        let again = try await bench.browserSession(scene.user, over: scene.parent.cookie)
        #expect(again.session.id == scene.parent.session.id)
        #expect(again.session.notAfter == bench.base.now + .seconds(3600))
        let online = try await bench.exchange(try await bench.code(nil, again.cookie))
        bench.base.advance(by: .minutes(50))
        #expect(try await flows.find(again.cookie, call: bench.call()) != nil)
        let refreshed = try await bench.refresh(online)
        bench.base.advance(by: .minutes(11))
        #expect(try await flows.find(again.cookie, call: bench.call()) == nil)
        await #expect(throws: AuthError(.sessionExpired)) { try await bench.refresh(refreshed) }
    }

    @Test("R11.2 a cookie is good in its Directory and by its dialect alone, and costs no write within a minute")
    func cookies() async throws {
        let scene = try await Scene()
        let (bench, flows) = (scene.bench, scene.bench.flows)
        let other = try await DirectoryAdministration(bench.ports).create(name: "other", at: bench.base.now)
        var elsewhere = bench.call()
        elsewhere.directory = other
        for (text, call) in [
            (scene.parent.cookie.reveal(), elsewhere), ("", bench.call()),
            (scene.online.refreshToken.reveal(), bench.call()), (String(repeating: "a", count: 100_000), bench.call()),
            (String(scene.parent.cookie.reveal().dropLast()), bench.call()),
        ] {
            #expect(try await flows.browserSessions.find(Secret(text), call: call) == nil)
            #expect(try await flows.browserSessions.end(Secret(text), call: call) == nil)
        }
        #expect(try await flows.browserSessions.find(nil, call: bench.call()) == nil)
        // A browser's session is none of an app's: neither refreshed there nor by a client.
        await #expect(throws: AuthError(.refreshTokenNotFound)) {
            try await flows.refreshSession(scene.parent.cookie.reveal(), scopes: nil, call: bench.call())
        }
        bench.base.advance(by: .seconds(59))
        #expect(
            try await flows.browserSessions.find(scene.parent.cookie, call: bench.call())?.session.lastActiveAt
                == scene.parent.session.lastActiveAt)
        bench.base.advance(by: .seconds(1))
        #expect(
            try await flows.browserSessions.find(scene.parent.cookie, call: bench.call())?.session.lastActiveAt
                == bench.base.now)
    }

    @Test("R11.2 a Directory that allows one session lets it sign in to several apps")
    func singlePerUser() async throws {
        let scene = try await Scene { $0.sessions.singlePerUser = true }
        #expect(try await scene.isAlive())
        #expect(await scene.isAlive(scene.online))
        let second = try await scene.bench.browserSession(scene.user, over: scene.parent.cookie)
        #expect(second.session.id != scene.parent.session.id)
        #expect(try await !scene.isAlive())
        #expect(await !scene.isAlive(scene.online))
    }

    @Test("R11.2 the browser's session and its clients' are listed with the user's, and end like any other")
    func listed() async throws {
        let scene = try await Scene()
        let sessions = try await scene.bench.ports.store.read { [user = scene.user] in
            try $0.sessions(of: user.id, in: user.directoryID)
        }
        #expect(
            Set(sessions.map(\.id))
                == [scene.parent.session.id, scene.online.session.id, scene.offline.session.id])
        let list = SessionList(scene.bench.ports)
        let authenticated = AuthenticatedUser(user: scene.user, identities: [], session: nil)
        try await list.revoke(scene.parent.session.id, of: authenticated, call: scene.bench.call())
        #expect(try await list.list(authenticated, call: scene.bench.call()).map(\.id) == [scene.offline.session.id])
    }
}
