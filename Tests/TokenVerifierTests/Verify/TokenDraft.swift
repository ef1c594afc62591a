// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing
import TokenVerifier

/// A token before it is signed, so that a test can change one thing in it.
struct TokenDraft: Sendable {
    static let seconds: Int64 = 1_800_000_000
    static let now = Instant(seconds: seconds)

    var claims: JSONObject
    var key: SigningKey
    var type: String? = "JWT"
    var header: JSONObject = [:]
    /// What the verifier is told to expect.
    var nonce: String?

    /// Within its time, with `iss`, `sub` and `aud`.
    static func claims(issuer: String, audience: JSONValue?) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": "user-1", "iat": .integer(seconds - 60), "exp": .integer(seconds + 3_540),
        ]
        claims["aud"] = audience
        return claims
    }

    func token() throws -> String { try JWS.sign(claims, type: type, header: header, with: key) }
}

/// One thing wrong with a token, and what must be said of it; `nil` where it must be accepted all the same.
struct Deviation: Sendable, CustomTestStringConvertible {
    let name: String
    let code: TokenError.Code?
    let change: @Sendable (inout TokenDraft) throws -> Void

    init(_ name: String, _ code: TokenError.Code?, _ change: @escaping @Sendable (inout TokenDraft) throws -> Void) {
        self.name = name
        self.code = code
        self.change = change
    }

    var testDescription: String { name }

    func check(_ good: TokenDraft, with verifier: TokenVerifier) throws {
        var draft = good
        try change(&draft)
        let token = try draft.token()
        #expect(refusal(of: token, nonce: draft.nonce, by: verifier)?.code == code, "\(name)")
    }

    static func claim(_ claim: String, _ value: JSONValue?, _ code: TokenError.Code?) -> Deviation {
        Deviation("\(claim) is \(value?.text ?? "missing")", code) { $0.claims[claim] = value }
    }

    static func type(_ type: String?, _ code: TokenError.Code?) -> Deviation {
        Deviation("typ is \(type ?? "missing")", code) { $0.type = type }
    }

    static func key(_ name: String, _ key: SigningKey, _ code: TokenError.Code?) -> Deviation {
        Deviation(name, code) { $0.key = key }
    }

    /// What no profile may accept, and what each must.
    static let ofAnyToken: [Deviation] = [
        .claim("iss", nil, .unknownIssuer), .claim("iss", "https://issuer.invalid", .unknownIssuer),
        .claim("iss", ["https://issuer.invalid"], .malformed),
        .claim("exp", nil, .malformed), .claim("exp", "1800003540", .malformed),
        .claim("iat", nil, .malformed), .claim("iat", .null, .malformed),
        .claim("exp", .integer(TokenDraft.seconds - 30), .expired),
        .claim("exp", .integer(TokenDraft.seconds - 29), nil),
        .claim("iat", .integer(TokenDraft.seconds + 31), .notYetValid),
        .claim("iat", .integer(TokenDraft.seconds + 30), nil),
        .claim("nbf", .integer(TokenDraft.seconds + 31), .notYetValid),
        .claim("nbf", .integer(TokenDraft.seconds + 30), nil),
        .claim("nbf", "soon", .malformed),
        .claim("sub", nil, .malformed), .claim("sub", "", .malformed), .claim("sub", 1, .malformed),
        .claim("sub", .string(String(repeating: "x", count: 256)), .malformed),
        .claim("events", ["http://schemas.openid.net/event/backchannel-logout": [:]], .wrongKind),
        .claim("token_use", "refresh", .wrongKind), .claim("token_use", 1, .wrongKind),
        .claim("typ", "Refresh", .wrongKind), .claim("typ", "Logout", .wrongKind),
        .type("logout+jwt", .wrongKind), .type("dpop+jwt", .wrongKind), .type("secevent+jwt", .wrongKind),
        Deviation("cty is JWT", .malformed) { $0.header["cty"] = "JWT" },
        Deviation("kid is another", .unknownKey) { $0.key = try TestKeys.renamed($0.key, "another") },
        Deviation("nonce is not there", .wrongAudience) { $0.nonce = "n-1" },
    ]
}

func refusal(of token: String, nonce: String? = nil, by verifier: TokenVerifier) -> TokenError? {
    do throws(TokenError) {
        _ = try verifier.verify(token.utf8, nonce: nonce)
        return nil
    } catch {
        return error
    }
}

extension TokenVerifier {
    /// With one profile and its keys, at ``TokenDraft/now``.
    convenience init(_ profile: TokenProfile, _ keys: VerificationKeySet?) {
        self.init([profile], keys: GivenKeys([profile.keys: GivenSource(keys)]), clock: { TokenDraft.now })
    }
}
