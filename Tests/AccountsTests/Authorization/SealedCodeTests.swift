// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

@Suite struct SealedCodeTests {
    private typealias Bench = AuthorizationBench

    private func scene(
        _ change: @escaping (inout Client) -> Void = { _ in }
    ) async throws -> (bench: Bench, user: User, cookie: Secret<String>) {
        let bench = try await Bench { _ in
        } _: {
            $0.settings.authorization.consent = .notAsked
            change(&$0)
        }
        let user = try await bench.user("ada@example.com")
        return (bench, user, try await bench.signIn(user))
    }

    private func stored(_ code: String, _ bench: Bench) async throws -> Bool {
        try await bench.ports.store.read { [directory = bench.base.directory.id] in
            try $0.authorizationCode(hash: OneTimeToken.hash(link: code), in: directory) != nil
        }
    }

    @Test("R11.1 a code carries all that it stands for, and is short enough for a URL")
    func complete() async throws {
        let key = Base64URL.encode([UInt8](repeating: 1, count: 32))
        let (bench, user, cookie) = try await scene { $0.settings.authorization.resources = ["urn:api", "urn:other"] }
        let claims: JSONObject = ["id_token": ["email": .null]]
        let full = bench.request(scopes: ["openid", "email"]) {
            $0.nonce = ""
            $0.resources = ["urn:other", "urn:api"]
            $0.claims = claims
            $0.dpopKey = key
        }
        let bare = bench.request(scopes: ["openid"]) { $0.nonce = nil }
        for (request, dpopKey) in [(full, key), (bare, nil)] {
            let code = try await bench.code(request, cookie)
            #expect(code.utf8.count <= 800, "\(code.utf8.count)")
            #expect(try await !stored(code, bench))
            let issued = try await bench.flows.exchangeCode(
                code: code, verifier: Bench.verifier, redirectURI: Bench.redirectURI, dpopKey: dpopKey,
                call: bench.call()
            ).session()
            var wanted = request
            wanted.clientID = bench.client.id
            #expect(issued.request == wanted)
            #expect(issued.user.id == user.id)
            #expect(issued.session.methods.map(\.name) == [.password])
            #expect(issued.session.grant?.claims == request.claims)
        }
    }

    @Test("R11.1 RFC 6749 4.1.2: a request that no URL holds gets a code all the same, which is good once")
    func long() async throws {
        let (bench, _, cookie) = try await scene { $0.settings.authorization.resources = ["urn:api"] }
        let many = (0..<90).map { "scope-\($0)-" + String(repeating: "s", count: 40) }
        let wide = try await Bench.add("wide", to: bench.base) {
            $0.settings.authorization.consent = .notAsked
            $0.settings.authorization.scopes = many
        }
        let rows: [(AuthorizationRequest, Client)] = [
            (bench.request { $0.nonce = String(repeating: "n", count: 4096) }, bench.client),
            (bench.request { $0.claims = ["x": .string(String(repeating: "c", count: 4000))] }, bench.client),
            (bench.request(scopes: many), wide),
        ]
        for (request, client) in rows {
            let code = try await bench.code(request, cookie, client: client)
            #expect(code.utf8.count <= 64)
            #expect(try await stored(code, bench))
            let issued = try await bench.exchange(code, client: client)
            #expect(issued.request?.nonce == request.nonce)
            #expect(issued.session.grant?.scopes == request.scopes)
            await #expect(throws: AuthError(.flowStateNotFound)) { try await bench.exchange(code, client: client) }
            #expect(try await bench.session(issued.session.id)?.revocation == .replay)
        }
    }

