// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing
import TokenVerifier

@Suite("VerifiedTokenCache")
struct VerifiedTokenCacheTests {
    /// Counts how often a token is judged: its own check runs then, and not for a token that is remembered.
    final class Judgements: Sendable {
        private let number = Mutex(0)
        var count: Int { number.withLock { $0 } }
        func add() { number.withLock { $0 += 1 } }
    }

    struct Bench {
        let source: GivenSource
        let cache: VerifiedTokenCache
        let clock = TestClock()
        let judged = Judgements()
        let verifier: TokenVerifier

        init(_ cache: VerifiedTokenCache = VerifiedTokenCache(), leeway: TimeSpan = .seconds(30)) throws {
            self.cache = cache
            source = GivenSource(try TestKeys.set(TestKeys.elliptic))
            let profile = TokenProfile(
                name: "counted",
                rules: TokenRules(
                    issuer: TokenVerifierTests.issuer, audience: .audiences(["api"]), algorithms: [.es256],
                    types: [.none, .jwt, .accessToken], kind: .access, requiresStatedKind: true, leeway: leeway),
                keys: .jwks(url: "https://id.example.org/keys")
            ) { [judged] (_, _, _) throws(TokenError) in judged.add() }
            verifier = TokenVerifierTests.verifier([profile], source, cache: cache, clock: clock)
        }
    }

    static func token(_ number: Int = 1, session: String = "session-1") throws -> String {
        var draft = TokenVerifierTests.good
        draft.claims["jti"] = .string("\(number)")
        draft.claims["session_id"] = .string(session)
        return try draft.token()
    }

