// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import Foundation
import JOSE
import Testing
import TokenVerifier

/// The published flaws of other verifiers, R1–R21, R80 and R82 of the security reference: each by its number.
@Suite("Advisories")
struct AdvisoryTests {
    static let issuer = "https://id.example.org"
    static let algorithms: Set<JWSAlgorithm> = [.rs256, .es256, .hs256]

    static func profile(_ issuer: String = issuer) -> TokenProfile {
        .openID(issuer: issuer, audiences: ["api"], algorithms: algorithms, kind: .access)
    }

    /// Allows HMAC beside the key pairs, as no server should: the key's own kind must be enough.
    static func verifier() throws -> TokenVerifier {
        try TokenVerifier(profile(), TestKeys.set(TestKeys.rsa, TestKeys.elliptic))
    }

    static var good: TokenDraft {
        TokenDraft(
            claims: TokenDraft.claims(issuer: issuer, audience: "api"), key: TestKeys.elliptic, type: "at+jwt")
    }

    /// Any header, and a signature made of the signing input.
    static func forged(
        _ header: JSONObject, _ claims: JSONObject = good.claims, by sign: ([UInt8]) throws -> [UInt8]
    ) rethrows -> String {
        let input = "\(Base64URL.encode(header.serialized())).\(Base64URL.encode(claims.serialized()))"
        return "\(input).\(Base64URL.encode(try sign(Array(input.utf8))))"
    }

    static func code(_ token: String) throws -> TokenError.Code? { refusal(of: token, by: try verifier())?.code }

    @Test("the token that every other one here is made from is good")
    func control() throws {
        #expect(try Self.code(Self.good.token()) == nil)
    }

    @Test(
        "R1 R2 alg none is refused however it is written, signed or not",
        arguments: [
            "none", "None", "NONE", "nOnE", "", "HS1", "RS256 ", "rs256",
        ])
    func none(_ algorithm: String) throws {
        let header: JSONObject = ["alg": .string(algorithm), "kid": "ec-1", "typ": "at+jwt"]
        #expect(try Self.code(Self.forged(header) { _ in [1] }) == .wrongAlgorithm)
        let unsigned = Self.forged(header) { _ in [] }
        #expect(try Self.code(unsigned) == .malformed)
        #expect(try Self.code(String(unsigned.dropLast())) == .malformed)
    }

    @Test("R1 R3 R4 R5 a public key in any form is no HMAC secret, the JWK naming its alg or not")
    func confusion() throws {
        let pem = try #require(TestKeys.rsa.publicJWK?.publicObject)
        let point = P256.Signing.PrivateKey().publicKey
        var unnamed = try #require(TestKeys.elliptic.publicJWK?.publicObject)
        let x = Base64URL.decode(unnamed["x"]?.stringValue ?? "") ?? []
        let y = Base64URL.decode(unnamed["y"]?.stringValue ?? "") ?? []
        unnamed["alg"] = Optional<JSONValue>.none
        let elliptic = try P256.Signing.PublicKey(x963Representation: [4] + x + y)
        let modulus = Base64URL.decode(pem["n"]?.stringValue ?? "") ?? []
        let secrets: [[UInt8]] = [
            pem.serialized(), modulus, Array((pem["n"]?.stringValue ?? "").utf8), unnamed.serialized(), x, [4] + x + y,
            Array(elliptic.derRepresentation), Array(elliptic.pemRepresentation.utf8),
            Array((elliptic.pemRepresentation + "\n").utf8), Array(elliptic.compressedRepresentation),
            Array(point.pemRepresentation.utf8), Array(repeating: 0, count: 32),
        ]
        let withoutAlgorithm = try VerificationKeySet([
            VerificationKey(JWK(unnamed)), TestKeys.rsa.verificationKey(),
        ])
        for keys in [withoutAlgorithm, try TestKeys.set(TestKeys.rsa, TestKeys.elliptic)] {
            let verifier = TokenVerifier(Self.profile(), keys)
            #expect(try refusal(of: Self.good.token(), by: verifier) == nil)
            for secret in secrets {
                for keyID in ["rsa-1", "ec-1"] {
                    var draft = Self.good
                    draft.key = try SigningKey(secret: Secret(secret), algorithm: .hs256, keyID: keyID)
                    #expect(try refusal(of: draft.token(), by: verifier)?.code == .wrongAlgorithm)
                }
            }
        }
    }

