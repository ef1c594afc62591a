// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing

@testable import TokenVerifier

@Suite("What counts as an answer of a key server")
struct FetchedKeysTests {
    func read(_ text: String) throws(KeyFetchError) -> FetchedKeys {
        try FetchedKeys(keySet: Array(text.utf8), life: nil)
    }

    func set(_ keys: [JSONObject]) -> String { (["keys": .array(keys.map(JSONValue.object))] as JSONObject).text }

    @Test("Keys for encryption and of unknown kinds are left out")
    func leftOut() throws {
        var encryption = SampleKeys.object("two")
        encryption["use"] = "enc"
        let strange: JSONObject = ["kty": "XYZ", "kid": "strange"]
        let keys = try read(set([strange, SampleKeys.object("one"), encryption]))
        #expect(keys.keys.knows("one"))
        #expect(!keys.keys.knows("two"))
        #expect(keys.fingerprints.count == 1)
    }

    @Test("Two keys of one kid, and a set of which nothing is left, are refused")
    func broken() {
        let one = SampleKeys.object("one")
        for keys in [[one, one], [], [["kty": "XYZ"] as JSONObject]] {
            #expect(throws: KeyFetchError.notKeys) { try read(set(keys)) }
        }
        for text in ["", "[]", "{}", "null", #"{"keys":{}}"#, #"{"keys":null}"#, #"{"keys":[1]}"#, set([one]) + "x"] {
            #expect(throws: KeyFetchError.notKeys) { try read(text) }
        }
    }

    @Test("A published private key or secret is refused: with it anybody could sign")
    func secrets() throws {
        let secret: JSONObject = ["kty": "oct", "kid": "s", "k": .string(String(repeating: "A", count: 43))]
        let exported = try SigningKey.generate(.es256, keyID: "p").exported.reveal()
        let pair = try JSONObject(parsing: Array(exported.utf8))
        #expect(throws: KeyFetchError.notKeys) { try read(set([secret])) }
        #expect(throws: KeyFetchError.notKeys) { try read(set([pair])) }
        #expect(throws: KeyFetchError.notKeys) { try read(set([SampleKeys.object("one"), secret])) }
    }

    @Test("The order of keys does not matter; a key replaced under its kid does")
    func fingerprints() throws {
        let one = SampleKeys.object("one")
        let two = SampleKeys.object("two")
        #expect(try read(set([one, two])).fingerprints == read(set([two, one])).fingerprints)
        var replaced = two
        replaced["kid"] = "one"
        #expect(try read(set([one])).fingerprints != read(set([replaced])).fingerprints)
        var narrowed = one
        narrowed["kid"] = "other"
        #expect(try read(set([one])).fingerprints != read(set([narrowed])).fingerprints)
    }

    @Test("Certificates are read by kid")
    func certificates() throws {
        let object: JSONObject = ["c": .string(Self.certificate)]
        let keys = try FetchedKeys(certificates: object.serialized(), life: .hours(1))
        #expect(keys.keys.knows("c"))
        #expect(!keys.keys.knows("d"))
        #expect(keys.life == .hours(1))
        for text in ["", "{}", "[]", #"{"c":"x"}"#, #"{"c":1}"#, SampleKeys.first] {
            #expect(throws: KeyFetchError.notKeys) { try FetchedKeys(certificates: Array(text.utf8), life: nil) }
        }
    }

    @Test("Fixed keys are what they were given as, and asking changes nothing")
    func fixed() async throws {
        let keys = FixedKeys(try SampleKeys.fetched(["one"]).keys)
        await keys.request(.unknownKey)
        #expect(keys.keys?.knows("one") == true)
        #expect(keys.retryAfter == nil)
        #expect(FixedKeys.empty.keys == nil)
    }

    /// Self-signed, on P-256: `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256`.
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBhTCCASugAwIBAgIUfjmk/n8cNisOgnK/0nIsvV8OoeswCgYIKoZIzj0EAwIw
        FzEVMBMGA1UEAwwMa2V5cy5leGFtcGxlMCAXDTI2MTEyMTA5MjcyMVoYDzIxMjYx
        MDI4MDkyNzIxWjAXMRUwEwYDVQQDDAxrZXlzLmV4YW1wbGUwWTATBgcqhkjOPQIB
        BggqhkjOPQMBBwNCAAQegneXB+UyMTnvg7vdt0JmyaIED7RzlRZuZuguwoxx/dMm
        +6Zdez2uWkSHmvDP6LfaqzZ7xvN1QrMLuUXhKwbBo1MwUTAdBgNVHQ4EFgQUdSMu
        XMfGqeZHsZh0aHh8ZiIV9bAwHwYDVR0jBBgwFoAUdSMuXMfGqeZHsZh0aHh8ZiIV
        9bAwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiArYP92xViKe5Pm
        ynyuh+QwKMz7wAF6gukVxoftry+YOAIhAKqfwuTolvsi1guAHUz5wC6PSGQUrw9e
        X7gg33g2Rcak
        -----END CERTIFICATE-----
        """
}
