// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing

@Suite struct JWKSetTests {
    private func published(_ algorithm: JWSAlgorithm, _ keyID: String?) throws -> JSONObject {
        var object = try #require(try SigningKey.generate(algorithm, keyID: "k").publicJWK?.publicObject)
        object["kid"] = keyID.map(JSONValue.string)
        return object
    }

    private func parse(_ keys: [JSONObject]) throws -> JWKSet {
        let set: JSONObject = ["keys": .array(keys.map(JSONValue.object))]
        return try JWKSet(parsing: set.serialized())
    }

    @Test("Public keys are read, written, and found by kid alone")
    func roundTrip() throws {
        let keys = try [published(.es256, "a"), published(.edDSA, "b"), published(.rs256, "c")]
        let set = try parse(keys)
        #expect(set.keys.map(\.keyID) == ["a", "b", "c"])
        #expect(set.publicObject == ["keys": .array(keys.map(JSONValue.object))])
    }

    @Test("Two keys of one kid are refused, whatever they are for")
    func duplicates() throws {
        var forEncryption = try published(.es256, "a")
        forEncryption["use"] = "enc"
        #expect(throws: JOSEError(.keySetInvalid)) { try parse([published(.es256, "a"), published(.es384, "a")]) }
        #expect(throws: JOSEError(.keySetInvalid)) { try parse([published(.es256, "a"), forEncryption]) }
    }

    @Test("Public keys beside secret ones are refused, even those that would be left out")
    func mixed() throws {
        let secret = try JSONObject(parsing: SigningKey.generate(.es256, keyID: "s").exported.reveal().utf8)
        let shared = try JSONObject(parsing: SigningKey.generate(.hs256, keyID: "h").exported.reveal().utf8)
        var wrapping = shared
        wrapping["alg"] = "A256KW"
        for other in [secret, shared, wrapping] {
            #expect(throws: JOSEError(.keySetInvalid)) { try parse([published(.es256, "a"), other]) }
        }
        let set = try parse([secret, shared])
        #expect(set.publicObject["keys"]?.arrayValue?.count == 1)
    }

    @Test("Keys of unknown kinds are left out; a set with nothing left is refused")
    func unknown() throws {
        let future: JSONObject = ["kty": "AKP", "alg": "ML-DSA-65", "kid": "f", "pub": "AAAA"]
        var forEncryption = try published(.rs256, "e")
        forEncryption["use"] = "enc"
        #expect(try parse([future, forEncryption, published(.es256, "a")]).keys.map(\.keyID) == ["a"])
        #expect(throws: JOSEError(.keySetInvalid)) { try parse([future, forEncryption]) }
        #expect(throws: JOSEError(.keySetInvalid)) { try parse([]) }
    }

    @Test(
        "Garbage is refused", arguments: ["", "{}", "[]", #"{"keys":{}}"#, #"{"keys":[1]}"#, #"{"keys":[],"keys":[]}"#])
    func garbage(text: String) {
        #expect(throws: JOSEError(.keySetInvalid)) { try JWKSet(parsing: text.utf8) }
    }

    @Test("A set of more than 256 keys or 512 KiB is refused")
    func size() throws {
        let key = try published(.es256, nil)
        #expect(throws: JOSEError(.keySetInvalid)) { try parse([JSONObject](repeating: key, count: 257)) }
        let blank = [UInt8](repeating: 0x20, count: 512 << 10)
        #expect(throws: JOSEError(.keySetInvalid)) { try JWKSet(parsing: blank + Array(#"{"keys":[]}"#.utf8)) }
    }

    @Test("A token without kid is checked with the only key, or the one without kid, and never by trying")
    func withoutKeyID() throws {
        let signer = try SigningKey(SigningKey.generate(.es256, keyID: "a").reimported(without: "kid"))
        let parsed = try ParsedJWS(parsing: JWS.sign([:] as JSONObject, with: signer).utf8)
        let unnamed = try signer.verificationKey()
        let named = try SigningKey.generate(.es256, keyID: "b").verificationKey()
        let other = try SigningKey.generate(.es256, keyID: "c").verificationKey()
        #expect(try VerificationKeySet([unnamed]).key(for: parsed.header).keyID == nil)
        #expect(try VerificationKeySet([named]).key(for: parsed.header).keyID == "b")
        #expect(try VerificationKeySet([named, unnamed]).key(for: parsed.header).keyID == nil)
        #expect(throws: JOSEError(.keyNotFound)) { try VerificationKeySet([named, other]).key(for: parsed.header) }
        #expect(throws: JOSEError(.keyNotFound)) { try VerificationKeySet([]).key(for: parsed.header) }
        #expect(throws: JOSEError(.keySetInvalid)) { try VerificationKeySet([unnamed, unnamed]) }
        #expect(throws: JOSEError(.keySetInvalid)) { try VerificationKeySet([named, named]) }
    }
}