    @Test("R5 a kid picks no key of another algorithm")
    func keyIDOfAnotherAlgorithm() throws {
        var draft = Self.good
        draft.key = try TestKeys.renamed(TestKeys.elliptic, "rsa-1")
        #expect(try Self.code(draft.token()) == .wrongAlgorithm)
        draft.key = try TestKeys.renamed(TestKeys.rsa, "ec-1")
        #expect(try Self.code(draft.token()) == .wrongAlgorithm)
    }

    @Test("R6 a key that the token brings along is never used")
    func embeddedKey() throws {
        let jwk = try #require(TestKeys.foreignElliptic.publicJWK?.publicObject)
        for keyID in ["ec-1", "ec-2", nil] {
            var draft = Self.good
            draft.key = try TestKeys.renamed(TestKeys.foreignElliptic, keyID)
            draft.header = ["jwk": .object(jwk), "x5c": ["MIIB"]]
            #expect(try Self.code(draft.token()) == (keyID == "ec-1" ? .badSignature : .unknownKey))
        }
    }

    @Test("R7 no address in a token is followed, also when keys may be asked for")
    func addresses() async throws {
        let profile = Self.profile()
        let source = try GivenSource(TestKeys.set(TestKeys.elliptic))
        let keys = GivenKeys([profile.keys: source])
        let verifier = TokenVerifier([profile], keys: keys, clock: { TokenDraft.now })
        var draft = Self.good
        draft.key = TestKeys.foreignElliptic
        draft.header = ["jku": "http://127.0.0.1:9/jwks", "x5u": "http://127.0.0.1:9/cert"]
        let token = try draft.token()
        await #expect(throws: TokenError(.badSignature)) { try await verifier.verify(fetching: token.utf8) }
        #expect(keys.locations == [profile.keys])
        #expect(source.requests.isEmpty)
    }

    @Test("R8 R15 R19 encrypted, compressed, nested and password-based forms are refused unread")
    func encrypted() throws {
        let token = try Self.good.token()
        #expect(try Self.code("\(token).e30.e30") == .malformed)
        for member in ["enc", "zip"] {
            #expect(try Self.code(Self.forged(["alg": "ES256", .init(member): "DEF"]) { _ in [1] }) == .malformed)
        }
        for algorithm in ["dir", "RSA-OAEP", "PBES2-HS256+A128KW"] {
            let header: JSONObject = ["alg": .string(algorithm), "p2c": 2_147_483_647, "p2s": "AAAA"]
            #expect(try Self.code(Self.forged(header) { _ in [1] }) == .wrongAlgorithm)
        }
        for contentType in ["JWT", "jwt", "application/jwt"] {
            var draft = Self.good
            draft.header = ["cty": .string(contentType)]
            #expect(try Self.code(draft.token()) == .malformed)
        }
    }

    @Test("R9 an ECDSA signature of zeros, or of the group's order, is no signature")
    func zeroSignature() throws {
        let order: [UInt8] = Hex.decode("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551") ?? []
        let zero = [UInt8](repeating: 0, count: 32)
        let header: JSONObject = ["alg": "ES256", "kid": "ec-1", "typ": "at+jwt"]
        for signature in [zero + zero, order + order, zero + order, order + zero, zero + zero + zero, [0]] {
            #expect(try Self.code(Self.forged(header) { _ in signature }) == .badSignature)
        }
    }

    @Test("R10 a token that is also JSON is no token")
    func polyglot() throws {
        let parts = try Self.good.token().split(separator: ".").map(String.init)
        for text in [
            "{\"protected\":\"\(parts[0])\",\"payload\":\"\(parts[1])\",\"signature\":\"\(parts[2])\"}",
            #"{"payload":"\#(parts[1])","signatures":[{"protected":"\#(parts[0])","signature":"\#(parts[2])"}]}"#,
            "{\"\(parts[0]).\(parts[1]).\(parts[2])\":1}", "\(parts[0]).\(parts[1]).\(parts[2])\"}",
            "{\"a\":\".\(parts[1]).\(parts[2])",
        ] {
            #expect(try Self.code(text) == .malformed)
        }
    }

