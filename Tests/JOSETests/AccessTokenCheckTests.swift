// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing

@Suite struct AccessTokenCheckTests {
    private let now = Instant(seconds: 1_800_000_000)
    private let key: SigningKey
    private let keys: VerificationKeySet
    private let check = AccessTokenCheck(
        issuer: "https://id.example/auth/v1", audiences: ["authenticated"], algorithms: [.es256], leeway: .seconds(30))

    init() throws {
        key = try SigningKey.generate(.es256, keyID: "k1")
        keys = try VerificationKeySet([key.verificationKey()])
    }

    private func claims(_ changes: JSONObject = [:]) -> JSONObject {
        let usual: JSONObject = [
            "iss": "https://id.example/auth/v1", "aud": "authenticated", "sub": "u1", "iat": 1_800_000_000,
            "exp": 1_800_003_600,
        ]
        return usual.merging(changes)
    }

    private func code(_ claims: JSONObject, at now: Instant? = nil, header: JSONObject = [:]) throws -> AuthErrorCode? {
        let token = try JWS.sign(claims, header: header, with: key)
        do {
            _ = try check.verify(token.utf8, keys: keys, now: now ?? self.now)
            return nil
        } catch { return error.code }
    }

    @Test("A right token gives its claims")
    func accepted() throws {
        let token = try JWS.sign(claims(["aal": "aal1", "jti": "t1"]), with: key)
        let read = try check.verify(token.utf8, keys: keys, now: now)
        #expect(read.subject == "u1" && read.audience == ["authenticated"] && read.tokenID == "t1")
        #expect(read.expiresAt == Instant(seconds: 1_800_003_600) && read["aal"] == "aal1")
        #expect(try code(claims(["aud": ["other", "authenticated"]])) == nil)
        #expect(try code(claims(["iat": .number(1_799_999_999.5)])) == nil)
    }

    @Test(
        "A claim that is missing, wrong or of the wrong type is refused",
        arguments: [
            ["iss": nil], ["iss": "https://id.example/auth/v1/"], ["iss": "https://ID.example/auth/v1"],
            ["iss": ["https://id.example/auth/v1"]], ["aud": nil], ["aud": "other"], ["aud": []], ["aud": [1]],
            ["aud": "authenticated "], ["aud": ["x": 1]], ["exp": nil], ["exp": "1800003600"], ["exp": true],
            ["exp": -1], ["exp": .integer(.max)], ["exp": .number(1e300)], ["iat": nil], ["iat": "now"],
            ["iat": 1_800_000_031], ["nbf": 1_800_000_031], ["nbf": "x"], ["sub": 1], ["jti": []],
        ] as [JSONObject])
    func refused(changes: JSONObject) throws {
        #expect(try code(claims(changes)) == .tokenInvalid)
    }

    @Test("Times are judged to the microsecond, with the leeway and no more")
    func times() throws {
        #expect(try code(claims(["iat": 1_800_000_030, "nbf": 1_800_000_030])) == nil)
        let end = Instant(seconds: 1_800_003_630)
        #expect(try code(claims(), at: end - Span(microseconds: 1)) == nil)
        #expect(try code(claims(), at: end) == .tokenExpired)
        #expect(try code(claims(), at: Instant(microseconds: .max)) == .tokenExpired)
        #expect(try code(claims(), at: Instant(microseconds: .min)) == .tokenInvalid)
    }

    @Test("A leeway is between 0 and 60 s")
    func leeway() {
        func made(_ leeway: Span) -> Span {
            AccessTokenCheck(issuer: "i", audiences: ["a"], algorithms: [.es256], leeway: leeway).leeway
        }
        #expect(made(.hours(5)) == .seconds(60))
        #expect(made(.seconds(-5)) == .zero)
        #expect(made(.seconds(45)) == .seconds(45))
    }

    @Test("The signature is judged before expiry: of a forged token nothing is said but that it is not valid")
    func order() throws {
        let forger = try SigningKey.generate(.es256, keyID: "k1")
        let old = claims(["exp": 1_000])
        #expect(try code(old) == .tokenExpired)
        for token in [try JWS.sign(old, with: forger), try JWS.sign(old, with: key).dropLast(4) + "AAAA"] {
            #expect(throws: AuthError(.tokenInvalid)) { try check.verify(token.utf8, keys: keys, now: now) }
        }
    }

    @Test("Another algorithm, another key, a nested or a JSON-less token is refused")
    func others() throws {
        let rsa = try SigningKey.generate(.rs256, keyID: "r1")
        let both = try VerificationKeySet([key.verificationKey(), rsa.verificationKey()])
        let token = try JWS.sign(claims(), with: rsa)
        #expect(throws: AuthError(.tokenInvalid)) { try check.verify(token.utf8, keys: both, now: now) }
        #expect(throws: AuthError(.tokenInvalid)) { try check.verify(token.utf8, keys: keys, now: now) }
        #expect(try code(claims(), header: ["cty": "JWT"]) == .tokenInvalid)
        for payload in ["", "[]", "x", #"{"exp":1,"exp":2}"#] {
            let token = try JWS.sign(Array(payload.utf8), with: key)
            #expect(throws: AuthError(.tokenInvalid)) { try check.verify(token.utf8, keys: keys, now: now) }
        }
        #expect(throws: AuthError(.tokenInvalid)) { try check.verify("".utf8, keys: keys, now: now) }
    }

    @Test("A reason quotes nothing of the token")
    func reasons() throws {
        let token = try JWS.sign(claims(["iss": "secret-issuer", "sub": "secret-subject"]), with: key)
        do {
            _ = try check.verify(token.utf8, keys: keys, now: now)
            Issue.record("was accepted")
        } catch {
            #expect(!error.description.contains("secret-"))
            #expect(!token.split(separator: ".").contains { error.description.contains($0) })
        }
    }
}
