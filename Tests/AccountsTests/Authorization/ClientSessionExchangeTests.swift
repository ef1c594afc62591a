// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

@Suite struct ClientSessionExchangeTests {
    private typealias Bench = AuthorizationBench

    private func bench(_ change: @escaping (inout Client) -> Void = { _ in }) async throws -> Bench {
        try await Bench { _ in
        } _: {
            $0.settings.authorization.consent = .notAsked
            change(&$0)
        }
    }

    private static func confidential(_ client: inout Client) {
        client.settings.authorization.authentication = .secretBasic
    }

    @Test("R11.1 ASVS 10.4.2: of 50 exchanges at once one gets a session, and the others end it")
    func race() async throws {
        let bench = try await bench()
        let user = try await bench.user("ada@example.com")
        let cookie = try await bench.signIn(user)
        let code = try await bench.code(nil, cookie)
        let got = await withTaskGroup(of: IssuedSession?.self) { group in
            for _ in 0..<50 { group.addTask { try? await bench.exchange(code) } }
            return await group.reduce(into: [IssuedSession]()) { if let issued = $1 { $0.append(issued) } }
        }
        #expect(got.count == 1)
        let first = try #require(got.first)
        #expect(try await bench.session(first.session.id)?.revocation == .replay)
        await #expect(throws: AuthError.self) { try await bench.refresh(first) }
        #expect(try await bench.flows.browserSessions.find(cookie, call: bench.call()) != nil)
    }

    @Test("R11.1 what is made of a session is given out once that is kept, and to nobody where it could not be")
    func making() async throws {
        let bench = try await bench()
        let cookie = try await bench.signIn(try await bench.user("ada@example.com"))
        let code = try await bench.code(nil, cookie)
        func make(in store: any AccountStoring) async throws -> SessionID {
            let ports = AccountPorts(
                store: store, passwords: bench.ports.passwords, random: bench.ports.random,
                messages: bench.ports.messages)
            return try await ExchangeCode(ports)(
                code: code, verifier: Bench.verifier, redirectURI: Bench.redirectURI, call: bench.call()
            ) { $0.session.id }
        }
        await #expect(throws: LosingStore.Loss.self) { try await make(in: LosingStore(bench.ports.store)) }
        // Nothing of it is left: the code is as good as it was.
        let session = try await make(in: bench.ports.store)
        let kept = try #require(try await bench.session(session))
        #expect(kept.revokedAt == nil)
        await #expect(throws: AuthError(.flowStateNotFound)) { try await make(in: bench.ports.store) }
    }