    @Test(
        "R11 a header with crit or b64 is refused, whatever it lists",
        arguments: [
            ["crit": ["exp"], "exp": 1], ["crit": ["b64"], "b64": false], ["crit": []], ["crit": ["urn:unknown"]],
            ["crit": "exp"], ["b64": true],
        ] as [JSONObject])
    func critical(_ members: JSONObject) throws {
        var draft = Self.good
        draft.header = members
        #expect(try Self.code(draft.token()) == .malformed)
    }

    @Test(
        "R12 iss is one string, compared whole",
        arguments: [
            (.string("https://id.example.org/"), .unknownIssuer), (.string("https://id.example.or"), .unknownIssuer),
            (.string("https://id.example.org.evil.example"), .unknownIssuer), (.string(""), .unknownIssuer),
            (.string("HTTPS://ID.EXAMPLE.ORG"), .unknownIssuer), (.string(" https://id.example.org"), .unknownIssuer),
            (nil, .unknownIssuer), (.array(["https://id.example.org"]), .malformed), (.null, .malformed),
            (.object([:]), .malformed),
        ] as [(JSONValue?, TokenError.Code)])
    func issuers(_ issuer: JSONValue?, _ code: TokenError.Code) throws {
        var draft = Self.good
        draft.claims["iss"] = issuer
        #expect(try Self.code(draft.token()) == code)
    }

    @Test(
        "R13 aud is strings, of which one is the audience, whole",
        arguments: [
            (nil, .wrongAudience), ([], .wrongAudience), ("ap", .wrongAudience), ("api2", .wrongAudience),
            ("API", .wrongAudience), ("", .wrongAudience), ("other api", .wrongAudience), (1, .malformed),
            (.null, .malformed), (["api", 1], .malformed), ([["api"]], .malformed), (["api": true], .malformed),
            (true, .malformed),
        ] as [(JSONValue?, TokenError.Code)])
    func audiences(_ audience: JSONValue?, _ code: TokenError.Code) throws {
        var draft = Self.good
        draft.claims["aud"] = audience
        #expect(try Self.code(draft.token()) == code)
    }

    @Test("R14 a million dots, and a header of 8 MiB, are refused by their length")
    func size() throws {
        let token = try Self.good.token()
        for text in [
            String(repeating: ".", count: 1_000_000), "\(String(repeating: "A", count: 8 << 20)).e30.AA",
            token + String(repeating: ".", count: 16 << 10), String(repeating: ".", count: 16 << 10), "", ".", "..",
        ] {
            #expect(try Self.code(text) == .malformed)
        }
    }

    @Test("R16 whatever is cut off, changed or put in, the answer is a refusal")
    func mutations() throws {
        let token = Array(try Self.good.token().utf8)
        let verifier = try Self.verifier()
        for index in token.indices {
            let (before, after) = (Array(token[..<index]), Array(token[(index + 1)...]))
            let mutants: [[UInt8]] = [
                before, after, before + [0, token[index]] + after, before + [token[index] ^ 1] + after,
                before + [0xFF] + after,
            ]
            for mutant in mutants {
                #expect(throws: TokenError.self) { try verifier.verify(mutant) }
            }
        }
        var depth = Self.good
        depth.claims["deep"] = (0..<5_000).reduce(JSONValue.null) { value, _ in .array([value]) }
        #expect(try Self.code(depth.token()) == .malformed)
    }

    @Test("R17 of an expired token with a bad signature, only the signature is spoken of")
    func expiredAndForged() throws {
        var draft = Self.good
        draft.claims["exp"] = .integer(TokenDraft.seconds - 3_600)
        #expect(try Self.code(draft.token()) == .expired)
        draft.key = TestKeys.foreignElliptic
        #expect(try Self.code(draft.token()) == .badSignature)
        draft.claims["aud"] = "other"
        draft.type = "logout+jwt"
        #expect(try Self.code(draft.token()) == .badSignature)
    }

