// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import Foundation
import Testing

@testable import SRP

@Suite("SRP: vectors of independent clients")
struct SRPVectorTests {
    static let info = "Caldera Derived Key"

    /// One recorded sign-in; numbers as a client writes them.
    struct Round: Decodable, CustomTestStringConvertible {
        let realm, identity, password, salt, b, clientPublic, serverPublic, verifier, scrambling, key: String
        let secretBlock, timestamp, signature: String

        var testDescription: String { identity }
    }

    static let rounds: [Round] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Vectors/rounds.json")
        return (try? JSONDecoder().decode([Round].self, from: Data(contentsOf: file))) ?? []
    }()

    static func bytes(_ digits: String) throws -> [UInt8] {
        try #require(Hex.decode(digits.utf8.count % 2 == 0 ? digits : "0" + digits))
    }

    static func digest(_ number: [UInt8]) -> String { Hex.encode(SHA256.hash(data: SignedBytes.encode(number))) }

    @Test("D-3 the group is the one that clients have")
    func group() {
        #expect(SRPGroup.prime.count == SRPGroup.byteCount)
        #expect(Hex.encode(SHA256.hash(data: SRPGroup.prime)).hasPrefix("48cf8b09"))
        #expect(
            Hex.encode(SRPGroup.multiplier) == "538282c4354742d7cbbde2359fcf67f9f5b3a6b08791e5011b43b8a5b66d9ee6")
    }

    @Test("D-3 every number of the reference sign-in")
    func reference() throws {
        let realm = "AbCdEfGhI"
        let identity = "7c5ab6b0-0000-4000-8000-000000000001"
        let password = "P@ssw0rd-ünïcode"
        let salt = try Self.bytes("8f0e1d2c3b4a59687786a5b4c3d2e1f0")
        let b = [UInt8](repeating: 0xB2, count: 32)
        #expect(
            Hex.encode(SRP.passwordExponent(realm: realm, identity: identity, password: password, salt: salt))
                == "54df776be7008ef3a445d56f052eb953f877b6ee90593ac089eb34c8d38ddf07")
        let verifier = try SRP.verifier(realm: realm, identity: identity, password: password, salt: salt)
        #expect(
            Self.digest(verifier) == "5379cdd62c7be1806a241fab37f513142bafe672fb361875ba2a2df1c8601793")
        let client = try SRPClient(secret: [UInt8](repeating: 0xA1, count: 32))
        #expect(Hex.encode(client.publicValue).hasPrefix("78604b754341df90"))
        #expect(
            Self.digest(client.publicValue) == "31421f07eb763d09c3565f8e34a296719127d9bebda6c4a66c3ff445701d5b96")
        let challenge = try SRPServer.challenge(verifier: verifier, ephemeral: b)
        #expect(Hex.encode(challenge).hasPrefix("3ff2d66ccdf99623"))
        #expect(Self.digest(challenge) == "69ac182f9586bb6cd9e264f2ab1525294bdb12bca7f0be8b13f473deb2560e3f")
        let (secret, scrambling) = try SRPServer.sharedSecret(
            clientPublic: client.publicValue, serverPublic: challenge, ephemeral: b, verifier: verifier)
        #expect(Hex.encode(scrambling) == "99e7f8ddf96c64dacece9c56484c9397f732651905469dbc899ae80dedbf154a")
        #expect(Self.digest(secret) == "ba00220899c5ed3ac57cc9e1ab45b06770851b486945bbfb8d5bb83d4baa84db")
        let key = SRP.deriveKey(sharedSecret: secret, scrambling: scrambling, info: Self.info)
        #expect(Hex.encode(key) == "83d5e0715995897c0ac34ca56f94d30a")
        let block = try #require(Base64.decode("b3BhcXVlLXNlY3JldC1ibG9jaw=="))
        let message = Array((realm + identity).utf8) + block + Array("Tue Mar 3 04:05:06 UTC 2026".utf8)
        let signature = HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key))
        #expect(Base64.encode(Array(signature)) == "lSTnpGLXa9Gt1qKpm1PJ0nqxaE4/j/0oW693cRxyzIU=")
        let atClient = try client.sharedSecret(
            serverPublic: challenge, realm: realm, identity: identity, password: password, salt: salt)
        #expect(atClient.sharedSecret == secret)
    }

    @Test("D-3 sign-ins recorded from pycognito come to the same key and signature", arguments: rounds)
    func recorded(_ round: Round) throws {
        let salt = try Self.bytes(round.salt)
        let verifier = try SRP.verifier(
            realm: round.realm, identity: round.identity, password: round.password, salt: salt)
        #expect(try SignedBytes.encode(verifier) == SignedBytes.encode(Self.bytes(round.verifier)))
        let b = try Self.bytes(round.b)
        let challenge = try SRPServer.challenge(verifier: verifier, ephemeral: b)
        #expect(try SignedBytes.encode(challenge) == SignedBytes.encode(Self.bytes(round.serverPublic)))
        let (secret, scrambling) = try SRPServer.sharedSecret(
            clientPublic: Self.bytes(round.clientPublic), serverPublic: challenge, ephemeral: b, verifier: verifier)
        #expect(try SignedBytes.encode(scrambling) == SignedBytes.encode(Self.bytes(round.scrambling)))
        let key = SRP.deriveKey(sharedSecret: secret, scrambling: scrambling, info: Self.info)
        #expect(Hex.encode(key) == round.key)
        let block = try #require(Base64.decode(round.secretBlock))
        let message = Array((round.realm + round.identity).utf8) + block + Array(round.timestamp.utf8)
        let signature = HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key))
        #expect(Base64.encode(Array(signature)) == round.signature)
    }

    @Test("D-3 the recorded sign-ins are there")
    func present() { #expect(Self.rounds.count == 12) }
}