    @Test("a token is judged once; one that differs in a single byte of its signature is another")
    func remembers() throws {
        let bench = try Bench()
        let token = try Self.token()
        for _ in 0..<5 { #expect(try bench.verifier.verify(token.utf8).sessionID == "session-1") }
        #expect(bench.judged.count == 1)
        #expect(bench.cache.count == 1)
        let last = token.last == "A" ? "Q" : "A"
        let forged = token.dropLast() + last
        #expect(throws: TokenError.self) { try bench.verifier.verify(String(forged).utf8) }
        #expect(bench.cache.count == 1, "what was refused is not remembered")
    }

    @Test("a token is never remembered past exp: the leeway is for judging it again")
    func expiry() throws {
        let bench = try Bench()
        let token = try Self.token()
        let expiry = Instant(seconds: TokenDraft.seconds + 3_540)
        _ = try bench.verifier.verify(token.utf8)
        bench.clock.set(expiry - TimeSpan(microseconds: 1))
        _ = try bench.verifier.verify(token.utf8)
        #expect(bench.judged.count == 1)
        bench.clock.set(expiry)
        _ = try bench.verifier.verify(token.utf8)
        #expect(bench.judged.count == 2)
        bench.clock.set(expiry + .seconds(30))
        #expect(refusal(of: token, by: bench.verifier)?.code == .expired)
    }

    @Test("F11 a clock that is set back has every token judged again")
    func setBack() throws {
        let bench = try Bench()
        let token = try Self.token()
        _ = try bench.verifier.verify(token.utf8)
        bench.clock.set(TokenDraft.now - .seconds(3_600))
        #expect(refusal(of: token, by: bench.verifier)?.code == .notYetValid)
    }

    @Test("a key that is withdrawn takes the tokens it signed with it")
    func withdrawn() throws {
        let bench = try Bench()
        let token = try Self.token()
        _ = try bench.verifier.verify(token.utf8)
        bench.source.replace(with: try TestKeys.set(TestKeys.edwards))
        #expect(refusal(of: token, by: bench.verifier)?.code == .unknownKey)
        bench.source.replace(with: nil)
        #expect(refusal(of: token, by: bench.verifier)?.code == .keysUnavailable)
        bench.source.replace(with: try TestKeys.set(TestKeys.foreignElliptic))
        #expect(refusal(of: token, by: bench.verifier)?.code == .badSignature)
        bench.source.replace(with: try TestKeys.set(TestKeys.elliptic))
        #expect(refusal(of: token, by: bench.verifier) == nil)
    }

    @Test("removing a session, a user or everything has just those judged again")
    func removal() throws {
        let bench = try Bench()
        let tokens = [
            try Self.token(1, session: "a"), try Self.token(2, session: "a"), try Self.token(3, session: "b"),
        ]
        func judgeAll() throws -> Int {
            let before = bench.judged.count
            for token in tokens { _ = try bench.verifier.verify(token.utf8) }
            return bench.judged.count - before
        }
        #expect(try judgeAll() == 3)
        bench.cache.remove(session: "a")
        #expect(bench.cache.count == 1)
        #expect(try judgeAll() == 2)
        bench.cache.remove(session: "unknown")
        #expect(try judgeAll() == 0)
        bench.cache.remove(subject: "user-1", of: "https://other.example")
        #expect(try judgeAll() == 0)
        bench.cache.remove(subject: "user-1", of: TokenVerifierTests.issuer)
        #expect(try judgeAll() == 3)
        bench.cache.removeAll()
        #expect(bench.cache.count == 0)
        #expect(try judgeAll() == 3)
    }

    @Test("it never holds more than its capacity, and keeps what is in use", arguments: [2, 8])
    func bounded(_ capacity: Int) throws {
        let bench = try Bench(VerifiedTokenCache(capacity: capacity))
        let used = try Self.token(0)
        _ = try bench.verifier.verify(used.utf8)
        for number in 1...40 {
            _ = try bench.verifier.verify(Self.token(number).utf8)
            #expect(bench.cache.count <= capacity)
            if capacity > 2 {
                let before = bench.judged.count
                _ = try bench.verifier.verify(used.utf8)
                #expect(bench.judged.count == before)
            }
        }
    }

    @Test("a capacity of nothing, or less, is the least there is", arguments: [0, -5, 1])
    func smallest(_ capacity: Int) throws {
        let bench = try Bench(VerifiedTokenCache(capacity: capacity))
        for number in 1...5 { _ = try bench.verifier.verify(Self.token(number).utf8) }
        #expect(bench.cache.count <= 2)
    }

    @Test("two verifiers that share a cache do not share their verdicts")
    func shared() throws {
        let cache = VerifiedTokenCache()
        let source = try GivenSource(TestKeys.set(TestKeys.elliptic))
        let lax = TokenVerifierTests.verifier([TokenVerifierTests.profile()], source, cache: cache)
        let strict = TokenVerifierTests.verifier(
            [TokenVerifierTests.profile(audience: "other")], source, cache: cache)
        let token = try Self.token()
        #expect(refusal(of: token, by: lax) == nil)
        #expect(refusal(of: token, by: strict)?.code == .wrongAudience)
        #expect(refusal(of: token, by: lax) == nil)
    }

    @Test("a nonce is compared for a token that is remembered, too")
    func nonce() throws {
        let source = try GivenSource(TestKeys.set(TestKeys.elliptic))
        let verifier = TokenVerifierTests.verifier(
            [TokenVerifierTests.profile(.id)], source, cache: VerifiedTokenCache())
        var draft = TokenVerifierTests.good
        draft.type = nil
        draft.claims["nonce"] = "n-1"
        let token = try draft.token()
        #expect(refusal(of: token, nonce: "n-1", by: verifier) == nil)
        #expect(refusal(of: token, nonce: "n-2", by: verifier)?.code == .wrongAudience)
        #expect(refusal(of: token, by: verifier) == nil)
    }

    @Test("16 tasks agree while sessions are removed and a key is withdrawn; afterwards nobody is let in")
    func race() async throws {
        let bench = try Bench(VerifiedTokenCache(capacity: 2_048))
        let tokens = try (0..<8).map { try Self.token($0, session: "s\($0)") }
        let refusals = await withTaskGroup(of: [TokenError].self) { group in
            for task in 0..<16 {
                group.addTask {
                    var refusals: [TokenError] = []
                    for round in 0..<100 {
                        let number = (task + round) % tokens.count
                        if let error = refusal(of: tokens[number], by: bench.verifier) { refusals.append(error) }
                        if round % 25 == task { bench.cache.remove(session: "s\(number)") }
                    }
                    return refusals
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(refusals.isEmpty)

        let afterwards = await withTaskGroup(of: Bool.self) { group in
            let withdrawn = Judgements()
            for task in 0..<16 {
                group.addTask {
                    var isSound = true
                    for round in 0..<60 {
                        let wasWithdrawn = withdrawn.count > 0
                        let code = refusal(of: tokens[(task + round) % tokens.count], by: bench.verifier)?.code
                        if wasWithdrawn { isSound = isSound && code == .unknownKey }
                        isSound = isSound && (code == nil || code == .unknownKey)
                        await Task.yield()
                    }
                    return isSound
                }
            }
            group.addTask {
                guard let other = try? TestKeys.set(TestKeys.edwards) else { return false }
                bench.source.replace(with: other)
                withdrawn.add()
                return true
            }
            return await group.reduce(true) { $0 && $1 }
        }
        #expect(afterwards)
        for token in tokens { #expect(refusal(of: token, by: bench.verifier)?.code == .unknownKey) }
    }
}
