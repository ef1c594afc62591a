// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import CryptoExtras
import Testing

@testable import Factors

@Suite("Keys of credentials")
struct COSEKeyTests {
    private static let message = Array("a message".utf8)
    private static let point = Array(P256.Signing.PrivateKey().publicKey.rawRepresentation)
    private static let members: [CBORValue.Key: CBORValue] = [
        .integer(1): .integer(2), .integer(3): .integer(-7), .integer(-1): .integer(1),
        .integer(-2): .bytes(Array(point.prefix(32))), .integer(-3): .bytes(Array(point.suffix(32))),
    ]

    private static func refusal(_ change: (inout [CBORValue.Key: CBORValue]) -> Void) -> WebAuthnError.Code? {
        var members = members
        change(&members)
        return FactorsTests.refusal { _ = try COSEKey(CBORWriter.write(.map(members))) }
    }

    @Test("G-9.7 a key of every algorithm takes its own signatures, and no other's or of anything else")
    func signatures() throws {
        let keys: [SoftwareAuthenticator.PrivateKey] = [
            .p256(P256.Signing.PrivateKey()), .p384(P384.Signing.PrivateKey()), .p521(P521.Signing.PrivateKey()),
            .ed25519(Curve25519.Signing.PrivateKey()),
        ]
        for (place, key) in keys.enumerated() {
            let judge = try COSEKey(CBORWriter.write(key.cose))
            #expect(judge.isValid(try key.sign(Self.message), for: Self.message))
            #expect(!judge.isValid(try key.sign(Self.message), for: Self.message + [0]))
            #expect(!judge.isValid(try keys[(place + 1) % keys.count].sign(Self.message), for: Self.message))
            #expect(!judge.isValid([], for: Self.message))
        }
    }

    @Test("G-9.7 an ECDSA signature is DER, not the two numbers side by side")
    func fixedLength() throws {
        let key = P256.Signing.PrivateKey()
        let judge = try COSEKey(SoftwareAuthenticator.PrivateKey.p256(key).cose)
        let signature = try key.signature(for: Self.message)
        #expect(judge.isValid(Array(signature.derRepresentation), for: Self.message))
        #expect(!judge.isValid(Array(signature.rawRepresentation), for: Self.message))
        #expect(!judge.isValid(Array(signature.derRepresentation) + [0], for: Self.message))
    }

    @Test(
        "G-9.7 what is no key of its algorithm is refused: another kind or curve, members missing, too many or too short, no point"
    )
    func unfit() {
        #expect(Self.refusal { _ in } == nil)
        #expect(Self.refusal { $0[.integer(1)] = .integer(1) } == .keyInvalid)
        #expect(Self.refusal { $0[.integer(-1)] = .integer(2) } == .keyInvalid)
        #expect(Self.refusal { $0[.integer(3)] = .integer(-35) } == .keyInvalid)
        #expect(Self.refusal { $0[.integer(3)] = .integer(-257) } == .keyInvalid)
        #expect(Self.refusal { $0[.integer(3)] = .integer(-65_535) } == .algorithmNotOffered)
        #expect(Self.refusal { $0[.integer(3)] = nil } == .keyInvalid)
        #expect(Self.refusal { $0[.integer(-3)] = nil } == .keyInvalid)
        #expect(Self.refusal { $0[.integer(-3)] = .bool(true) } == .keyInvalid)
        #expect(Self.refusal { $0[.integer(-4)] = .bytes([1]) } == .keyInvalid)
        #expect(Self.refusal { $0[.integer(2)] = .bytes([1]) } == .keyInvalid)
        #expect(Self.refusal { $0[.integer(-2)] = .bytes([UInt8](repeating: 1, count: 31)) } == .keyInvalid)
        #expect(Self.refusal { $0[.integer(-2)] = .bytes([UInt8](repeating: 0xFF, count: 32)) } == .keyInvalid)
        #expect(
            Self.refusal {
                $0[.integer(-2)] = .bytes([UInt8](repeating: 0, count: 32))
                $0[.integer(-3)] = .bytes([UInt8](repeating: 0, count: 32))
            } == .keyInvalid)
    }

    @Test("G-9.7 a short RSA key is refused, and one with an exponent of 1")
    func weakRSA() {
        func refusal(_ modulus: [UInt8], _ exponent: [UInt8]) -> WebAuthnError.Code? {
            FactorsTests.refusal {
                _ = try COSEKey(
                    .map([
                        .integer(1): .integer(3), .integer(3): .integer(-257), .integer(-1): .bytes(modulus),
                        .integer(-2): .bytes(exponent),
                    ]))
            }
        }
        let ones = [UInt8](repeating: 0xFF, count: 256)
        #expect(refusal(Array(ones.prefix(128)), [1, 0, 1]) == .keyInvalid)
        #expect(refusal(ones, [1]) == .keyInvalid)
        #expect(refusal(ones + ones + ones + ones + ones, [1, 0, 1]) == .keyInvalid)
    }
}
