// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing

@Suite struct RFCExampleTests {
    static let payload =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    static let rsaModulus = """
        ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4\
        d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5re\
        xMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxX\
        FvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ
        """

    static let rsaSignature = """
        cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5\
        jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb\
        1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QO\
        YEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw
        """

    static let examples: [(String, String, JSONObject)] = [
        (
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            [
                "kty": "oct",
                "k": "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow",
            ]
        ),
        ("eyJhbGciOiJSUzI1NiJ9", rsaSignature, ["kty": "RSA", "n": .string(rsaModulus), "e": "AQAB"]),
        (
            "eyJhbGciOiJFUzI1NiJ9",
            "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q",
            [
                "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
                "d": "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
            ]
        ),
    ]

    @Test("RFC 7515, appendix A.1 to A.3: HS256, RS256, ES256", arguments: examples)
    func rfc7515(header: String, signature: String, jwk: JSONObject) throws {
        let key = try VerificationKey(JWK(jwk))
        let parsed = try ParsedJWS(parsing: "\(header).\(Self.payload).\(signature)".utf8)
        try parsed.verify(with: key)
        let claims = try JWTClaims(parsing: parsed.payload)
        #expect(claims.issuer == "joe")
        #expect(claims.expiresAt == Instant(seconds: 1_300_819_380))
        #expect(claims["http://example.com/is_root"] == true)
        #expect(throws: JOSEError(.signatureInvalid)) {
            try ParsedJWS(parsing: "\(header).e30.\(signature)".utf8).verify(with: key)
        }
    }

    @Test("RFC 7515, appendix A.5: an unsecured token is refused")
    func unsecured() {
        for token in ["eyJhbGciOiJub25lIn0.\(Self.payload).", "eyJhbGciOiJub25lIn0.\(Self.payload).AA"] {
            #expect(throws: JOSEError.self) { try ParsedJWS(parsing: token.utf8) }
        }
    }

    @Test("RFC 7638, section 3.1, and RFC 8037, appendix A.3: thumbprints")
    func thumbprints() throws {
        let rsa: JSONObject = [
            "kty": "RSA", "e": "AQAB", "alg": "RS256", "kid": "2011-04-29",
            "n": """
            0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_B\
            JECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_F\
            DW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4\
            vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw
            """,
        ]
        #expect(try JWK(rsa).thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
        let edwards: JSONObject = [
            "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
            "d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
        ]
        #expect(try JWK(edwards).thumbprint == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
        #expect(try JWK(edwards).publicKey?.thumbprint == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
    }

    @Test("RFC 8037, appendix A.1, A.2, A.4 and A.5: an Ed25519 key signs and checks")
    func rfc8037() throws {
        let secret: JSONObject = [
            "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
            "d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
        ]
        let expected = """
            eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.\
            hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg
            """
        let token = try JWS.sign(Array("Example of Ed25519 signing".utf8), type: nil, with: SigningKey(JWK(secret)))
        #expect(token == expected)
        var published = secret
        published["d"] = nil
        let key = try VerificationKey(JWK(published))
        try ParsedJWS(parsing: expected.utf8).verify(with: key)
        let other = expected.replacing("RXhh", with: "RXhi")
        #expect(throws: JOSEError(.signatureInvalid)) { try ParsedJWS(parsing: other.utf8).verify(with: key) }
    }

    @Test("RFC 8037, appendix A.6 and A.7: keys for agreement sign nothing, and neither does Ed448")
    func agreement() {
        for key: JSONObject in [
            ["kty": "OKP", "crv": "X25519", "x": "3p7bfXt9wbTTW2HC7OQ1Nz-DQ8hbeGdNrfx-FG-IK08", "kid": "Bob"],
            [
                "kty": "OKP", "crv": "X448", "kid": "Dave",
                "x": "PreoKbDNIPW8_AtZm2_sz22kYnEHvbDU80W0MCfYuXL8PjT7QjKhPKcG3LV67D2uB73BxnvzNgk",
            ],
            ["kty": "OKP", "crv": "Ed448", "x": .string(String(repeating: "A", count: 76))],
            ["kty": "OKP", "crv": "ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"],
            ["kty": "EC", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"],
        ] { #expect(throws: JOSEError(.keyInvalid)) { try JWK(key) } }
    }

    @Test("RFC 7517, appendix A.1 and A.3: keys for encryption are left out, secrets read by their kid")
    func rfc7517() throws {
        let set: JSONObject = [
            "keys": [
                [
                    "kty": "EC", "crv": "P-256", "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
                    "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM", "use": "enc", "kid": "1",
                ],
                [
                    "kty": "RSA", "n": .string(Self.rsaModulus), "e": "AQAB", "alg": "RS256", "kid": "2011-04-29",
                ],
            ]
        ]
        #expect(try JWKSet(parsing: set.serialized()).keys.map(\.keyID) == ["2011-04-29"])
        let secrets: JSONObject = [
            "keys": [
                ["kty": "oct", "alg": "A128KW", "k": "GawgguFyGrWKav7AX4VKUg"],
                [
                    "kty": "oct", "kid": "HMAC key used in JWS spec Appendix A.1 example",
                    "k": "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow",
                ],
            ]
        ]
        let read = try JWKSet(parsing: secrets.serialized()).keys
        #expect(read.map(\.keyID) == ["HMAC key used in JWS spec Appendix A.1 example"])
    }

    @Test("RFC 7519, section 3.1 and 6.1: the claims set of the examples, and no unsecured token")
    func rfc7519() throws {
        let payload = try #require(Base64URL.decode(Self.payload))
        let claims = try JWTClaims(parsing: payload)
        #expect(claims.members.names == ["iss", "exp", "http://example.com/is_root"])
        #expect(claims.audience.isEmpty && claims.subject == nil && claims.tokenID == nil && claims.issuedAt == nil)
        let unsecured = "eyJhbGciOiJub25lIn0.\(Self.payload)."
        #expect(throws: JOSEError.self) { try ParsedJWS(parsing: unsecured.utf8) }
    }
}
