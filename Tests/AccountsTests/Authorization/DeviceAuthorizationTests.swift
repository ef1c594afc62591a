// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

/// A device that its user lets in by a browser elsewhere (RFC 8628).
@Suite struct DeviceAuthorizationTests {
    /// A device's client, a user who is signed in in a browser, and what the device asks for.
    private struct Scene {
        let bench: AuthorizationBench
        let user: User
        let browser: BrowserSession
        let device: BeginDeviceAuthorization.Begun

        init(
            _ scopes: [String] = ["openid", "email"], _ change: @escaping (inout Client) -> Void = { _ in }
        ) async throws {
            bench = try await AuthorizationBench {
                _ in
            } _: {
                $0.settings.authorization.grants = [.deviceCode, .refreshToken]
                $0.settings.authorization.redirectURIs = []
                $0.settings.authorization.resources = ["https://api.example"]
                change(&$0)
            }
            user = try await bench.user("ada@example.com")
            browser = try await bench.browserSession(user)
            device = try await bench.flows.beginDeviceAuthorization(
                scopes: scopes, resources: ["https://api.example"], call: bench.call())
        }

        func answer(_ allow: Bool = true, as user: User? = nil) async throws -> Bool {
            try await bench.flows.answerDeviceAuthorization(
                device.userCode, allow: allow, of: (user ?? self.user).id, session: browser.cookie, call: bench.call())
        }

        func question(_ code: DeviceUserCode? = nil, origin: String? = nil) async throws -> String? {
            var call = bench.call()
            call.origin = origin
            return try await bench.flows.answerDeviceAuthorization.question(
                code ?? device.userCode, session: browser.cookie, call: call
            ).map { "\($0.client.id) \($0.user.id == user.id) \($0.scopes.joined(separator: " "))" }
        }

        func poll(client: Client? = nil) async throws -> IssuedSession {
            try await bench.flows.exchangeDeviceCode(device.deviceCode.reveal(), call: bench.call(client))
        }

        /// What a poll is told.
        func told(client: Client? = nil) async throws -> AuthorizationErrorCode? {
            do {
                _ = try await poll(client: client)
                return nil
            } catch let refusal as AuthorizationRefusal {
                return refusal.code
            }
        }
    }