    @Test("R11.5 a code that somebody has changed, cut or made up is worth nothing, and the true one as much as before")
    func tampered() async throws {
        let (bench, _, cookie) = try await scene()
        let code = try await bench.code(nil, cookie)
        var wrong = [
            String(code.dropLast()), String(code.dropFirst()), code + "A", code + code, code + "=", code + "%",
            String(repeating: "A", count: code.utf8.count), String(repeating: "A", count: 5000),
            String(repeating: "x", count: 1_000_000), "",
        ]
        for place in stride(from: 0, to: code.utf8.count, by: 37) {
            var octets = Array(code.utf8)
            octets[place] = octets[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            wrong.append(String(decoding: octets, as: UTF8.self))
        }
        // What the server has sealed for another purpose is no code.
        let other = try SealedFields((0..<16).map { _ in [UInt8](repeating: 0, count: 8) })
            .sealed(for: "latchkey sign-in ticket 1", in: bench.base.directory, random: bench.ports.random)
        wrong.append(Base64URL.encode(other))
        for text in wrong {
            await #expect(throws: AuthError(.flowStateNotFound)) { try await bench.exchange(text) }
        }
        try await bench.exchange(code)
    }

    @Test("R11.1 ASVS 10.4.2: a second use ends what the first got, also once the code has expired, and whoever tries")
    func secondUse() async throws {
        let (bench, _, cookie) = try await scene()
        let other = try await Bench.add("other", to: bench.base)
        for (delay, client) in [
            (TimeSpan.seconds(0), bench.client), (.seconds(120), bench.client), (.seconds(0), other),
        ] {
            let code = try await bench.code(nil, cookie)
            let issued = try await bench.exchange(code)
            bench.base.advance(by: delay)
            await #expect(throws: AuthError(.flowStateNotFound)) { try await bench.exchange(code, client: client) }
            #expect(try await bench.session(issued.session.id)?.revocation == .replay)
            await #expect(throws: AuthError(.flowStateNotFound)) { try await bench.exchange(code) }
        }
    }

    @Test(
        "R11.1 RFC 6749 4.1.2: two servers of one store take a code once between them, and so do those who make tokens")
    func servers() async throws {
        let (bench, _, cookie) = try await scene()
        let ports = (0..<2).map { _ in
            AccountPorts(
                store: bench.ports.store, passwords: bench.ports.passwords, random: SystemRandomSource(),
                messages: bench.ports.messages)
        }
        for _ in 0..<10 {
            let code = try await bench.code(nil, cookie)
            let got = await withTaskGroup(of: SessionID?.self) { group in
                for index in 0..<20 {
                    group.addTask {
                        try? await ExchangeCode(ports[index % 2])(
                            code: code, verifier: Bench.verifier, redirectURI: Bench.redirectURI, call: bench.call()
                        ) { $0.session.id }
                    }
                }
                return await group.reduce(into: [SessionID]()) { if let id = $1 { $0.append(id) } }
            }
            #expect(got.count == 1)
            let session = try #require(got.first)
            #expect(try await bench.session(session)?.revocation == .replay)
        }
    }

    @Test("R11.2 what ends a user's codes ends those that the server does not keep, and no other user's")
    func ended() async throws {
        let (bench, ada, cookie) = try await scene()
        let bob = try await bench.signIn(try await bench.user("bob@example.com"))
        let (mine, others) = (try await bench.code(nil, cookie), try await bench.code(nil, bob))
        try await bench.ports.write(bench.call()) { step in
            let user = try #require(try step.tx.user(ada.id, in: step.directory))
            try AccountEnding(step).endProofs(of: user)
            // Whoever ends codes holds the user already, and writes them afterwards.
            try step.tx.update(user)
        }
        await #expect(throws: AuthError(.flowStateNotFound)) { try await bench.exchange(mine) }
        try await bench.exchange(others)
        // The browser is still signed in.
        try await bench.exchange(try await bench.code(nil, cookie))
    }

    @Test(
        "R11.2 a code ends with the browser's session: by a new password elsewhere, by deletion, by a restored backup")
    func sessionEnded() async throws {
        let endings: [@Sendable (Bench, User) async throws -> Void] = [
            { bench, user in
                try await bench.ports.write(bench.call()) { step in
                    var user = try #require(try step.tx.user(user.id, in: step.directory))
                    try PasswordReplacement(step, by: .administrator).apply(.none, to: &user)
                    try step.tx.update(user)
                }
            },
            { bench, user in
                try await bench.ports.write(bench.call()) { step in
                    _ = try AccountEnding(step).softDelete(
                        try #require(try step.tx.user(user.id, in: step.directory)))
                }
            },
            { bench, user in
                try await bench.ports.write(bench.call()) { step in
                    _ = try AccountEnding(step).delete(try #require(try step.tx.user(user.id, in: step.directory)))
                }
            },
            { bench, _ in
                try await RestoredStore(store: bench.ports.store, random: bench.ports.random)
                    .takeBackEverything(at: bench.base.now)
            },
        ]
        for end in endings {
            let (bench, user, cookie) = try await scene()
            let code = try await bench.code(nil, cookie)
            try await end(bench, user)
            await #expect(throws: AuthError(.flowStateNotFound)) { try await bench.exchange(code) }
        }
    }

    @Test(
        "R11.2 what comes between the judgement on a code and its session is judged, and what was made is thrown away")
    func between() async throws {
        let rows: [(String, AuthErrorCode, @Sendable (FlowStep, User, SessionID) throws -> Void)] = [
            (
                "signed out", .flowStateNotFound,
                { step, _, id in _ = try SessionEnding(step).end(id, because: .signedOut) }
            ),
            ("codes ended", .flowStateNotFound, { step, user, _ in try AccountEnding(step).endProofs(of: user) }),
            (
                "banned", .userBanned,
                { step, user, _ in
                    var user = user
                    user.bannedUntil = step.now + .days(1)
                    _ = try step.tx.update(user)
                }
            ),
            (
                "deleted", .flowStateNotFound,
                { step, user, _ in _ = try step.tx.deleteUser(user.id, in: user.directoryID) }
            ),
        ]
        for (name, wanted, change) in rows {
            let (bench, user, cookie) = try await scene()
            let browser = try #require(try await bench.flows.browserSessions.find(cookie, call: bench.call())).session
            let code = try await bench.code(nil, cookie)
            let store = InterveningStore(bench.ports.store) {
                try await bench.ports.write(bench.call()) { step in
                    try change(step, try #require(try step.tx.user(user.id, in: step.directory)), browser.id)
                }
            }
            let error = await #expect(throws: AuthError.self) { try await make(code, in: store, bench) }
            #expect(error?.code == wanted, "\(name)")
            #expect(try await bench.session(browser.id)?.id == (name == "deleted" ? nil : browser.id))
        }
        // What changes nothing for the code leaves it good: the user's name, say.
        let (bench, user, cookie) = try await scene()
        let code = try await bench.code(nil, cookie)
        let store = InterveningStore(bench.ports.store) {
            try await bench.ports.write(bench.call()) { step in
                var user = try #require(try step.tx.user(user.id, in: step.directory))
                user.userMetadata = ["name": "Ada"]
                try step.tx.update(user)
            }
        }
        let issued = try await make(code, in: store, bench)
        #expect(issued.user.userMetadata == ["name": "Ada"])
        #expect(try await bench.session(issued.session.id)?.revokedAt == nil)
    }

    private func make(_ code: String, in store: any AccountStoring, _ bench: Bench) async throws -> IssuedSession {
        let ports = AccountPorts(
            store: store, passwords: bench.ports.passwords, random: bench.ports.random, messages: bench.ports.messages)
        return try await ExchangeCode(ports)(
            code: code, verifier: Bench.verifier, redirectURI: Bench.redirectURI, call: bench.call()
        ) { $0 }
    }

    @Test("R11.3 a request that is refused without a page costs no commit, and what a page stands before is kept once")
    func refused() async throws {
        let bench = try await Bench()
        let cookie = try await bench.signIn(try await bench.user("ada@example.com"))
        let silent = AuthorizationParameters(prompts: [.none])
        let refused = try await bench.step(nil, silent, in: bench.browser(), cookie)
        #expect(refused.kind == "consent_required")
        #expect(try await bench.pendingCount() == 0)
        #expect(try await bench.step(in: bench.browser(), cookie).kind == "consent")
        #expect(try await bench.pendingCount() == 1)
    }
}

/// A store in which something else happens between the first read and the write after it.
private final class InterveningStore: ForwardingStore {
    let base: any AccountStoring
    private let intervention: Mutex<(@Sendable () async throws -> Void)?>

    init(_ base: any AccountStoring, _ intervention: @escaping @Sendable () async throws -> Void) {
        self.base = base
        self.intervention = Mutex(intervention)
    }

    func write<Value: Sendable>(_ body: @Sendable @escaping (any StoreWriting) throws -> Value) async throws -> Value {
        let intervene = intervention.withLock { next in
            defer { next = nil }
            return next
        }
        try await intervene?()
        return try await base.write(body)
    }
}
