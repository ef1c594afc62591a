// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing

/// Wycheproof's whole tokens, each with the key it is to be checked with.
@Suite struct WycheproofTokenTests {
    /// Marked valid, but the JWK's `alg` is not the token's (346, 350: PS256 beside PS384; 347, 351: "ES521", which is
    /// no algorithm), or a segment holds a "?" (372, 373). A strict reader refuses all six.
    static let overrides: Set<Int64> = [346, 347, 350, 351, 372, 373]

    /// Marked invalid for their padding, which the file does not hold: both are, byte for byte, the token of case 357,
    /// which it marks valid with the same key. No reader can tell them apart; that real padding is refused is tested in
    /// `ParsedJWSTests`.
    static let sameAsValid: [Int64: Int64] = [367: 357, 370: 357]

    /// The token verifies with the group's key, taken as it stands or out of a set.
    private func verifies(_ token: JSONValue?, _ group: JSONObject) -> Bool {
        let bytes = Array((token?.stringValue ?? token?.text ?? "").utf8)
        guard let source = group["public"]?.objectValue ?? group["private"]?.objectValue else { return false }
        do {
            let parsed = try ParsedJWS(parsing: bytes)
            if source["keys"] == nil {
                try parsed.verify(with: VerificationKey(JWK(source)))
            } else {
                let keys = try VerificationKeySet(JWKSet(parsing: source.serialized()))
                try parsed.verify(with: keys.key(for: parsed.header))
            }
            return true
        } catch { return false }
    }

    @Test("Every signature case, but for the six documented overrides and two that contradict a third")
    func signatures() throws {
        var seen = 0
        for (group, cases) in try VectorFiles.groups("json_web_signature_test") {
            for test in cases {
                seen += 1
                let id = test.integer("tcId")
                var expected = test.string("result") == "valid" && !Self.overrides.contains(id)
                if let twin = Self.sameAsValid[id] {
                    let valid = try #require(cases.first { $0.integer("tcId") == twin })
                    #expect(valid["jws"] == test["jws"] && valid.string("result") == "valid")
                    expected = true
                }
                #expect(verifies(test["jws"], group) == expected, "tcId \(id): \(test.string("comment"))")
            }
        }
        #expect(seen == 401)
    }

    @Test("Every key case: mixed and duplicate sets, wrong use, curve, point and kind, short and ROCA keys")
    func keys() throws {
        var seen = 0
        for (group, cases) in try VectorFiles.groups("json_web_key_test") {
            for test in cases {
                seen += 1
                let expected = test.string("result") == "valid"
                #expect(
                    verifies(test["jws"], group) == expected,
                    "tcId \(test.integer("tcId")): \(test.string("comment"))")
            }
        }
        #expect(seen == 26)
    }

    @Test("Every mixed case: signatures judged, encrypted tokens refused")
    func mixed() throws {
        var seen = 0
        for (group, cases) in try VectorFiles.groups("json_web_crypto_test") {
            for test in cases {
                seen += 1
                let expected = test.string("result") == "valid" && test["jws"] != nil
                #expect(
                    verifies(test["jws"] ?? test["jwe"], group) == expected,
                    "tcId \(test.integer("tcId")): \(test.string("comment"))")
            }
        }
        #expect(seen == 83)
    }

    @Test("Every encrypted token is refused before any key is looked at")
    func encrypted() throws {
        var seen = 0
        for (_, cases) in try VectorFiles.groups("json_web_encryption_test") {
            for test in cases {
                seen += 1
                let token = test["jwe"]?.stringValue ?? test["jwe"]?.text ?? ""
                #expect(throws: JOSEError.self, "tcId \(test.integer("tcId"))") { try ParsedJWS(parsing: token.utf8) }
            }
        }
        #expect(seen == 139)
    }
}
