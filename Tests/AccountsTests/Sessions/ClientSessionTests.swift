// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// Sessions that belong to a client.
@Suite struct ClientSessionTests {
    private func client(
        _ bench: PasswordBench, _ id: String = "app", _ change: (inout ClientSettings) -> Void = { _ in }
    ) -> Client {
        var settings = ClientSettings()
        change(&settings)
        return Client(
            id: ClientID(id), directoryID: bench.base.directory.id, name: id, settings: settings,
            createdAt: bench.now, updatedAt: bench.now)
    }

    private func call(_ bench: PasswordBench, _ client: Client?, after span: TimeSpan = .zero) -> CallContext {
        var call = bench.call(after: span)
        call.client = client
        return call
    }

    @Test("A refresh token works for the client it was given to, and for no other and none")
    func bound() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let (app, other) = (client(bench), client(bench, "other"))
        let mine = try await bench.signIn(at: call(bench, app))
        let plain = try await bench.signIn()
        #expect(mine.session.clientID == app.id && plain.session.clientID == nil)
        for (token, caller) in [(mine, other), (mine, nil), (plain, app)] as [(IssuedSession, Client?)] {
            await #expect(throws: AuthError(.refreshTokenNotFound)) {
                try await bench.refresh(token.refreshToken, at: call(bench, caller))
            }
        }
        // The attempts of strangers end nothing.
        #expect(try await bench.refresh(mine.refreshToken, at: call(bench, app)).session.id == mine.session.id)
        #expect(try await bench.refresh(plain.refreshToken, at: bench.call()).session.id == plain.session.id)
        #expect(try await bench.session(mine).clientID == app.id)
    }

    @Test("Whether tokens rotate is settled when the session is opened: by the call, the client, or the Directory")
    func rotation() async throws {
        for (calls, clients, directory, expected) in [
            (nil, nil, true, true), (nil, nil, false, false), (nil, false, true, false), (nil, true, false, true),
            (false, nil, true, false), (false, true, true, false), (true, false, false, true),
        ] as [(Bool?, Bool?, Bool, Bool)] {
            let bench = try await PasswordBench { $0.sessions.rotationEnabled = directory }
            try await bench.user()
            let app = clients.map { rotates in client(bench) { $0.rotatesRefreshTokens = rotates } }
            var opening = call(bench, app)
            opening.rotates = calls
            let issued = try await bench.signIn(at: opening)
            // What the client and the call say later changes nothing.
            var later = call(bench, app.map { client(bench, $0.id.rawValue) }, after: .seconds(60))
            later.rotates = calls.map { !$0 }
            let renewed = try await bench.refresh(issued.refreshToken, at: later)
            #expect(renewed.renewal == (expected ? .rotated : .kept))
            #expect((renewed.refreshToken.reveal() != issued.refreshToken.reveal()) == expected)
        }
    }

    @Test("Where tokens stay, that a session is in use is written down once a minute, and its end is seen at once")
    func activity() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let app = client(bench)
        let issued = try await bench.signIn(at: call(bench, app))
        let opened = try await bench.session(issued).lastActiveAt
        for (seconds, written) in [(1, 0), (59, 0), (60, 60), (61, 60), (119, 60), (120, 120)] as [(Int64, Int64)] {
            let renewed = try await bench.refresh(issued.refreshToken, at: call(bench, app, after: .seconds(seconds)))
            #expect(renewed.renewal == .kept && renewed.refreshToken.reveal() == issued.refreshToken.reveal())
            #expect(try await bench.session(issued).lastActiveAt == opened + .seconds(written), "after \(seconds) s")
        }
        // What is read without a write is judged as with one.
        let soon = call(bench, app, after: .seconds(121))
        await #expect(throws: AuthError(.refreshTokenNotFound)) {
            try await bench.refresh(issued.refreshToken, at: call(bench, client(bench, "other"), after: .seconds(121)))
        }
        _ = try await bench.base.ports.store.write { tx in
            try tx.revokeSessions(
                of: issued.user.id, in: issued.user.directoryID, except: nil, because: .signedOut, at: soon.now)
        }
        await #expect(throws: AuthError(.refreshTokenNotFound)) {
            try await bench.refresh(issued.refreshToken, at: soon)
        }
    }

    @Test("A client's lifetimes are those of what it is given, within the Directory's limits")
    func lifetimes() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let app = client(bench) {
            $0.accessTokenLifetime = 300
            $0.idTokenLifetime = 600
            $0.refreshTokenLifetime = 3600
        }
        let issued = try await bench.signIn(at: call(bench, app))
        #expect(issued.accessExpiresAt == bench.now + .seconds(300))
        #expect(issued.idExpiresAt == bench.now + .seconds(600))
        #expect(issued.session.notAfter == bench.now + .seconds(3600))
        let last = try await bench.refresh(issued.refreshToken, at: call(bench, app, after: .seconds(3200)))
        #expect(last.accessExpiresAt == bench.now + .seconds(3500))
        #expect(last.idExpiresAt == bench.now + .seconds(3600), "cut short by the end of the session")
        await #expect(throws: AuthError(.sessionExpired)) {
            try await bench.refresh(last.refreshToken, at: call(bench, app, after: .seconds(3600)))
        }
        let plain = try await bench.signIn()
        #expect(plain.idExpiresAt == plain.accessExpiresAt)
        let long = client(bench) { $0.refreshTokenLifetime = 3650 * 86_400 }
        #expect(try await bench.signIn(at: call(bench, long)).session.notAfter == bench.now + .days(90))
    }

    @Test("A client's grace takes the place of the reuse interval")
    func grace() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let app = client(bench) {
            $0.rotatesRefreshTokens = true
            $0.rotationGrace = 60
        }
        let first = try await bench.signIn(at: call(bench, app))
        let second = try await bench.refresh(first.refreshToken, at: call(bench, app, after: .seconds(1)))
        _ = try await bench.refresh(second.refreshToken, at: call(bench, app, after: .seconds(2)))
        _ = try await bench.refresh(first.refreshToken, at: call(bench, app, after: .seconds(50)))
        let strict = client(bench)
        let late = call(bench, strict, after: .seconds(51))
        await #expect(throws: AuthError(.refreshTokenReused)) {
            try await bench.refresh(first.refreshToken, at: late)
        }
    }

    @Test("RFC 7009 a token ends its session at its client's wish; a stranger's and a spent one end nothing")
    func revocation() async throws {
        let bench = try await PasswordBench()
        try await bench.user()
        let app = client(bench) { $0.rotatesRefreshTokens = true }
        let issued = try await bench.signIn(at: call(bench, app))
        let renewed = try await bench.refresh(issued.refreshToken, at: call(bench, app))
        let end = EndSession(bench.ports)
        for text in ["", "x", String(renewed.refreshToken.reveal().reversed())] {
            try await end(text, call: call(bench, app))
        }
        for caller in [client(bench, "other"), nil] {
            await #expect(throws: AuthError(.forbidden)) {
                try await end(renewed.refreshToken.reveal(), call: call(bench, caller))
            }
        }
        #expect(try await bench.session(issued).revokedAt == nil)
        // One that was exchanged names the session as well.
        try await end(issued.refreshToken.reveal(), call: call(bench, app))
        #expect(try await bench.session(issued).revocation == .signedOut)
        try await end(renewed.refreshToken.reveal(), call: call(bench, app))
        #expect(try await bench.base.events(.sessionRevoked).count == 1)
        await #expect(throws: AuthError(.refreshTokenNotFound)) {
            try await bench.refresh(renewed.refreshToken, at: call(bench, app))
        }
    }

    @Test("A client signs in only in the ways it was registered for")
    func flows() async throws {
        let bench = try await PasswordBench()
        for flow in ClientFlow.allCases {
            let app = client(bench) { $0.flows = [flow] }
            for asked in ClientFlow.allCases {
                let error = await bench.error { try call(bench, app).requireFlow(asked) }
                #expect(error?.code == (asked == flow ? nil : .flowNotAllowed))
            }
            try bench.call().requireFlow(flow)
        }
    }
}
