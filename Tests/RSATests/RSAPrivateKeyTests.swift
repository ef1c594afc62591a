// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import CryptoExtras
import JOSE
import RSA
import Testing

@Suite("RSA by libcrypto")
struct RSAPrivateKeyTests {
    private static let deterministic: [JWSAlgorithm] = [.rs256, .rs384, .rs512]
    private static let salted: [JWSAlgorithm] = [.ps256, .ps384, .ps512]

    @Test("A PKCS #1 v1.5 signature is byte for byte that of swift-crypto", arguments: deterministic)
    func agrees(algorithm: JWSAlgorithm) throws {
        let key = try SigningKey.generate(algorithm)
        let fast = try key.signingWithLibCrypto()
        for count in [0, 1, 64, 700, 5000] {
            let message = [UInt8](repeating: 0x61, count: count)
            #expect(try fast.signature(for: message) == key.signature(for: message))
        }
        #expect(fast.keyID == key.keyID)
    }

    @Test("What either library signs the other's key checks, and no other key does", arguments: deterministic + salted)
    func verifies(algorithm: JWSAlgorithm) throws {
        let key = try SigningKey.generate(algorithm).signingWithLibCrypto()
        let stranger = try SigningKey.generate(algorithm).verificationKey()
        let message = Array("header.claims".utf8)
        let signature = try key.signature(for: message)
        #expect(try key.verificationKey().isValid(signature, for: message[...], algorithm: algorithm))
        #expect(!stranger.isValid(signature, for: message[...], algorithm: algorithm))
        #expect(
            try !key.verificationKey().isValid(signature, for: Array("header.claimt".utf8)[...], algorithm: algorithm))
        if Self.salted.contains(algorithm) {
            #expect(try key.signature(for: message) != signature, "the salt is fresh")
        }
        // Its token is read by swift-crypto from the exported key.
        let exported = try SigningKey(exported: key.exported)
        #expect(
            try key.verificationKey().isValid(exported.signature(for: message), for: message[...], algorithm: algorithm)
        )
    }

    @Test(
        "R8.19 keys of every size sign by libcrypto as by swift-crypto, and are read back",
        arguments: RSAKeySize.allCases)
    func sizes(size: RSAKeySize) throws {
        let key = try SigningKey.generate(.rs256, rsaSize: size)
        let message = Array("header.claims".utf8)
        let signature = try key.signingWithLibCrypto().signature(for: message)
        #expect(signature.count * 8 == size.rawValue)
        #expect(try key.signature(for: message) == signature)
        let exported = try SigningKey(exported: key.exported)
        #expect(try exported.verificationKey().isValid(signature, for: message[...], algorithm: .rs256))
    }

    @Test("Keys of other kinds are left as they are")
    func others() throws {
        for algorithm: JWSAlgorithm in [.es256, .edDSA] {
            let key = try SigningKey.generate(algorithm)
            #expect(key.rsaPrivateKey == nil)
            let message = Array("a".utf8)
            let signature = try key.signingWithLibCrypto().signature(for: message)
            #expect(try key.verificationKey().isValid(signature, for: message[...], algorithm: algorithm))
        }
    }

    @Test("DER that is none, is cut short, goes on, or whose numbers do not fit is no key")
    func refused() throws {
        let der = try #require(SigningKey.generate(.rs256).rsaPrivateKey).reveal()
        _ = try RSAPrivateKey(der: Secret(der))
        // In the modulus, in a prime, in the coefficient, which comes last.
        let damaged = [40, 700, der.count - 20].map { place in
            var octets = der
            octets[place] ^= 2
            return octets
        }
        for octets in [[], [0x30], Array(der.dropLast()), der + [0]] + damaged {
            #expect(throws: RSAError.invalidKey) { try RSAPrivateKey(der: Secret(octets)) }
        }
        #expect(throws: RSAError.failed) {
            try RSAPrivateKey(der: Secret(der)).signature(for: [], algorithm: .es256)
        }
    }

    @Test("One key signs for many tasks at once, always the same")
    func concurrently() async throws {
        let key = try SigningKey.generate(.rs256).signingWithLibCrypto()
        let message = Array("the same for all".utf8)
        let expected = try key.signature(for: message)
        let wrong = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    (0..<25).reduce(0) { count, _ in (try? key.signature(for: message)) == expected ? count : count + 1
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }

    @Test("Neither the key nor what it says of itself shows a number")
    func silent() throws {
        let key = try RSAPrivateKey(der: #require(SigningKey.generate(.rs256).rsaPrivateKey))
        var dumped = ""
        dump(key, to: &dumped)
        #expect("\(key)" == "RSAPrivateKey")
        #expect(dumped.count < 40)
    }
}
