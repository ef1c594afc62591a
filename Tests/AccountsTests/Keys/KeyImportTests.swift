// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import Testing

@testable import Accounts

@Suite("Keys brought from another server")
struct KeyImportTests {
    @Test(
        "A shared secret that is short or public knowledge is refused with a reason that does not hold it",
        arguments: [
            "short", String(repeating: "x", count: 31),
            "super-secret-jwt-token-with-at-least-32-characters-long",
        ])
    func weakSecrets(secret: String) async throws {
        let bench = try await Bench.make()
        do {
            try await bench.adopt(secret: Secret(secret), at: bench.now)
            Issue.record("taken")
        } catch let error as AuthError {
            #expect(error.code == .invalidRequest)
            #expect(error.reason?.contains("secret") == true)
            #expect(error.reason?.contains(secret) == false)
        }
    }

    @Test("A shared secret signs tokens and API keys without a kid, and tokens of the old server go on working")
    func sharedSecret() async throws {
        let bench = try await Bench.make()
        try await bench.adopt(secret: Secret(Bench.sharedSecret), at: bench.now)
        let foreign = try SigningKey(secret: Secret(Array(Bench.sharedSecret.utf8)), algorithm: .hs256)
        let token = try JWS.sign(["role": "anon"] as JSONObject, with: foreign)
        let parsed = try ParsedJWS(parsing: token.utf8)
        for purpose in [SigningKeyRecord.Purpose.tokens, .apiKeys] {
            let key = try await bench.ring.signingKey(purpose, of: bench.directory, at: bench.now)
            #expect(key.algorithm == .hs256)
            #expect(key.keyID == nil)
            let keys = try await bench.ring.verificationKeys(of: bench.directory, purpose: purpose, at: bench.now)
            let found = try VerificationKeySet(keys).key(for: parsed.header)
            #expect(throws: Never.self) { try parsed.verify(with: found) }
        }
        #expect(try await bench.ring.publishedKeys(of: bench.directory, at: bench.now).keys.isEmpty)
    }

    @Test("Importing the same again changes nothing; another secret takes its place")
    func repeated() async throws {
        let bench = try await Bench.make()
        try await bench.adopt(secret: Secret(Bench.sharedSecret), at: bench.now)
        let first = try await bench.ring.list(bench.directory)
        try await bench.adopt(secret: Secret(Bench.sharedSecret), at: bench.now + .days(1))
        #expect(try await bench.ring.list(bench.directory) == first)
        try await bench.adopt(secret: Secret(Bench.sharedSecret + "!"), at: bench.now + .days(1))
        let second = try await bench.ring.list(bench.directory)
        #expect(second.count == first.count)
        #expect(second.allSatisfy { key in !first.contains { $0.id == key.id } })
    }

    /// A list as an operator has it: one key that signs, one that only verifies.
    func list(signing: JSONValue = ["sign", "verify"], second: JSONValue = ["verify"]) throws -> String {
        var one = try JSONObject(parsing: SigningKey.generate(.es256, keyID: "one").exported.reveal().utf8)
        var two = try JSONObject(parsing: SigningKey.generate(.es256, keyID: "two").exported.reveal().utf8)
        one["use"] = nil
        two["use"] = nil
        one["key_ops"] = signing
        two["key_ops"] = second
        return JSONValue.array([.object(one), .object(two)]).text
    }

    @Test("Of a JWK list the one key with 'sign' signs, and the others verify without keeping their private part")
    func jwkList() async throws {
        let bench = try await Bench.make()
        let list = Secret(try list())
        try await bench.adopt(list: list, at: bench.now)
        #expect(try await bench.ring.signingKey(.tokens, of: bench.directory, at: bench.now).keyID == "one")
        let keys = try await bench.ring.verificationKeys(
            of: bench.directory, purpose: .tokens, at: bench.now + .days(1000))
        #expect(Set(keys.compactMap(\.keyID)) == ["one", "two"])
        let directory = bench.directory.id
        let records = try await bench.ports.store.read { try $0.signingKeys(in: directory) }
        let second = try #require(records.first { $0.privateJWK.reveal().contains("\"two\"") })
        #expect(!second.privateJWK.reveal().contains("\"d\""))
        let before = try await bench.ring.list(bench.directory)
        try await bench.adopt(list: list, at: bench.now + .days(1))
        #expect(try await bench.ring.list(bench.directory) == before)
    }

    @Test("A list with no key that signs, or two, or none at all, is refused, and the old keys stay")
    func badLists() async throws {
        let bench = try await Bench.make()
        let before = try await bench.ring.list(bench.directory)
        let bad = [
            try list(signing: ["verify"]), try list(second: ["sign", "verify"]), "[]", "{", "{\"keys\": 1}", "[1]",
            "[{\"kty\":\"oct\",\"k\":\"AAAA\",\"alg\":\"HS256\",\"key_ops\":[\"sign\"]}]",
        ]
        for text in bad {
            await #expect(throws: AuthError(.invalidRequest)) {
                try await bench.adopt(list: Secret(text), at: bench.now)
            }
        }
        #expect(try await bench.ring.list(bench.directory) == before)
    }
}
