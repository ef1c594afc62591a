// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing
import TokenVerifier

@Suite("TokenVerifier")
struct TokenVerifierTests {
    static let issuer = "https://id.example.org"

    static func profile(_ kind: TokenKind = .access, audience: String = "api") -> TokenProfile {
        .openID(issuer: issuer, audiences: [audience], algorithms: [.es256, .edDSA], kind: kind)
    }

    static var good: TokenDraft {
        TokenDraft(
            claims: TokenDraft.claims(issuer: issuer, audience: "api"), key: TestKeys.elliptic, type: "at+jwt")
    }

    static func verifier(
        _ profiles: [TokenProfile], _ source: GivenSource, cache: VerifiedTokenCache? = nil,
        clock: TestClock = TestClock()
    ) -> TokenVerifier {
        let sources = profiles.map { ($0.keys, source) }
        return TokenVerifier(
            profiles, keys: GivenKeys(Dictionary(sources, uniquingKeysWith: { first, _ in first })), cache: cache,
            clock: { clock.now })
    }

    @Test("errors are equal by their code, and their codes are stable")
    func errors() {
        #expect(TokenError(.expired, "one reason") == TokenError(.expired, "another", retryAfter: .seconds(1)))
        #expect(TokenError(.expired) != TokenError(.revoked))
        #expect(
            TokenError.Code.allCases.map(\.rawValue) == [
                "malformed", "unknown_issuer", "unknown_key", "wrong_algorithm", "bad_signature", "expired",
                "not_yet_valid", "wrong_audience", "wrong_kind", "wrong_binding", "revoked", "keys_unavailable",
            ])
        #expect(TokenError(.expired).description == "expired")
    }

    @Test(
        "leeway is between 0 and 60 s whatever is asked for",
        arguments: [
            (-10, 0), (0, 0), (60, 60), (61, 60), (.max, 60),
        ] as [(Int64, Int64)])
    func leeway(_ asked: Int64, _ given: Int64) throws {
        let profile = TokenProfile.openID(
            issuer: Self.issuer, audiences: ["api"], algorithms: [.es256], kind: .access, leeway: .seconds(asked))
        #expect(profile.rules.leeway == .seconds(given))
        let clock = TestClock()
        let verifier = try Self.verifier([profile], GivenSource(TestKeys.set(TestKeys.elliptic)), clock: clock)
        let token = try Self.good.token()
        let expiry = Instant(seconds: TokenDraft.seconds + 3_540) + .seconds(given)
        clock.set(expiry - TimeSpan(microseconds: 1))
        #expect(refusal(of: token, by: verifier) == nil)
        clock.set(expiry)
        #expect(refusal(of: token, by: verifier)?.code == .expired)
    }

    @Test(
        "F11 a clock that is wrong by years refuses, and traps nowhere",
        arguments: [
            (.min, .notYetValid), (.max, .expired), (0, .notYetValid), (TokenDraft.seconds - 3_600, .notYetValid),
            (TokenDraft.seconds + 315_360_000, .expired),
        ] as [(Int64, TokenError.Code)])
    func wrongClock(_ seconds: Int64, _ code: TokenError.Code) throws {
        let clock = TestClock(Instant(seconds: seconds))
        let source = try GivenSource(TestKeys.set(TestKeys.elliptic))
        for cache in [nil, VerifiedTokenCache()] {
            let verifier = Self.verifier([Self.profile()], source, cache: cache, clock: clock)
            #expect(try refusal(of: Self.good.token(), by: verifier)?.code == code)
        }
    }

    @Test("of several profiles of one issuer, the one that accepts the token names it; refusals are the nearest one's")
    func severalProfiles() throws {
        let source = try GivenSource(TestKeys.set(TestKeys.elliptic))
        var id = Self.good
        id.type = "JWT"
        id.claims["aud"] = "client"
        for profiles in [
            [Self.profile(.access), Self.profile(.id, audience: "client")],
            [Self.profile(.id, audience: "client"), Self.profile(.access)],
        ] {
            let verifier = Self.verifier(profiles, source, cache: VerifiedTokenCache())
            #expect(try verifier.verify(Self.good.token().utf8).kind == .access)
            #expect(try verifier.verify(id.token().utf8).kind == .id)
            var expired = id
            expired.claims["exp"] = .integer(TokenDraft.seconds - 3_600)
            #expect(try refusal(of: expired.token(), by: verifier)?.code == .expired)
            var other = Self.good
            other.claims["aud"] = "client"
            #expect(try refusal(of: other.token(), by: verifier)?.code == .wrongAudience)
        }
    }

    @Test("a verifier without profiles, and a profile without audiences or algorithms, accept nothing")
    func empty() throws {
        let keys = try TestKeys.set(TestKeys.elliptic)
        let token = try Self.good.token()
        let none = TokenVerifier([], keys: GivenKeys([:]), clock: { TokenDraft.now })
        #expect(refusal(of: token, by: none)?.code == .unknownIssuer)
        let nobody = TokenProfile.openID(issuer: Self.issuer, audiences: [], algorithms: [.es256], kind: .access)
        #expect(refusal(of: token, by: TokenVerifier(nobody, keys))?.code == .wrongAudience)
        let nothing = TokenProfile.openID(issuer: Self.issuer, audiences: ["api"], algorithms: [], kind: .access)
        #expect(refusal(of: token, by: TokenVerifier(nothing, keys))?.code == .wrongAlgorithm)
    }

    @Test("fixed keys of one name in two profiles stay apart")
    func fixedKeys() throws {
        func profile(_ issuer: String, _ key: SigningKey) throws -> TokenProfile {
            TokenProfile(
                name: "same",
                rules: TokenRules(
                    issuer: issuer, audience: .audiences(["api"]), algorithms: [.es256],
                    types: [.none, .jwt, .accessToken], kind: .access,
                    requiresStatedKind: true), keys: try TestKeys.set(key))
        }
        let verifier = TokenVerifier(
            [
                try profile("https://a.example", TestKeys.elliptic),
                try profile("https://b.example", TestKeys.foreignElliptic),
            ],
            keys: GivenKeys([:]), clock: { TokenDraft.now })
        var draft = Self.good
        draft.claims["iss"] = "https://b.example"
        #expect(try refusal(of: draft.token(), by: verifier)?.code == .badSignature)
        draft.key = TestKeys.foreignElliptic
        #expect(try refusal(of: draft.token(), by: verifier) == nil)
    }

    @Test(
        "of two profiles of one issuer with keys of their own, neither believes the other's", arguments: [true, false])
    func separateKeys(_ areFixed: Bool) throws {
        func profile(_ kind: TokenKind, _ key: SigningKey) throws -> TokenProfile {
            let rules = TokenRules(
                issuer: Self.issuer, audience: .audiences(["api"]), algorithms: [.es256],
                types: [.none, .jwt, .accessToken], kind: kind,
                requiresStatedKind: false)
            guard areFixed else { return TokenProfile(name: "same", rules: rules, keys: .jwks(url: kind.rawValue)) }
            return TokenProfile(name: "same", rules: rules, keys: try TestKeys.set(key))
        }
        let keys = try GivenKeys([
            .jwks(url: "access"): GivenSource(TestKeys.set(TestKeys.elliptic)),
            .jwks(url: "id"): GivenSource(TestKeys.set(TestKeys.foreignElliptic)),
        ])
        let (access, id) = (try profile(.access, TestKeys.elliptic), try profile(.id, TestKeys.foreignElliptic))
        var idToken = Self.good
        idToken.type = nil
        idToken.claims["at_hash"] = "x"
        for profiles in [[access, id], [id, access]] {
            let verifier = TokenVerifier(profiles, keys: keys, clock: { TokenDraft.now })
            #expect(try refusal(of: Self.good.token(), by: verifier) == nil)
            #expect(try refusal(of: idToken.token(), by: verifier) != nil)
            var other = idToken
            other.key = TestKeys.foreignElliptic
            #expect(try refusal(of: other.token(), by: verifier) == nil)
            other = Self.good
            other.key = TestKeys.foreignElliptic
            #expect(try refusal(of: other.token(), by: verifier) != nil)
        }
    }

    @Test("cold keys are an error of their own, which says when to come back")
    func cold() async throws {
        let source = GivenSource(nil, retryAfter: .seconds(7))
        let verifier = Self.verifier([Self.profile()], source)
        let token = try Self.good.token()
        #expect(refusal(of: token, by: verifier)?.code == .keysUnavailable)
        #expect(refusal(of: token, by: verifier)?.retryAfter == .seconds(7))
        #expect(source.requests.isEmpty, "a synchronous verification asks for nothing")
        await #expect(throws: TokenError(.keysUnavailable)) { try await verifier.verify(fetching: token.utf8) }
        #expect(source.requests == [.none])
    }

    @Test("keys that are cold, or lack the token's, are asked for once, and the token is judged once more")
    func fetching() async throws {
        let token = try Self.good.token()
        let both = try TestKeys.set(TestKeys.elliptic, TestKeys.edwards)
        let cold = GivenSource(nil, arriving: both)
        #expect(try await Self.verifier([Self.profile()], cold).verify(fetching: token.utf8).subject == "user-1")
        #expect(cold.requests == [.none])

        let rotated = try GivenSource(TestKeys.set(TestKeys.edwards), arriving: both)
        let verifier = Self.verifier([Self.profile(), Self.profile(.id)], rotated)
        #expect(try await verifier.verify(fetching: token.utf8).subject == "user-1")
        #expect(rotated.requests == [.unknownKey])

        let lacking = try GivenSource(TestKeys.set(TestKeys.edwards))
        let refusing = Self.verifier([Self.profile()], lacking)
        await #expect(throws: TokenError(.unknownKey)) { try await refusing.verify(fetching: token.utf8) }
        #expect(lacking.requests == [.unknownKey])
    }

    @Test("only the source whose profile allows the token's algorithm is asked")
    func fetchingByAlgorithm() async throws {
        func profile(_ algorithm: JWSAlgorithm) -> TokenProfile {
            let rules = TokenRules(
                issuer: Self.issuer, audience: .audiences(["api"]), algorithms: [algorithm],
                types: [.none, .jwt, .accessToken], kind: .access,
                requiresStatedKind: true)
            return TokenProfile(name: "p", rules: rules, keys: .jwks(url: algorithm.rawValue))
        }
        let (elliptic, edwards) = (GivenSource(nil), GivenSource(nil))
        let keys = GivenKeys([profile(.es256).keys: elliptic, profile(.edDSA).keys: edwards])
        let verifier = TokenVerifier([profile(.edDSA), profile(.es256)], keys: keys, clock: { TokenDraft.now })
        let token = try Self.good.token()
        await #expect(throws: TokenError(.keysUnavailable)) { try await verifier.verify(fetching: token.utf8) }
        #expect(elliptic.requests == [.none])
        #expect(edwards.requests.isEmpty)
    }

    @Test("a token that no key could save asks for none")
    func noNeed() async throws {
        let source = try GivenSource(TestKeys.set(TestKeys.elliptic))
        let verifier = Self.verifier([Self.profile()], source)
        for deviation in [
            .claim("iss", "https://other.example", .unknownIssuer), .claim("aud", "other", .wrongAudience),
            .claim("exp", .integer(1), .expired), .key("another", TestKeys.foreignElliptic, .badSignature),
            .key("another algorithm", TestKeys.rsa, .wrongAlgorithm),
        ] as [Deviation] {
            var draft = Self.good
            try deviation.change(&draft)
            let token = try draft.token()
            await #expect(throws: TokenError.self) { try await verifier.verify(fetching: token.utf8) }
        }
        await #expect(throws: TokenError(.malformed)) { try await verifier.verify(fetching: "x".utf8) }
        #expect(source.requests.isEmpty)
    }

    @Test("hydrate asks for each issuer's keys once, and not for those that are there")
    func hydrate() async throws {
        let keys = try TestKeys.set(TestKeys.elliptic)
        let cold = GivenSource(nil, arriving: keys)
        let warm = GivenSource(keys)
        let other = TokenProfile.openID(
            issuer: "https://b.example", audiences: ["api"], algorithms: [.es256], kind: .access)
        let verifier = TokenVerifier(
            [Self.profile(), Self.profile(.id), other],
            keys: GivenKeys([Self.profile().keys: cold, other.keys: warm]), clock: { TokenDraft.now })
        await verifier.hydrate()
        #expect(cold.requests == [.none])
        #expect(warm.requests.isEmpty)
        #expect(try refusal(of: Self.good.token(), by: verifier) == nil)
    }

    @Test("a profile may demand more, and read any claim")
    func ownCheck() throws {
        let profile = TokenProfile(
            name: "tenant",
            rules: TokenRules(
                issuer: Self.issuer, audience: .audiences(["api"]), algorithms: [.es256],
                types: [.none, .jwt, .accessToken], kind: .access,
                requiresStatedKind: true), keys: .jwks(url: "https://id.example.org/keys")
        ) { (claims, _, _) throws(TokenError) in
            guard claims["tenant"]?.stringValue == "t-1" else { throw TokenError(.wrongAudience, "of another tenant") }
        }
        let verifier = try TokenVerifier(profile, TestKeys.set(TestKeys.elliptic))
        #expect(try refusal(of: Self.good.token(), by: verifier)?.code == .wrongAudience)
        var draft = Self.good
        draft.claims["tenant"] = "t-1"
        #expect(try verifier.verify(draft.token().utf8).claims["tenant"] == "t-1")
    }

    @Test("neither an error nor a description quotes the token")
    func silence() throws {
        let verifier = try TokenVerifier(Self.profile(), TestKeys.set(TestKeys.elliptic))
        let token = try verifier.verify(Self.good.token().utf8)
        #expect(!"\(token)".contains("user-1"))
        #expect(!String(reflecting: token).contains("user-1"))
        var dumped = ""
        dump(token, to: &dumped)
        #expect(!dumped.contains("user-1"))
        for deviation in Deviation.ofAnyToken {
            var draft = Self.good
            draft.claims["sub"] = "marker-1"
            try deviation.change(&draft)
            let error = try refusal(of: draft.token(), nonce: draft.nonce, by: verifier)
            #expect(error?.description.contains("marker-1") != true)
            #expect(error?.description.contains("issuer.invalid") != true)
        }
    }

    @Test("bytes in any collection give the same answer")
    func collections() throws {
        let verifier = try TokenVerifier(Self.profile(), TestKeys.set(TestKeys.elliptic))
        let text = try Self.good.token()
        for cached in [
            verifier, try Self.verifier([Self.profile()], GivenSource(TestKeys.set(TestKeys.elliptic)), cache: .init()),
        ] {
            #expect(throws: Never.self) { try cached.verify(text.utf8) }
            #expect(throws: Never.self) { try cached.verify(Array(text.utf8)) }
            #expect(throws: Never.self) { try cached.verify(Array(("x" + text).utf8).dropFirst()) }
            #expect(throws: Never.self) {
                try cached.verify(Array(text.utf8.reversed()).reversed() as ReversedCollection)
            }
        }
    }

    @Test(
        "R8.18 the issuer's own server takes tokens of before its clock was set back, until they expire; nobody else does"
    )
    func issuedHere() throws {
        let keys = try TestKeys.set(TestKeys.elliptic)
        var draft = Self.good
        draft.claims["iat"] = .integer(TokenDraft.seconds + 86_400)
        draft.claims["exp"] = .integer(TokenDraft.seconds + 90_000)
        let token = try draft.token()
        func verdict(_ profile: TokenProfile, after seconds: Int64) -> TokenError.Code? {
            let verifier = TokenVerifier(
                [profile.withKeys(keys)], clock: { TokenDraft.now + .seconds(seconds) })
            return refusal(of: token, by: verifier)?.code
        }
        #expect(verdict(Self.profile(), after: 0) == .notYetValid)
        for seconds in [0, 86_399, 86_400, 90_000] as [Int64] {
            #expect(verdict(Self.profile().issuedHere(), after: seconds) == nil, "\(seconds)")
        }
        #expect(verdict(Self.profile().issuedHere(), after: 90_030) == .expired)
        var expired = Self.good
        expired.claims["exp"] = expired.claims["iat"]
        expired.claims["iat"] = .integer(TokenDraft.seconds + 86_400)
        let verifier = TokenVerifier([Self.profile().issuedHere().withKeys(keys)], clock: { TokenDraft.now })
        #expect(try refusal(of: expired.token(), by: verifier)?.code == .expired)
    }
}
