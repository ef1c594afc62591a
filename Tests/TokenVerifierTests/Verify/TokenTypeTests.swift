// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing
import TokenVerifier

/// RFC 8725, section 3.11: what a token is for is said by its type, and a verifier takes the types it was told.
@Suite("Types of tokens")
struct TokenTypeTests {
    private static let issuer = "https://id.example.org"

    private static func verifier(
        _ types: Set<TokenType>, _ kind: TokenKind = .access, requiresStatedKind: Bool = false
    ) throws -> TokenVerifier {
        let rules = TokenRules(
            issuer: issuer, audience: .audiences(["api"]), algorithms: [.es256], types: types, kind: kind,
            requiresStatedKind: requiresStatedKind)
        return try TokenVerifier(
            TokenProfile(name: "p", rules: rules, keys: .jwks(url: "x")), TestKeys.set(TestKeys.elliptic))
    }

    private static func token(_ type: String?, _ changes: JSONObject = [:]) throws -> String {
        let claims = TokenDraft.claims(issuer: issuer, audience: "api").merging(changes)
        return try TokenDraft(claims: claims, key: TestKeys.elliptic, type: type).token()
    }

    @Test("R8.15 a profile takes the types that it names, and no other")
    func named() throws {
        let spellings: [(TokenType, [String?])] = [
            (.none, [nil]), (.jwt, ["JWT", "jwt", "application/jwt", "APPLICATION/JWT"]),
            (.accessToken, ["at+jwt", "AT+JWT", "application/at+jwt"]), (TokenType("ticket+jwt"), ["ticket+jwt"]),
        ]
        for (accepted, _) in spellings {
            let verifier = try Self.verifier([accepted])
            for (type, texts) in spellings {
                for text in texts {
                    let code = try refusal(of: Self.token(text), by: verifier)?.code
                    #expect(code == (type == accepted ? nil : .wrongKind), "\(text ?? "none") where \(accepted)")
                }
            }
            for text in ["logout+jwt", "dpop+jwt", "secevent+jwt", "JWS", "JOSE", "", " ", "application/", "at"] {
                #expect(try refusal(of: Self.token(text), by: verifier)?.code == .wrongKind, "\(text)")
            }
        }
        #expect(try refusal(of: Self.token("JWT"), by: Self.verifier([]))?.code == .wrongKind)
    }

    @Test("R8.15 a type of the profile's own says the kind, and that of another kind never does")
    func stated() throws {
        let own = TokenType("ticket+jwt")
        let strict = try Self.verifier([own, .jwt], requiresStatedKind: true)
        #expect(try refusal(of: Self.token("ticket+jwt"), by: strict) == nil)
        #expect(try refusal(of: Self.token("JWT"), by: strict)?.code == .wrongKind)
        let confused = try Self.verifier([.accessToken, .logoutToken, .jwt], .id)
        for type in ["at+jwt", "logout+jwt"] {
            #expect(try refusal(of: Self.token(type), by: confused)?.code == .wrongKind)
        }
    }

    @Test("R8.15 a token of any kind is somebody's; only one that tells of a session may leave that to it")
    func subject() throws {
        for kind in TokenKind.allCases {
            let verifier = try Self.verifier([.jwt], kind)
            let expected: TokenError.Code? = kind == .logout ? nil : .malformed
            #expect(try refusal(of: Self.token("JWT"), by: verifier) == nil, "\(kind)")
            #expect(try refusal(of: Self.token("JWT", ["sub": nil]), by: verifier)?.code == expected, "\(kind)")
            #expect(try refusal(of: Self.token("JWT", ["sub": ""]), by: verifier)?.code == expected, "\(kind)")
        }
    }

    @Test("R8.15 a subject is counted in characters, however it is written")
    func length() throws {
        let verifier = try Self.verifier([.jwt])
        let texts: [(String, Bool)] = [
            ("x", true), (String(repeating: "x", count: 255), true), (String(repeating: "x", count: 256), false),
            (String(repeating: "é", count: 255), true), (String(repeating: "🔑", count: 255), true),
            (String(repeating: "🔑", count: 256), false), (String(repeating: "\"", count: 255), true),
            (String(repeating: "\"", count: 256), false),
        ]
        for (text, isGood) in texts {
            let code = try refusal(of: Self.token("JWT", ["sub": .string(text)]), by: verifier)?.code
            #expect(code == (isGood ? nil : .malformed), "\(text.prefix(3)) \(text.unicodeScalars.count)")
        }
    }
}
