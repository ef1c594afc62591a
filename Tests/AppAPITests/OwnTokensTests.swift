// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE
import ServerKit
import TestBench
import Testing
import TokenVerifier

/// The memory of the tokens that the server itself has made. What is judged is counted: the profile is asked for once a
/// verifier, and its check once a signature.
@Suite struct OwnTokensTests {
    private static let now = AppBench.now

    private final class Counts: Sendable {
        let verifiers = AtomicNumber()
        let judgements = AtomicNumber()

        var made: Int { verifiers.load() }
        var judged: Int { judgements.load() }
    }

    private struct World {
        let bench: AppBench
        let tokens: OwnTokens
        let counts = Counts()

        init() async throws {
            bench = try await AppBench()
            tokens = OwnTokens(bench.keys)
        }

        func issuer(audience: String = "app") -> OwnIssuer {
            OwnIssuer(
                AppBench.issuer, of: bench.directory, audience: audience, keys: .tokens, sessionClaim: "session_id",
                links: PlainLinks()
            ) { [counts] keys in
                counts.verifiers.add(1)
                let rules = TokenRules(
                    issuer: AppBench.issuer, audience: .audiences([audience]), algorithms: [.es256], types: [.jwt],
                    kind: .access, requiresStatedKind: false, leeway: .zero)
                return TokenProfile(name: "own", rules: rules, keys: keys) { (_, _, _) throws(TokenError) in
                    counts.judgements.add(1)
                }
            }
        }

        func token(for audience: String = "app", expires span: TimeSpan = .minutes(60)) async throws -> String {
            let claims: JSONObject = [
                "iss": .string(AppBench.issuer), "sub": "u", "aud": .string(audience),
                "iat": .integer(now.seconds), "exp": .integer((now + span).seconds),
            ]
            return try JWS.sign(
                claims, with: try await bench.keys.signingKey(.tokens, of: bench.directory, at: now))
        }

        func code(_ token: String, audience: String = "app", at now: Instant) async throws -> TokenError.Code? {
            do {
                _ = try await tokens.verify(token, of: issuer(audience: audience), at: now)
                return nil
            } catch let error as TokenError {
                return error.code
            }
        }
    }

    @Test("R9.5 a good token is judged once, and no longer good from the moment it expires")
    func expiry() async throws {
        let world = try await World()
        let token = try await world.token(expires: .minutes(3))
        let end = Self.now + .minutes(3)
        for instant in [Self.now, Self.now + .seconds(20), Instant(microseconds: end.microseconds - 1)] {
            // The ring has read its keys again in between, and found the same.
            #expect(try await world.code(token, at: instant) == nil)
        }
        #expect(world.counts.made == 1 && world.counts.judged == 1)
        #expect(try await world.code(token, at: end) == .expired)
        #expect(try await world.code(token, at: end + .minutes(1)) == .expired)
    }