    @Test(
        "R18 R20 a signature that is missing, shorter, longer or changed is refused",
        arguments: [
            JWSAlgorithm.hs256, .es256, .rs256,
        ])
    func signatures(_ algorithm: JWSAlgorithm) throws {
        let key =
            switch algorithm {
            case .hs256: try SigningKey(secret: Secret(TestKeys.secret), algorithm: .hs256, keyID: "hs-1")
            case .rs256: TestKeys.rsa
            default: TestKeys.elliptic
            }
        let verifier = try TokenVerifier(Self.profile(), VerificationKeySet([key.verificationKey()]))
        let header: JSONObject = ["alg": .string(algorithm.rawValue), "typ": "at+jwt"]
        let token = try Self.forged(header) { try key.signature(for: $0) }
        #expect(refusal(of: token, by: verifier) == nil)
        let changes: [@Sendable ([UInt8]) -> [UInt8]] = [
            { (s: [UInt8]) in Array(s.dropLast()) },
            { (s: [UInt8]) in s + [0] },
            { (s: [UInt8]) in Array(s.prefix(1)) },
            { (s: [UInt8]) in Array(s.dropFirst()) },
            { (s: [UInt8]) in Array(s.dropLast()) + [(s.last ?? 0) ^ 1] },
            { (s: [UInt8]) in [0] + s },
            { (s: [UInt8]) in s + s },
            { (s: [UInt8]) in [UInt8](repeating: 0, count: s.count) },
        ]
        for change in changes {
            let token = try Self.forged(header) { change(try key.signature(for: $0)) }
            #expect(refusal(of: token, by: verifier)?.code == .badSignature)
        }
        let stripped = Self.forged(header) { _ in [] }
        #expect(refusal(of: stripped, by: verifier)?.code == .malformed)
    }

    @Test("R21 a key of one issuer never verifies a token that claims another, of the same kid or not")
    func crossIssuer() throws {
        let first = Self.profile("https://a.example")
        let second = Self.profile("https://b.example")
        let keys = try GivenKeys([
            first.keys: GivenSource(TestKeys.set(TestKeys.elliptic, TestKeys.rsa)),
            second.keys: GivenSource(TestKeys.set(TestKeys.foreignElliptic)),
        ])
        for cache in [nil, VerifiedTokenCache()] {
            let verifier = TokenVerifier([first, second], keys: keys, cache: cache, clock: { TokenDraft.now })
            func code(_ issuer: String, _ key: SigningKey) throws -> TokenError.Code? {
                var draft = Self.good
                draft.claims["iss"] = .string(issuer)
                draft.key = key
                return try refusal(of: draft.token(), by: verifier)?.code
            }
            #expect(try code("https://a.example", TestKeys.elliptic) == nil)
            #expect(try code("https://b.example", TestKeys.foreignElliptic) == nil)
            #expect(try code("https://b.example", TestKeys.elliptic) == .badSignature)
            #expect(try code("https://a.example", TestKeys.foreignElliptic) == .badSignature)
            #expect(try code("https://b.example", TestKeys.rsa) == .unknownKey)
            #expect(try code("https://c.example", TestKeys.rsa) == .unknownIssuer)
        }
    }

    @Test("R80 only the token itself is a token: no scheme, blank, query, escape or second one beside it")
    func dressed() throws {
        let token = try Self.good.token()
        for text in [
            "Bearer \(token)", " \(token)", "\(token) ", "\(token)\n", "\(token)?x=1", "\(token)#", "\(token);a",
            "\(token),\(token)", "\"\(token)\"", token.replacingOccurrences(of: ".", with: "%2e"), "\(token)=",
            "\(token)\u{0}", "\(token)/",
        ] {
            #expect(try Self.code(text) == .malformed)
        }
    }

    @Test("R82 an emulator's unsigned token is refused, and nothing in the environment can change that")
    func emulator() throws {
        let verifier = try TokenVerifier(.firebase(projectID: "demo"), TestKeys.set(TestKeys.rsa))
        var claims = TokenDraft.claims(issuer: "https://securetoken.google.com/demo", audience: "demo")
        claims["auth_time"] = .integer(TokenDraft.seconds - 60)
        let unsigned = Self.forged(["alg": "none", "typ": "JWT"], claims) { _ in [] }
        #expect(refusal(of: unsigned, by: verifier)?.code == .malformed)
        let pretended = Self.forged(["alg": "none", "typ": "JWT"], claims) { _ in [1] }
        #expect(refusal(of: pretended, by: verifier)?.code == .wrongAlgorithm)

        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        for room in ["Sources/JOSE", "Sources/TokenVerifier"] {
            let files = FileManager.default.enumerator(at: root.appending(path: room), includingPropertiesForKeys: nil)
            let sources = (files?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
            for source in sources {
                let text = try String(contentsOf: source, encoding: .utf8)
                #expect(!text.contains("getenv") && !text.contains("ProcessInfo"), "\(source.lastPathComponent)")
            }
        }
    }
}
