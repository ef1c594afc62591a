// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation
import Testing

@testable import SRP

@Suite("SRP: what a server must keep to")
struct SRPServerTests {
    static let realm = "6aB3xYz"
    static let identity = "0b6f1a52-55ab-4a0c-8a6e-0d3d4c1f7a11"
    static let salt = [UInt8](1...16)

    static func random(_ count: Int, _ generator: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    static func agree(password: String, typed: String, clientSecretBytes: Int = 32) throws -> Bool {
        var generator = SystemRandomNumberGenerator()
        let salt = random(16, &generator)
        let b = random(SRPServer.ephemeralByteCount, &generator)
        let verifier = try SRP.verifier(realm: realm, identity: identity, password: password, salt: salt)
        let client = try SRPClient(secret: random(clientSecretBytes, &generator))
        let challenge = try SRPServer.challenge(verifier: verifier, ephemeral: b)
        let server = try SRPServer.sharedSecret(
            clientPublic: client.publicValue, serverPublic: challenge, ephemeral: b, verifier: verifier)
        let other = try client.sharedSecret(
            serverPublic: challenge, realm: realm, identity: identity, password: typed, salt: salt)
        #expect(server.scrambling == other.scrambling)
        return server.sharedSecret == other.sharedSecret
    }

    @Test("D-3 both sides agree for random secrets of both lengths that clients use", arguments: [32, 128])
    func agreement(length: Int) throws {
        for round in 0..<40 {
            #expect(
                try Self.agree(password: "pässword \(round)", typed: "pässword \(round)", clientSecretBytes: length))
        }
    }