    @Test("R9.5 whatever becomes of the keys is heeded at once, and what they signed is judged again")
    func rotation() async throws {
        let world = try await World()
        let token = try await world.token()
        let old = try await world.bench.keys.signingKey(.tokens, of: world.bench.directory, at: Self.now).keyID
        #expect(try await world.code(token, at: Self.now) == nil)
        try await world.bench.keys.rotate(world.bench.directory, immediately: true, at: Self.now)
        #expect(try await world.code(token, at: Self.now) == nil)
        #expect(try await world.code(try await world.token(), at: Self.now) == nil)
        #expect(world.counts.made == 2 && world.counts.judged == 3)
        let name = SigningKeyID(try #require(old))
        try await world.bench.keys.remove(name, of: world.bench.directory, at: Self.now)
        #expect(try await world.code(token, at: Self.now) == .unknownKey)
    }

    @Test("R9.5 a key that retires is gone at its date, although nobody has told the server")
    func retirement() async throws {
        let world = try await World()
        let token = try await world.token(expires: .days(10))
        let outcome = try await world.bench.keys.rotate(world.bench.directory, immediately: true, at: Self.now)
        guard case .rotated(_, _, let retiresAt?) = outcome else { throw TokenError(.malformed, "\(outcome)") }
        #expect(try await world.code(token, at: Instant(microseconds: retiresAt.microseconds - 1)) == nil)
        #expect(try await world.code(token, at: retiresAt) == .unknownKey)
    }

    @Test("R9.5 an issuer that is kept judges by the keys of now: rotated, taken away or retired")
    func kept() async throws {
        let world = try await World()
        let (issuer, keys, directory) = (world.issuer(), world.bench.keys, world.bench.directory)
        func code(_ token: String, at now: Instant) async throws -> TokenError.Code? {
            do {
                _ = try await world.tokens.verify(token, of: issuer, at: now)
                return nil
            } catch let error as TokenError {
                return error.code
            }
        }
        let token = try await world.token(expires: .days(10))
        let old = try await keys.signingKey(.tokens, of: directory, at: Self.now).keyID
        for _ in 0..<3 { #expect(try await code(token, at: Self.now) == nil) }
        #expect(world.counts.made == 1 && world.counts.judged == 1)
        let outcome = try await keys.rotate(directory, immediately: true, at: Self.now)
        guard case .rotated(_, _, let retiresAt?) = outcome else { throw TokenError(.malformed, "\(outcome)") }
        for _ in 0..<3 { #expect(try await code(token, at: Self.now) == nil) }
        #expect(world.counts.made == 2 && world.counts.judged == 2)
        #expect(try await code(token, at: Instant(microseconds: retiresAt.microseconds - 1)) == nil)
        #expect(try await code(token, at: retiresAt) == .unknownKey)
        // The clock is set back, and the key taken away before its date.
        #expect(try await code(token, at: Self.now) == nil)
        try await keys.remove(SigningKeyID(try #require(old)), of: directory, at: Self.now)
        #expect(try await code(token, at: Self.now) == .unknownKey)
    }

    @Test("R9.5 refusals are not remembered, and what a stranger's token claims makes no verifier that stays")
    func refusals() async throws {
        let world = try await World()
        let stranger = try SigningKey.generate(.es256, keyID: "stranger")
        for audience in ["a", "b", "a"] {
            let claims: JSONObject = [
                "iss": .string(AppBench.issuer), "sub": "u", "aud": .string(audience),
                "iat": .integer(Self.now.seconds), "exp": .integer(Self.now.seconds + 60),
            ]
            let forged = try JWS.sign(claims, with: stranger)
            #expect(try await world.code(forged, audience: audience, at: Self.now) == .unknownKey)
        }
        #expect(world.counts.made == 3 && world.counts.judged == 0)
        // What is good for one audience is not good for the other, remembered or not.
        let token = try await world.token(for: "a")
        #expect(try await world.code(token, audience: "a", at: Self.now) == nil)
        #expect(try await world.code(token, audience: "b", at: Self.now) == .wrongAudience)
        #expect(try await world.code(String(token.dropLast(4)) + "AAAA", audience: "a", at: Self.now) == .badSignature)
    }

    @Test("R9.5 the issuer is looked for with each call, also of a token that is remembered")
    func issuer() async throws {
        let world = try await World()
        let token = try await world.token()
        let verified = try await world.tokens.verify(token, at: Self.now) { claims in
            #expect(claims.issuer == AppBench.issuer)
            return world.issuer()
        }
        #expect(verified.token.subject == "u" && verified.issuer.directory.id == world.bench.directory.id)
        await #expect(throws: TokenError.self) {
            try await world.tokens.verify(token, at: Self.now) { _ in nil }
        }
        await #expect(throws: AuthError.self) {
            try await world.tokens.verify(token, at: Self.now) { _ in throw AuthError(.unavailable) }
        }
        #expect(world.counts.judged == 1)
    }
}
