// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import JOSE
import Testing

/// Replays the inputs in `Corpus/`: some written by hand, one for each rule, and some that libFuzzer made up because
/// they take a branch that no other takes (`scripts/fuzz`). Each must be read or refused, and what is read must say the
/// same when it is written and read again.
@Suite struct CorpusTests {
    private static func inputs(_ target: String) throws -> [(name: String, bytes: [UInt8])] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus/\(target)")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted().map {
            ($0, Array(try Data(contentsOf: folder.appending(path: $0))))
        }
    }

    @Test("Y-SC5 tokens: each is refused, or is the one spelling of its parts, and none verifies")
    func tokens() throws {
        let keys = try [JWSAlgorithm.es256, .edDSA, .rs256, .hs256].map {
            try SigningKey.generate($0, keyID: "k").verificationKey()
        }
        var read = 0
        for (name, bytes) in try Self.inputs("jws") {
            guard let parsed = try? ParsedJWS(parsing: bytes) else { continue }
            read += 1
            let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Array.init)
            #expect(parts.count == 3, "\(name)")
            #expect(
                parts.dropFirst() == [parsed.payload, parsed.signature].map(Base64URL.encodedBytes)[...], "\(name)")
            for key in keys { #expect(throws: JOSEError.self, "\(name)") { try parsed.verify(with: key) } }
            _ = try? JWTClaims(parsing: parsed.payload)
        }
        #expect(read >= 5)
    }

    @Test("Key sets and certificates: each is refused, or written and read alike")
    func keys() throws {
        var accepted: Set<String> = []
        for (name, bytes) in try Self.inputs("jwks") {
            if (try? CertificateMap(parsing: bytes)) != nil { accepted.insert(name) }
            guard let set = try? JWKSet(parsing: bytes) else { continue }
            accepted.insert(name)
            _ = try? VerificationKeySet(set)
            for key in set.keys {
                #expect(try JWK(key.secretObject.reveal()).thumbprint == key.thumbprint, "\(name)")
            }
        }
        let byHand: Set = [
            "all", "ec", "okp", "oct", "rsa", "private", "no-kid", "certificate-ed25519", "certificate-p-256",
        ]
        #expect(accepted.filter { !$0.hasPrefix("found-") } == byHand)
    }

    @Test("Claims: each set is refused, or written and read alike")
    func claims() throws {
        var accepted: Set<String> = []
        for (name, bytes) in try Self.inputs("claims") {
            guard let claims = try? JWTClaims(parsing: bytes) else { continue }
            accepted.insert(name)
            #expect(try JWTClaims(parsing: claims.members.serialized()) == claims, "\(name)")
        }
        let byHand: Set = ["plain", "fraction", "large", "aud-array", "nested", "minus-zero"]
        #expect(accepted.filter { !$0.hasPrefix("found-") } == byHand)
    }

    @Test("The corpus stays small enough to be replayed in each run")
    func size() throws {
        let inputs = try ["jws", "jwks", "claims"].flatMap(Self.inputs)
        #expect(inputs.count <= 200)
        #expect(inputs.map(\.bytes.count).reduce(0, +) <= 200_000)
    }
}