    @Test("R11.1 RFC 9700 4.8.2: a verifier is demanded where there was a challenge, and refused where there was none")
    func verifier() async throws {
        let bench = try await bench(Self.confidential)
        let cookie = try await bench.signIn(try await bench.user("ada@example.com"))
        let other = String(repeating: "w", count: 64)
        let rows: [(Bool, String?, Bool)] = [
            (true, Bench.verifier, true), (true, nil, false), (true, "", false), (true, other, false),
            (false, nil, true), (false, Bench.verifier, false), (false, "", false),
        ]
        for (hasChallenge, verifier, isGood) in rows {
            let request = bench.request(challenge: hasChallenge ? CodeChallenge(for: Bench.verifier) : nil)
            let code = try await bench.code(request, cookie)
            if isGood {
                try await bench.exchange(code, verifier: verifier)
            } else {
                await #expect(throws: AuthError(.codeVerifierMismatch)) {
                    try await bench.exchange(code, verifier: verifier)
                }
                await #expect(throws: AuthError(.flowStateNotFound)) { try await bench.exchange(code) }
            }
        }
    }

    @Test("R11.1 RFC 6749 4.1.3: a code is its client's, for its redirect URI, in its Directory, for a minute at most")
    func bound() async throws {
        let bench = try await bench()
        let other = try await Bench.add("other", to: bench.base)
        let cookie = try await bench.signIn(try await bench.user("ada@example.com"))
        let directory = try await DirectoryAdministration(bench.ports).create(name: "other", at: bench.base.now)
        for uri in [nil, Bench.redirectURI + "/"] {
            let code = try await bench.code(nil, cookie)
            await #expect(throws: AuthError(.flowStateNotFound)) { try await bench.exchange(code, redirectURI: uri) }
        }
        let foreign = try await bench.code(nil, cookie)
        await #expect(throws: AuthError(.flowStateNotFound)) { try await bench.exchange(foreign, client: other) }
        let code = try await bench.code(nil, cookie)
        var elsewhere = bench.call()
        elsewhere.directory = directory
        let away = elsewhere
        await #expect(throws: AuthError(.flowStateNotFound)) {
            try await bench.flows.exchangeCode(
                code: code, verifier: Bench.verifier, redirectURI: Bench.redirectURI, call: away)
        }
        // What another Directory knows nothing of is not spent there.
        try await bench.exchange(code)
        let late = try await bench.code(nil, cookie)
        bench.base.advance(by: .seconds(60))
        await #expect(throws: AuthError(.flowStateExpired)) { try await bench.exchange(late) }
    }

    @Test("R11.5 somebody else's failed exchange ends no other code of the same user")
    func otherCodes() async throws {
        let bench = try await bench()
        let other = try await Bench.add("other", to: bench.base) { $0.settings.authorization.consent = .notAsked }
        let cookie = try await bench.signIn(try await bench.user("ada@example.com"))
        let (mine, theirs) = (try await bench.code(nil, cookie), try await bench.code(nil, cookie, client: other))
        await #expect(throws: AuthError(.flowStateNotFound)) { try await bench.exchange(theirs) }
        try await bench.exchange(mine)
    }

    @Test(
        "R11.1 RFC 9449 10: a code that names a key is exchanged by whoever has it, and a public client's tokens with it"
    )
    func boundToKey() async throws {
        let (key, other) = (Base64URL.encode([UInt8](repeating: 1, count: 32)), "other")
        for isPublic in [true, false] {
            let bench = try await bench { if !isPublic { Self.confidential(&$0) } }
            let cookie = try await bench.signIn(try await bench.user("ada@example.com"))
            let request = bench.request { $0.dpopKey = key }
            @Sendable func exchange(_ code: String, _ key: String?) async throws -> IssuedSession {
                try await bench.flows.exchangeCode(
                    code: code, verifier: Bench.verifier, redirectURI: Bench.redirectURI, dpopKey: key,
                    call: bench.call()
                ).session()
            }
            for wrong in [nil, other] {
                let code = try await bench.code(request, cookie)
                await #expect(throws: AuthError(.codeVerifierMismatch)) { try await exchange(code, wrong) }
            }
            let issued = try await exchange(try await bench.code(request, cookie), key)
            #expect(issued.session.grant?.dpopKey == (isPublic ? key : nil))
            #expect(issued.session.rotates == false || !isPublic)
            let flow = bench.flows.refreshSession
            let stolen = await refusal {
                _ = try await flow(
                    issued.refreshToken.reveal(), scopes: nil, dpopKey: other, call: bench.call())
            }
            #expect(stolen?.code == (isPublic ? .invalidGrant : nil))
            let own = try await flow(issued.refreshToken.reveal(), scopes: nil, dpopKey: key, call: bench.call())
            #expect(own.session.id == issued.session.id)
        }
    }

    @Test("R11.6 a scope that an operator has taken from a client is in no token from then on")
    func takenBack() async throws {
        let bench = try await bench()
        let cookie = try await bench.signIn(try await bench.user("ada@example.com"))
        let request = bench.request(scopes: ["openid", "notes/read"])
        let issued = try await bench.exchange(try await bench.code(request, cookie))
        let underWay = try await bench.code(request, cookie)
        var client = bench.client
        client.settings.authorization.scopes.removeAll { $0 == "notes/read" }
        #expect(try await bench.exchange(underWay, client: client).session.grant?.scopes == ["openid"])
        let asked = await refusal { [client] in
            _ = try await bench.refresh(issued, scopes: ["openid", "notes/read"], client: client)
        }
        #expect(asked?.code == .invalidScope)
        let next = try await bench.refresh(issued, client: client)
        #expect(next.session.grant?.scopes == ["openid"])
        client.settings.authorization.scopes = ["email"]
        let nothing = await refusal { [client] in _ = try await bench.refresh(next, client: client) }
        #expect(nothing?.code == .invalidGrant)
    }

    @Test("R11.1 RFC 8707: an API that an operator has taken from a client is in no token, nor becomes our own")
    func resourcesTakenBack() async throws {
        let bench = try await bench { $0.settings.authorization.resources = ["urn:api", "urn:other"] }
        let cookie = try await bench.signIn(try await bench.user("ada@example.com"))
        let both = bench.request(scopes: ["openid"]) { $0.resources = ["urn:api", "urn:other"] }
        let issued = try await bench.exchange(try await bench.code(both, cookie))
        let underWay = try await bench.code(both, cookie)
        let one = try await bench.code(bench.request(scopes: ["openid"]) { $0.resources = ["urn:api"] }, cookie)
        var client = bench.client
        client.settings.authorization.resources = ["urn:other"]
        #expect(try await bench.exchange(underWay, client: client).session.grant?.resources == ["urn:other"])
        #expect(try await bench.refresh(issued, client: client).session.grant?.resources == ["urn:other"])
        let less = client
        await #expect(throws: AuthError(.flowStateNotFound)) { try await bench.exchange(one, client: less) }
    }

    @Test("R11.1 scopes and resources are compared octet by octet, as they are written into tokens")
    func octets() async throws {
        let bench = try await bench {
            $0.settings.authorization.scopes = ["openid", "K"]
            $0.settings.authorization.resources = ["urn:K"]
        }
        let cookie = try await bench.signIn(try await bench.user("ada@example.com"))
        let asked = bench.request(scopes: ["openid", "\u{212A}"])
        let issued = try await bench.exchange(try await bench.code(asked, cookie))
        #expect(issued.session.grant?.scopes.map { Array($0.utf8) } == [Array("openid".utf8)])
        let other = await refusal {
            _ = try await bench.code(bench.request(scopes: ["openid"]) { $0.resources = ["urn:\u{212A}"] }, cookie)
        }
        #expect(other?.code == .invalidTarget)
    }

    @Test("R11.1 RFC 6749 6: a refresh asks for as much as was granted or less, and what it asks changes nothing")
    func narrower() async throws {
        let bench = try await bench { $0.settings.authorization.resources = ["urn:api", "urn:other"] }
        let cookie = try await bench.signIn(try await bench.user("ada@example.com"))
        let request = bench.request(scopes: ["openid", "email", "notes/read"]) { $0.resources = ["urn:api"] }
        var issued = try await bench.exchange(try await bench.code(request, cookie))
        for (scopes, resources, wanted) in [
            (["profile"], [], .invalidScope), (["openid", "profile"], [], .invalidScope),
            (nil, ["urn:other"], .invalidTarget),
        ] as [([String]?, [String], AuthorizationErrorCode)] {
            let token = issued.refreshToken.reveal()
            let refused = await refusal {
                _ = try await bench.flows.refreshSession(
                    token, scopes: scopes, resources: resources, call: bench.call())
            }
            #expect(refused?.code == wanted && refused?.response == nil)
        }
        for scopes in [["openid"], ["email", "notes/read"], [], nil] {
            issued = try await bench.refresh(issued, scopes: scopes)
            #expect(issued.session.grant?.scopes == ["openid", "email", "notes/read"])
            // The token that a refusal left alone was live until now.
            #expect(issued.renewal == .rotated)
        }
    }

    @Test(
        "R11.1 RFC 9700 2.2.2: a public client's refresh tokens rotate whatever it is registered with; F2: a server's need not"
    )
    func rotation() async throws {
        for isPublic in [true, false] {
            let bench = try await bench {
                $0.settings.rotatesRefreshTokens = false
                if !isPublic { Self.confidential(&$0) }
            }
            let cookie = try await bench.signIn(try await bench.user("ada@example.com"))
            let issued = try await bench.exchange(try await bench.code(nil, cookie))
            let next = try await bench.refresh(issued)
            #expect((next.refreshToken.reveal() == issued.refreshToken.reveal()) == !isPublic)
        }
    }

    @Test("R11.2 a code of a browser that has signed out since, or whose user was banned, is worth nothing")
    func parentEnded() async throws {
        let bench = try await bench()
        let user = try await bench.user("ada@example.com")
        let cookie = try await bench.signIn(user)
        let code = try await bench.code(nil, cookie)
        _ = try await bench.flows.browserSessions.end(cookie, call: bench.call())
        await #expect(throws: AuthError(.flowStateNotFound)) { try await bench.exchange(code) }
        let second = try await bench.signIn(user)
        let banned = try await bench.code(nil, second)
        try await bench.ban(user)
        await #expect(throws: AuthError(.userBanned)) { try await bench.exchange(banned) }
        #expect(try await bench.step(in: bench.browser(), second).kind == "sign in")
    }
}

/// A store that loses each transaction at its end.
private struct LosingStore: ForwardingStore {
    struct Loss: Error {}

    let base: any AccountStoring

    init(_ base: any AccountStoring) { self.base = base }

    func write<Value: Sendable>(_ body: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value {
        try await base.write { tx in
            _ = try body(tx)
            throw Loss()
        }
    }
}