    @Test("R11.9 RFC 8628, section 6.1: a user's code is eight consonants in two groups, read however it is typed")
    func userCode() throws {
        let letters = Set("BCDFGHJKLMNPQRSTVWXZ")
        for _ in 0..<200 {
            let text = DeviceUserCode(random: SystemRandomSource()).text
            #expect(text.count == 9 && text.filter(letters.contains).count == 8 && text.dropFirst(4).first == "-")
        }
        let code = try #require(DeviceUserCode(typed: "WDJB-MJHT"))
        for typed in ["wdjbmjht", " Wdjb mjht\n", "W D J B – M J H T", "wdjb_mjht", "(WDJB)MJHT."] {
            #expect(DeviceUserCode(typed: typed) == code, "\(typed)")
        }
        for typed in [
            "", "WDJB-MJH", "WDJB-MJHTB", "WDJB-MJH1", "WDJB-MJHA", "ŴDJB-MJHT", "WDJB-MJHＴ", "1WDJBMJHT",
            String(repeating: " ", count: 60) + "WDJBMJHT",
        ] { #expect(DeviceUserCode(typed: typed) == nil, "\(typed)") }
        let key = Secret([UInt8](repeating: 1, count: 32))
        #expect(code.hash(under: key) != code.hash(under: Secret([UInt8](repeating: 2, count: 32))))
    }

    @Test("R11.9 RFC 8628, sections 3.3 to 3.5: a device waits, is let in once, and has a session of its own")
    func allowed() async throws {
        let scene = try await Scene()
        #expect(try await scene.told() == .authorizationPending)
        #expect(try await scene.question() == "app true openid email")
        #expect(try await scene.answer())
        let issued = try await scene.poll()
        #expect(issued.user.id == scene.user.id && issued.session.parentID == nil)
        #expect(issued.session.grant?.scopes == ["openid", "email"])
        #expect(issued.session.grant?.resources == ["https://api.example"])
        #expect(issued.session.methods == scene.browser.session.methods)
        #expect(issued.session.device.name == "app")
        #expect(try await scene.told() == .invalidGrant)
        // A second question ends nothing, and neither does signing out where it was allowed.
        let next = try await scene.bench.refresh(issued)
        _ = try await scene.bench.flows.browserSessions.end(scene.browser.cookie, call: scene.bench.call())
        let last = try await scene.bench.refresh(next)
        // What ends all of the user's sessions ends it.
        var attributes = UserAttributes()
        attributes.password = Secret(AccountBench.password)
        _ = try await scene.bench.flows.userAdministration.update(
            scene.user.id, attributes, call: scene.bench.base.call())
        await #expect(throws: AuthError(.refreshTokenNotFound)) { try await scene.bench.refresh(last) }
    }

    @Test("R11.9 RFC 8628, section 3.5: of 50 polls at once, one gets tokens")
    func race() async throws {
        let scene = try await Scene()
        #expect(try await scene.answer())
        let won = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 { group.addTask { try await scene.told() == nil } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(won == 1)
        let sessions = try await scene.bench.ports.store.read { [user = scene.user] in
            try $0.sessions(of: user.id, in: user.directoryID).count { $0.clientID != nil }
        }
        #expect(sessions == 1)
    }

    @Test("R11.9 RFC 8628, section 3.5: who polls too often is slowed down by five seconds each time, and it is kept")
    func slowDown() async throws {
        let scene = try await Scene()
        func after(_ seconds: Int64) async throws -> AuthorizationErrorCode? {
            scene.bench.base.advance(by: .seconds(seconds))
            return try await scene.told()
        }
        #expect(try await after(0) == .authorizationPending)
        #expect(try await after(5) == .authorizationPending)
        #expect(try await after(2) == .slowDown)
        #expect(try await after(5) == .slowDown, "ten seconds from now on")
        #expect(try await after(15) == .authorizationPending)
        #expect(try await after(9) == .slowDown)
        #expect(try await after(20) == .authorizationPending)
        // Once there is an answer, nobody waits for it.
        #expect(try await scene.answer())
        #expect(try await after(0) == nil)
    }

    @Test("R11.9 RFC 8628, section 3.5: a no is told, and so is that the time is over")
    func refused() async throws {
        let denied = try await Scene()
        #expect(try await denied.answer(false))
        #expect(try await denied.told() == .accessDenied)
        #expect(try await denied.told() == .accessDenied)
        await #expect(throws: AuthError.self) { try await denied.answer() }
        let late = try await Scene()
        #expect(try await late.answer())
        late.bench.base.advance(by: .minutes(10))
        #expect(try await late.told() == .expiredToken)
        await #expect(throws: AuthError.self) { try await late.question() }
        let foreign = try await Scene()
        let other = try await AuthorizationBench.add("other", to: foreign.bench.base) {
            $0.settings.authorization.grants = [.deviceCode]
        }
        #expect(try await foreign.answer())
        #expect(try await foreign.told(client: other) == .invalidGrant)
        #expect(try await foreign.told() == nil, "another client's question has used nothing up")
    }

    @Test("R11.9 what was allowed is worth nothing once the user is banned, has another password, or takes it back")
    func takenBack() async throws {
        let banned = try await Scene()
        #expect(try await banned.answer())
        try await banned.bench.ban(banned.user)
        await #expect(throws: AuthError(.userBanned)) { try await banned.poll() }
        let replaced = try await Scene()
        #expect(try await replaced.answer())
        var attributes = UserAttributes()
        attributes.password = Secret(AccountBench.password)
        _ = try await replaced.bench.flows.userAdministration.update(
            replaced.user.id, attributes, call: replaced.bench.base.call())
        #expect(try await replaced.told() == .invalidGrant)
        let revoked = try await Scene()
        #expect(try await revoked.answer())
        try await revoked.bench.flows.consents.revoke(
            revoked.bench.client.id, of: revoked.user.id, call: revoked.bench.call())
        #expect(try await revoked.told() == .invalidGrant)
        // Who only leaves the browser that they borrowed has allowed it all the same.
        let left = try await Scene()
        #expect(try await left.answer())
        _ = try await left.bench.flows.browserSessions.end(left.browser.cookie, call: left.bench.call())
        #expect(try await left.told() == nil)
    }

    @Test("R11.9 who leaves the browser first keeps nothing that was allowed in it once all of the user's sessions end")
    func leftBefore() async throws {
        for isLater in [false, true] {
            let scene = try await Scene()
            #expect(try await scene.answer())
            let call = scene.bench.call()
            _ = try await scene.bench.flows.browserSessions.end(scene.browser.cookie, call: call)
            // Also within the second in which it was left, and long after.
            if isLater { scene.bench.base.advance(by: .seconds(60)) }
            var attributes = UserAttributes()
            attributes.password = Secret(AccountBench.password)
            _ = try await scene.bench.flows.userAdministration.update(
                scene.user.id, attributes, call: scene.bench.base.call())
            #expect(try await scene.told() == .invalidGrant, "\(isLater)")
        }
        // What ended before says nothing of a browser that was signed in to since.
        let scene = try await Scene()
        var attributes = UserAttributes()
        attributes.password = Secret(AccountBench.password)
        _ = try await scene.bench.flows.userAdministration.update(
            scene.user.id, attributes, call: scene.bench.base.call())
        scene.bench.base.advance(by: .seconds(60))
        let cookie = try await scene.bench.signIn(scene.user)
        #expect(
            try await scene.bench.flows.answerDeviceAuthorization(
                scene.device.userCode, allow: true, of: scene.user.id, session: cookie, call: scene.bench.call()))
        _ = try await scene.bench.flows.browserSessions.end(cookie, call: scene.bench.call())
        #expect(try await scene.told() == nil)
    }

    @Test("R14.2 what was allowed is worth no factor that has gone, and ends with what a factor ends")
    func factors() async throws {
        func setUp(in scene: Scene, sparing spared: Session? = nil) async throws -> Factor {
            let secret = Secret([UInt8](repeating: 7, count: 20))
            return try await scene.bench.ports.write(scene.bench.call()) {
                try FactorAddition($0).add(.totp(secret), to: scene.user, sparing: spared)
            }
        }
        func leave(_ scene: Scene) async throws {
            _ = try await scene.bench.flows.browserSessions.end(scene.browser.cookie, call: scene.bench.call())
        }
        // The session is ended by a factor that is set up elsewhere, before or after its user has left it.
        for isLeft in [false, true] {
            let scene = try await Scene()
            #expect(try await scene.answer())
            if isLeft { try await leave(scene) }
            _ = try await setUp(in: scene)
            #expect(try await scene.told() == .invalidGrant, "\(isLeft)")
        }
        // One that shows a factor opens what it shows by then, left or not.
        for (isLeft, isGone) in [(false, false), (true, false), (false, true), (true, true)] {
            let scene = try await Scene()
            let factor = try await setUp(in: scene, sparing: scene.browser.session)
            try await scene.bench.ports.write(scene.bench.call()) { step in
                let session = try #require(try step.tx.session(scene.browser.session.id, in: step.directory))
                let method = AuthenticationMethod(.totp, at: step.now, factor: factor.id)
                _ = try FactorSessions(step).raise(session, by: method, reissues: false)
            }
            #expect(try await scene.answer())
            if isLeft { try await leave(scene) }
            if isGone {
                try await scene.bench.ports.write(scene.bench.call()) {
                    try FactorRemoval($0).remove(factor, of: scene.user)
                }
            }
            let session = try await scene.poll().session
            #expect(session.assurance == (isGone ? .aal1 : .aal2), "\(isLeft)")
            #expect(session.methods.map(\.name) == (isGone ? [.password] : [.password, .totp]), "\(isLeft)")
        }
    }

    @Test("R11.9 what was taken from the client or by the user between yes and tokens is not in the first token")
    func taken() async throws {
        let scene = try await Scene(["openid", "email", "profile"])
        #expect(try await scene.answer())
        try await scene.bench.ports.store.write { [user = scene.user, client = scene.bench.client.id] tx in
            guard let consent = try tx.consent(of: user.id, to: client, in: user.directoryID) else { return }
            try tx.put(consent.answered(with: [], of: ["profile"], at: consent.updatedAt))
        }
        var less = scene.bench.client
        less.settings.authorization.scopes = ["openid", "profile"]
        let issued = try await scene.poll(client: less)
        #expect(issued.session.grant?.scopes == ["openid"])
        for change in [
            { $0.scopes = ["notes/read"] }, { $0.resources = ["https://other.example"] },
        ] as [(inout ClientAuthorization) -> Void] {
            let scene = try await Scene()
            #expect(try await scene.answer())
            var without = scene.bench.client
            change(&without.settings.authorization)
            #expect(try await scene.told(client: without) == .invalidGrant)
        }
    }

    @Test("R11.9 where every code that is drawn is another's, the device is told to come again, and nothing hangs")
    func codesTaken() async throws {
        let scene = try await Scene()
        // The same bytes for ever.
        struct Stuck: RandomSource {
            func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 1, count: count) }
        }
        let ports = scene.bench.ports
        let begin = BeginDeviceAuthorization(
            AccountPorts(
                store: ports.store, passwords: ports.passwords, random: Stuck(), messages: ports.messages))
        _ = try await begin(scopes: ["openid"], resources: [], call: scene.bench.call())
        await #expect {
            _ = try await begin(scopes: ["openid"], resources: [], call: scene.bench.call())
        } throws: {
            ($0 as? AuthError)?.code == .unavailable
        }
    }

    @Test("R11.9 RFC 8628, section 5.1: wrong codes are counted for caller and account, and right ones refused after")
    func guesses() async throws {
        let scene = try await Scene()
        try await scene.bench.base.change { $0.limits.signInPerIdentifier = .init(count: 3, seconds: 900) }
        let changed = try #require(
            try await scene.bench.base.directories.directory(scene.user.directoryID, at: scene.bench.base.now))
        let wrong = try #require(
            ["BBBB-BBBB", "CCCC-CCCC"].lazy.compactMap { DeviceUserCode(typed: $0) }.first {
                $0 != scene.device.userCode
            })
        func ask(_ code: DeviceUserCode, _ origin: String, _ cookie: Secret<String>) async throws -> AuthErrorCode? {
            var call = scene.bench.call()
            (call.directory, call.origin) = (changed, origin)
            do {
                _ = try await scene.bench.flows.answerDeviceAuthorization.question(code, session: cookie, call: call)
                return nil
            } catch let error as AuthError { return error.code }
        }
        let outcomes = try await withThrowingTaskGroup(of: AuthErrorCode?.self) { group in
            for _ in 0..<10 { group.addTask { try await ask(wrong, "192.0.2.1", scene.browser.cookie) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .oneTimeTokenInvalid } == 3 && outcomes.count { $0 == .rateLimited } == 7)
        // Neither from elsewhere with this account, nor with another account from here.
        #expect(try await ask(scene.device.userCode, "192.0.2.9", scene.browser.cookie) == .rateLimited)
        let other = try await scene.bench.signIn(try await scene.bench.user("bob@example.com"))
        #expect(try await ask(scene.device.userCode, "192.0.2.1", other) == .rateLimited)
        #expect(try await ask(scene.device.userCode, "192.0.2.9", other) == nil)
    }

    @Test("R11.9 RFC 8628, section 3.1: a client asks for what it is registered for, and for this grant")
    func registered() async throws {
        let scene = try await Scene()
        func refusal(
            _ scopes: [String], _ resources: [String] = [], _ change: (inout Client) -> Void = { _ in }
        ) async -> AuthorizationErrorCode? {
            var client = scene.bench.client
            change(&client)
            do {
                _ = try await scene.bench.flows.beginDeviceAuthorization(
                    scopes: scopes, resources: resources, call: scene.bench.call(client))
                return nil
            } catch { return (error as? AuthorizationRefusal)?.code }
        }
        #expect(await refusal(["openid", "unknown"]) == nil)
        #expect(await refusal(["unknown"]) == .invalidScope)
        #expect(await refusal([]) == .invalidScope)
        #expect(await refusal(["openid"], ["https://other.example"]) == .invalidTarget)
        #expect(await refusal(["openid"]) { $0.settings.authorization.grants = [.code] } == .unauthorizedClient)
        #expect(await refusal(["openid"]) { $0.settings.authorization.isEnabled = false } == .unauthorizedClient)
    }

    @Test("R11.9 only who was asked answers, a consent is remembered, and of the operator's own app none is kept")
    func consents() async throws {
        let scene = try await Scene()
        let other = try await scene.bench.user("bob@example.com")
        #expect(try await !scene.answer(as: other))
        #expect(try await scene.told() == .authorizationPending)
        for (policy, kept) in [(ClientAuthorization.Consent.always, true), (.notAsked, false)] {
            let scene = try await Scene { $0.settings.authorization.consent = policy }
            #expect(try await scene.answer())
            let consents = try await scene.bench.flows.consents.list(of: scene.user.id, call: scene.bench.call())
            #expect(consents.map(\.consent.scopes) == (kept ? [["openid", "email"]] : []))
            #expect(try await scene.told() == nil)
        }
    }
}
