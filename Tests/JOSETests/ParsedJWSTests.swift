// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing

@Suite struct ParsedJWSTests {
    private let key: SigningKey
    private let checker: VerificationKey

    init() throws {
        key = try SigningKey.generate(.es256, keyID: "k1")
        checker = try key.verificationKey()
    }

    /// A token whose header is exactly `header`, signed by the key.
    private func token(header: String, payload: String = "{}") throws -> String {
        let input = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.utf8))
        return input + "." + Base64URL.encode(try key.signature(for: Array(input.utf8)))
    }

    private func outcome(_ token: some Collection<UInt8>) -> JOSEError.Code? {
        refusal { () throws(JOSEError) in try ParsedJWS(parsing: token).verify(with: checker) }
    }

    @Test("A plain token verifies, with every header member that is only ever ignored")
    func accepted() throws {
        for header in [
            #"{"alg":"ES256"}"#, #"{"alg":"ES256","kid":"k1","typ":"JWT"}"#, #" { "alg" : "ES256" } "#,
            #"{"alg":"ES256","jku":"http://127.0.0.1:1/keys","x5u":"http://127.0.0.1:1/","x5c":["AA=="],"custom":{}}"#,
        ] { #expect(outcome(try token(header: header).utf8) == nil, "\(header)") }
    }

    @Test(
        "A header that breaks a rule is refused, though its signature is right",
        arguments: [
            "{}", "[]", "null", "\"ES256\"", "", "{", #"{"alg":null}"#, #"{"alg":5}"#, #"{"alg":["ES256"]}"#,
            #"{"alg":"ES256","alg":"ES256"}"#, #"{"alg":"none","\u0061lg":"ES256"}"#, #"{"alg":"ES256"}x"#,
            #"{"alg":"ES256","kid":1}"#, #"{"alg":"ES256","typ":{}}"#, #"{"alg":"ES256","crit":["exp"],"exp":1}"#,
            #"{"alg":"ES256","crit":[]}"#, #"{"alg":"ES256","b64":false,"crit":["b64"]}"#,
            #"{"alg":"ES256","b64":true}"#, #"{"alg":"ES256","enc":"A128GCM"}"#, #"{"alg":"ES256","zip":"DEF"}"#,
            #"{"alg":"ES256","n":NaN}"#, #"{"alg":"ES256","a":[[[[[[[[[1]]]]]]]]]}"#, "\u{FEFF}{\"alg\":\"ES256\"}",
        ])
    func headers(header: String) throws {
        #expect(outcome(try token(header: header).utf8) == .malformed)
    }

    @Test("R1 none, in any spelling, is never an algorithm", arguments: ["none", "None", "NONE", "nOnE", "", "es256"])
    func none(name: String) throws {
        let header = "{\"alg\":\"\(name)\"}"
        #expect(outcome(try token(header: header).utf8) == .algorithmNotAllowed)
        let unsigned = Base64URL.encode(Array(header.utf8)) + ".e30."
        #expect(outcome(unsigned.utf8) != nil)
    }

    @Test("A public key's bytes are no HMAC secret: the token's alg must be the key's")
    func confusion() throws {
        let published = try #require(key.publicJWK?.publicObject)
        for bytes in [published.serialized(), Array(published.string("x").utf8)] {
            let forger = try SigningKey(secret: Secret(bytes), algorithm: .hs256, keyID: "k1")
            #expect(outcome(try JWS.sign([:] as JSONObject, with: forger).utf8) == .algorithmNotAllowed)
        }
        let rsa = try SigningKey.generate(.rs256)
        let pss = try SigningKey(rsa.reimported(without: "alg"), algorithm: .ps256)
        let token = try ParsedJWS(parsing: JWS.sign([:] as JSONObject, with: pss).utf8)
        #expect(
            refusal { () throws(JOSEError) in try token.verify(with: rsa.verificationKey()) } == .algorithmNotAllowed)
    }

    @Test("The caller's algorithms narrow the key's")
    func allowed() throws {
        let parsed = try ParsedJWS(parsing: JWS.sign([:] as JSONObject, with: key).utf8)
        try parsed.verify(with: checker, allowing: [.es256])
        #expect(throws: JOSEError(.algorithmNotAllowed)) { try parsed.verify(with: checker, allowing: [.rs256]) }
        #expect(throws: JOSEError(.algorithmNotAllowed)) { try parsed.verify(with: checker, allowing: []) }
    }

    @Test("A key in the token's own header signs nothing")
    func embeddedKey() throws {
        let forger = try SigningKey.generate(.es256, keyID: "k1")
        let own = try #require(forger.publicJWK?.publicObject)
        let token = try JWS.sign([:] as JSONObject, header: ["jwk": .object(own)], with: forger)
        #expect(outcome(token.utf8) == .signatureInvalid)
    }

    @Test("A token that names another key is not checked with this one")
    func otherKey() throws {
        #expect(outcome(try token(header: #"{"alg":"ES256","kid":"k2"}"#).utf8) == .keyNotFound)
        let keys = try VerificationKeySet([checker])
        for kid in ["k2", "", "K1", "k1 "] {
            let parsed = try ParsedJWS(parsing: token(header: "{\"alg\":\"ES256\",\"kid\":\"\(kid)\"}").utf8)
            #expect(refusal { () throws(JOSEError) in _ = try keys.key(for: parsed.header) } == .keyNotFound)
        }
    }

    @Test("Segments: three, strict base64url, no more")
    func segments() throws {
        let token = try JWS.sign(["a": 1] as JSONObject, with: key)
        #expect(outcome(token.utf8) == nil)
        let parts = token.split(separator: ".").map(String.init)
        for bad in [
            "", ".", "..", "...", parts[0], parts[0] + "." + parts[1], token + ".", token + ".AAAA", "." + token,
            token + "=", token + "==", token + "\n", " " + token, parts[0] + "=." + parts[1] + "." + parts[2],
            parts[0] + "." + parts[1] + "=." + parts[2], parts[0] + ".." + parts[2], parts[0] + "." + parts[1] + ".",
            "\(parts[0]).\(parts[1])?.\(parts[2])", "\(parts[0])\n.\(parts[1]).\(parts[2])", "é" + token, token + "\0",
            #"{"payload":"\#(parts[1])","protected":"\#(parts[0])","signature":"\#(parts[2])"}"#,
            "a.b.c.d.e",
        ] { #expect(outcome(bad.utf8) != nil, "\(bad)") }
    }

    @Test("No single changed byte survives")
    func tampering() throws {
        let bytes = Array(try JWS.sign(["a": 1] as JSONObject, with: key).utf8)
        for index in bytes.indices {
            for flip in [UInt8(1), 2, 32, 128] {
                var changed = bytes
                changed[index] ^= flip
                #expect(outcome(changed) != nil, "byte \(index)")
            }
        }
        for length in bytes.indices { #expect(outcome(bytes.prefix(length)) != nil) }
    }

    @Test("A million dots, or 8 MiB of header, are refused at once")
    func floods() throws {
        let dots = [UInt8](repeating: UInt8(ascii: "."), count: 1_000_000)
        let long = [UInt8](repeating: UInt8(ascii: "A"), count: 8 << 20)
        for flood in [dots, long] { #expect(outcome(flood) == .tooLarge) }
        // Of a token that is too long nothing is read, whatever it is.
        #expect(outcome(UnreadBytes(endIndex: 8 << 20)) == .tooLarge)
        #expect(outcome(dots.prefix(16_000)) == .malformed)
        let token = try JWS.sign(["a": 1] as JSONObject, with: key)
        _ = try ParsedJWS(parsing: token.utf8, limit: token.utf8.count)
        #expect(throws: JOSEError(.tooLarge)) { try ParsedJWS(parsing: token.utf8, limit: token.utf8.count - 1) }
    }

    @Test("An ECDSA signature of zeros is refused (CVE-2022-21449), as is one in DER")
    func zeros() throws {
        let input = Base64URL.encode(Array(#"{"alg":"ES256"}"#.utf8)) + ".e30."
        for size in [0, 1, 63, 64, 65, 70] {
            #expect(outcome((input + Base64URL.encode([UInt8](repeating: 0, count: size))).utf8) != nil)
        }
    }
}

extension SigningKey {
    /// The same key, read again without one of its members.
    func reimported(without name: String) throws -> JWK {
        var object = try JSONObject(parsing: exported.reveal().utf8)
        object[name] = nil
        return try JWK(object)
    }
}

/// Bytes that nobody may look at.
private struct UnreadBytes: RandomAccessCollection {
    let startIndex = 0
    let endIndex: Int

    subscript(_: Int) -> UInt8 {
        Issue.record("a byte was read")
        return UInt8(ascii: "A")
    }
}
