// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import SwiftASN1
import Testing
import TokenVerifier
import X509

@testable import FirebaseAPI

@Suite struct KeyTests {
    private static let certificatePath = "/www.googleapis.com" + KeyEndpoints.certificatePath

    @Test("The certificates are self-signed, RSA, and the same bytes on each request and each server")
    func certificates() async throws {
        let bench = try await FirebaseBench()
        let reply = try await bench.send(.get, Self.certificatePath)
        #expect(reply.status == 200)
        #expect(reply.headers[.cacheControl]?.contains("public, max-age=") == true)
        #expect(reply.headers[.contentType]?.hasPrefix("application/json") == true)
        // One that signs and one that stands by.
        #expect(reply.json.count == 2)
        for member in reply.json.members {
            let pem = try #require(member.value.stringValue)
            #expect(pem.hasPrefix("-----BEGIN CERTIFICATE-----\n") && pem.hasSuffix("-----END CERTIFICATE-----\n"))
            let certificate = try Certificate(pemEncoded: pem)
            #expect(certificate.publicKey.isValidSignature(certificate.signature, for: certificate))
            #expect(certificate.signatureAlgorithm == .sha256WithRSAEncryption)
            #expect(certificate.notValidBefore <= certificate.notValidAfter)
        }
        bench.advance(.minutes(1))
        #expect(try await bench.send(.get, Self.certificatePath).text == reply.text)
        let other = CertificateCatalog(KeyRing(store: bench.ports.store, random: bench.ports.random))
        #expect(try await other.edition(at: bench.now).certificates == reply.json)
        #expect(try await bench.send(.get, KeyEndpoints.certificatePath).text == reply.text)
    }

    @Test(
        "R8.19 a longer key's certificate holds it, and its tokens verify", arguments: [RSAKeySize.bits3072, .bits4096])
    func longerKeys(size: RSAKeySize) async throws {
        let bench = try await FirebaseBench { $0.rsaKeyBits = size }
        try await bench.addUser("ada@example.com")
        let token = try #require(try await bench.signIn("ada@example.com")["idToken"]?.stringValue)
        let map = try CertificateMap(parsing: try await bench.send(.get, Self.certificatePath).text.utf8)
        let parsed = try ParsedJWS(parsing: token.utf8)
        #expect(parsed.signature.count * 8 == size.rawValue)
        let profile = TokenProfile.firebase(projectID: "default").withKeys(try VerificationKeySet(map.keys))
        _ = try TokenVerifier([profile], clock: { bench.now }).verify(token.utf8)
    }

    @Test("Map and key set name the same keys, and the one in a token's header verifies it")
    func verification() async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser("ada@example.com")
        let token = try #require(try await bench.signIn("ada@example.com")["idToken"]?.stringValue)
        let map = try CertificateMap(parsing: try await bench.send(.get, Self.certificatePath).text.utf8)
        let keys = try await bench.send(.get, "/www.googleapis.com" + KeyEndpoints.keyPath)
        let set = try JWKSet(parsing: keys.text.utf8)
        #expect(Set(map.keys.map(\.keyID)) == Set(set.keys.map(\.keyID)))
        for members in keys["keys"]?.arrayValue ?? [] {
            #expect(Set(members.objectValue?.names ?? []) == ["kty", "n", "e", "use", "alg", "kid"])
            #expect(members.objectValue?["alg"] == "RS256")
        }
        let parsed = try ParsedJWS(parsing: token.utf8)
        for list in [map.keys, try set.keys.map { try VerificationKey($0) }] {
            #expect(list.contains { $0.keyID == parsed.header.keyID })
            let profile = TokenProfile.firebase(projectID: "default").withKeys(try VerificationKeySet(list))
            _ = try TokenVerifier([profile], clock: { bench.now }).verify(token.utf8)
        }
    }

    @Test("Keys of every Directory are published, and no private number of any")
    func everyDirectory() async throws {
        let bench = try await FirebaseBench()
        let other = try await DirectoryAdministration(bench.ports).create(name: "other", at: bench.now)
        let key = try await bench.keys.signingKey(.compatibility, of: other, at: bench.now)
        let keys = try await bench.send(.get, KeyEndpoints.keyPath)
        #expect(keys["keys"]?.arrayValue?.count == 4)
        #expect(keys["keys"]?.arrayValue?.contains { $0.objectValue?["kid"]?.stringValue == key.keyID } == true)
        #expect(!keys.text.contains(#""d":"#) && !keys.text.contains(#""p":"#))
    }
}