    @Test("D-3 another password, realm, identity or salt never agrees")
    func disagreement() throws {
        #expect(try !Self.agree(password: "right", typed: "wrong"))
        let verifier = try SRP.verifier(realm: Self.realm, identity: Self.identity, password: "p", salt: Self.salt)
        let others = [
            try SRP.verifier(realm: Self.realm + "1", identity: Self.identity, password: "p", salt: Self.salt),
            try SRP.verifier(realm: Self.realm, identity: Self.identity + "1", password: "p", salt: Self.salt),
            try SRP.verifier(realm: Self.realm, identity: Self.identity, password: "P", salt: Self.salt),
            try SRP.verifier(realm: Self.realm, identity: Self.identity, password: "p", salt: Self.salt.reversed()),
        ]
        for other in others { #expect(other != verifier) }
    }

    @Test("D-3 a public value of a known secret is refused: 0, N, and every multiple or larger spelling")
    func knownSecrets() throws {
        let verifier = try SRP.verifier(realm: Self.realm, identity: Self.identity, password: "p", salt: Self.salt)
        let b = [UInt8](repeating: 7, count: 32)
        let challenge = try SRPServer.challenge(verifier: verifier, ephemeral: b)
        var successor = SRPGroup.prime
        successor[383] = 0
        successor[382] = 0
        let multiples: [[UInt8]] = [
            [], [0], [UInt8](repeating: 0, count: 384), [UInt8](repeating: 0, count: 5000), SRPGroup.prime,
            [0] + SRPGroup.prime, [UInt8](repeating: 0xFF, count: 384), [1] + [UInt8](repeating: 0, count: 384),
            SRPGroup.prime + SRPGroup.prime, [UInt8](repeating: 0xFF, count: 100_000),
        ]
        for value in multiples {
            #expect(!SRPServer.accepts(clientPublic: value))
            #expect(throws: SRPError.outOfRange) {
                try SRPServer.sharedSecret(
                    clientPublic: value, serverPublic: challenge, ephemeral: b, verifier: verifier)
            }
            #expect(throws: SRPError.outOfRange) { try SRPServer.challenge(verifier: value, ephemeral: b) }
            #expect(throws: SRPError.outOfRange) {
                try SRPServer.sharedSecret(
                    clientPublic: [2], serverPublic: value, ephemeral: b, verifier: verifier)
            }
        }
        #expect(SRPServer.accepts(clientPublic: [1]))
        #expect(SRPServer.accepts(clientPublic: [0, 0, 2]))
        #expect(SRPServer.accepts(clientPublic: successor))
        var largest = SRPGroup.prime
        largest[383] -= 1
        #expect(SRPServer.accepts(clientPublic: largest))
    }

    @Test("D-3 an ephemeral secret of any length answers or throws, and never traps", arguments: [0, 1, 32, 384, 385])
    func ephemeralLengths(count: Int) throws {
        let verifier = try SRP.verifier(realm: "", identity: "", password: "", salt: [])
        let ephemeral = [UInt8](repeating: 0xFF, count: count)
        if count <= SRPGroup.byteCount {
            #expect(try SRPServer.challenge(verifier: verifier, ephemeral: ephemeral).count == SRPGroup.byteCount)
        } else {
            #expect(throws: SRPError.outOfRange) {
                try SRPServer.challenge(verifier: verifier, ephemeral: ephemeral)
            }
        }
    }

    @Test("D-3 the table of powers gives what exponentiation gives")
    func table() throws {
        let group = try GroupArithmetic.shared()
        let scratch = try ScratchSpace()
        var generator = SystemRandomNumberGenerator()
        let exponents: [[UInt8]] =
            [
                [UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32),
                [UInt8](repeating: 0, count: 31) + [1], [0x80] + [UInt8](repeating: 0, count: 31),
                [UInt8](repeating: 0, count: 16) + [UInt8](repeating: 0xF0, count: 16),
            ] + (0..<40).map { _ in Self.random(32, &generator) }
        for exponent in exponents + [[], [5], Self.random(31, &generator), Self.random(33, &generator)] {
            let byTable = try group.generatorPower(exponent, scratch).bytes()
            let plain = try group.power(.read([SRPGroup.generator]), .read(exponent), scratch).bytes()
            #expect(byTable == plain)
        }
    }

    @Test("D-3 leading zero bytes change no result")
    func leadingZeros() throws {
        let verifier = try SRP.verifier(realm: "r", identity: "i", password: "p", salt: [0, 0, 5, 6])
        #expect(try verifier == SRP.verifier(realm: "r", identity: "i", password: "p", salt: [5, 6]))
        let client = try SRPClient(secret: [UInt8](repeating: 3, count: 32))
        let b = [UInt8](repeating: 9, count: 32)
        let challenge = try SRPServer.challenge(verifier: [0, 0] + verifier, ephemeral: b)
        let plain = try SRPServer.sharedSecret(
            clientPublic: client.publicValue, serverPublic: challenge, ephemeral: b, verifier: verifier)
        let padded = try SRPServer.sharedSecret(
            clientPublic: [0] + client.publicValue, serverPublic: [0, 0, 0] + challenge, ephemeral: [0] + b,
            verifier: [0] + verifier)
        #expect(plain == padded)
    }

    @Test("D-3 a decoy is deterministic, of the group, and unlike every other seed's")
    func decoys() throws {
        let decoy = SRP.decoyVerifier(seed: [UInt8](repeating: 1, count: 32))
        #expect(decoy == SRP.decoyVerifier(seed: [UInt8](repeating: 1, count: 32)))
        #expect(decoy != SRP.decoyVerifier(seed: [UInt8](repeating: 2, count: 32)))
        #expect(try SRPServer.challenge(verifier: decoy, ephemeral: [5]).count == SRPGroup.byteCount)
        #expect(try SRPServer.challenge(verifier: SRP.decoyVerifier(seed: []), ephemeral: [5]).count == 384)
    }

    @Test("D-3 many threads may compute at once")
    func concurrency() async throws {
        let verifier = try SRP.verifier(realm: Self.realm, identity: Self.identity, password: "p", salt: Self.salt)
        let expected = try (1...20).map { try SRPServer.challenge(verifier: verifier, ephemeral: [UInt8($0)]) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for round in 0..<200 {
                group.addTask {
                    try SRPServer.challenge(verifier: verifier, ephemeral: [UInt8(round % 20 + 1)])
                        == expected[round % 20]
                }
            }
            for try await same in group { #expect(same) }
        }
    }

    @Test(
        "D-3 signed bytes: a leading zero exactly where the top bit is set",
        arguments: [
            ([], [0]), ([0], [0]), ([0, 0], [0]), ([1], [1]), ([0x7F], [0x7F]), ([0x80], [0, 0x80]),
            ([0, 0x80], [0, 0x80]), ([0, 0, 0xFF, 0], [0, 0xFF, 0]), ([0, 1, 0], [1, 0]),
        ] as [([UInt8], [UInt8])])
    func signedBytes(number: [UInt8], expected: [UInt8]) { #expect(SignedBytes.encode(number) == expected) }

    @Test("A sign-in costs the server less than six exponentiations with short exponents")
    func cost() throws {
        let verifier = try SRP.verifier(realm: Self.realm, identity: Self.identity, password: "p", salt: Self.salt)
        let client = try SRPClient(secret: [UInt8](repeating: 0xA1, count: 128))
        let b = [UInt8](repeating: 0xB2, count: 32)
        let group = try GroupArithmetic.shared()
        var best = UInt64.max
        var bestPower = UInt64.max
        for _ in 0..<30 {
            let beginning = processorTime()
            _ = try group.power(.read(client.publicValue), .read(b), ScratchSpace())
            bestPower = min(bestPower, processorTime() - beginning)
            let begin = processorTime()
            let challenge = try SRPServer.challenge(verifier: verifier, ephemeral: b)
            let result = try SRPServer.sharedSecret(
                clientPublic: client.publicValue, serverPublic: challenge, ephemeral: b, verifier: verifier)
            _ = SRP.deriveKey(sharedSecret: result.sharedSecret, scrambling: result.scrambling, info: "i")
            best = min(best, processorTime() - begin)
        }
        #expect(best < 6 * bestPower)
    }

    /// Processor time of this thread, in nanoseconds: the machine may be busy with something else.
    private func processorTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
