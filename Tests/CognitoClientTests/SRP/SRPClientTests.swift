// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import BigInt
import Crypto
import Foundation
import Testing

@testable import CognitoClient

struct SRPClientTests {
    static let identity = "7c5ab6b0-0000-4000-8000-000000000001"
    static let password = Secret("P@ssw0rd-ünïcode")
    static let salt = "8f0e1d2c3b4a59687786a5b4c3d2e1f0"
    static let prime = BigUInt(Data(SRPGroup.prime))

    static func hash(_ parts: [UInt8]...) -> [UInt8] {
        var hash = SHA256()
        for part in parts { hash.update(data: part) }
        return Array(hash.finalize())
    }

    /// x, v and B of the recorded sign-in.
    static func serverKey() -> BigUInt {
        let inner = hash(Array("AbCdEfGhI\(identity):\(password.reveal())".utf8))
        let x = BigUInt(Data(hash(SRPNumber.signed(Hex.decode(salt) ?? []), inner)))
        let v = BigUInt(2).power(x, modulus: prime)
        let k = BigUInt(Data(hash(SRPNumber.signed(SRPGroup.prime), [2])))
        let b = BigUInt(Data([UInt8](repeating: 0xB2, count: 32)))
        return (k * v + BigUInt(2).power(b, modulus: prime)) % prime
    }

    @Test("R13.3 C-2 A sign-in by SRP computes what the service's own clients do (recorded vector)")
    func vector() throws {
        let client = SRPClient(exponent: [UInt8](repeating: 0xA1, count: 32))
        #expect(client.publicText.hasPrefix("78604b754341df90"))
        #expect(
            Hex.encode(Self.hash(SRPNumber.signed(client.publicKey)))
                == "31421f07eb763d09c3565f8e34a296719127d9bebda6c4a66c3ff445701d5b96")
        let serverKey = Self.serverKey()
        #expect(
            Hex.encode(Self.hash(SRPNumber.signed([UInt8](serverKey.serialize()))))
                == "69ac182f9586bb6cd9e264f2ab1525294bdb12bca7f0be8b13f473deb2560e3f")
        let key = try #require(
            client.key(
                realm: "AbCdEfGhI", identity: Self.identity, password: Self.password, salt: Self.salt,
                serverKey: String(serverKey, radix: 16)))
        #expect(Hex.encode(key) == "83d5e0715995897c0ac34ca56f94d30a")
        let claim = SRPClient.claim(
            key: key, realm: "AbCdEfGhI", identity: Self.identity,
            secretBlock: Base64.decode("b3BhcXVlLXNlY3JldC1ibG9jaw==") ?? [],
            timestamp: SRPClient.timestamp(Instant(rfc3339: "2026-03-03T04:05:06Z") ?? Instant(seconds: 0)))
        #expect(claim == "lSTnpGLXa9Gt1qKpm1PJ0nqxaE4/j/0oW693cRxyzIU=")
    }

    @Test("R13.3 The time of a claim is written as the service reads it, whatever the day")
    func timestamp() {
        #expect(SRPClient.timestamp(Instant(seconds: 0)) == "Thu Jan 1 00:00:00 UTC 1970")
        #expect(SRPClient.timestamp(Instant(seconds: 1_772_510_706)) == "Tue Mar 3 04:05:06 UTC 2026")
        #expect(SRPClient.timestamp(Instant(microseconds: 1_709_251_199_900_000)) == "Thu Feb 29 23:59:59 UTC 2024")
    }

    @Test("R13.3 Every number of the group is what an independent implementation computes")
    func arithmetic() {
        let group = SRPGroup.arithmetic
        let random = SystemRandomSource()
        let all = [UInt8](repeating: 0xFF, count: 384)
        for round in 0..<8 {
            let (left, right) = (random.bytes(384), round == 0 ? all : random.bytes(384))
            let one = group.reduced(SRPNumber.words(left, count: 48) ?? [])
            let two = group.reduced(SRPNumber.words(right, count: 48) ?? [])
            let (a, b) = (BigUInt(Data(left)) % Self.prime, BigUInt(Data(right)) % Self.prime)
            let product = group.decode(group.product(group.encode(one), group.encode(two)))
            #expect(BigUInt(Data(SRPNumber.bytes(product))) == a * b % Self.prime)
            #expect(BigUInt(Data(SRPNumber.bytes(group.sum(one, two)))) == (a + b) % Self.prime)
            #expect(BigUInt(Data(SRPNumber.bytes(group.difference(one, two)))) == (a + Self.prime - b) % Self.prime)
            let (u, x, c) = (random.bytes(32), round == 0 ? Array(all.prefix(32)) : random.bytes(32), random.bytes(32))
            let exponent = SRPNumber.exponent(
                SRPNumber.words(u, count: 4) ?? [], times: SRPNumber.words(x, count: 4) ?? [],
                plus: SRPNumber.words(c, count: 4) ?? [])
            let wanted = BigUInt(Data(u)) * BigUInt(Data(x)) + BigUInt(Data(c))
            #expect(BigUInt(Data(SRPNumber.bytes(exponent))) == wanted)
            if round < 2 {
                let power = group.decode(group.power(group.encode(one), exponent, bits: 513))
                #expect(BigUInt(Data(SRPNumber.bytes(power))) == a.power(wanted, modulus: Self.prime))
                let doubled = group.decode(group.powerOfTwo(SRPNumber.words(x, count: 4) ?? []))
                #expect(
                    BigUInt(Data(SRPNumber.bytes(doubled)))
                        == BigUInt(2).power(BigUInt(Data(x)), modulus: Self.prime))
            }
        }
    }

    @Test("R13.3 So is every number at an edge: nought, one, the last of the group, and where carries run through")
    func edges() {
        let (group, prime, one) = (SRPGroup.arithmetic, Self.prime, BigUInt(1))
        func words(_ number: BigUInt, _ count: Int = 48) -> [UInt64] {
            SRPNumber.words(Array(number.serialize()), count: count) ?? []
        }
        func number(_ words: [UInt64]) -> BigUInt { BigUInt(Data(SRPNumber.bytes(words))) }
        func ones(_ bits: Int) -> BigUInt { (one << bits) - one }
        let small: [BigUInt] = [BigUInt(0), one, BigUInt(2), ones(64), one << 64, one << 3071, ones(3072) - prime]
        let large: [BigUInt] = [
            prime >> 1, (prime >> 1) + one, prime - (one << 1536), prime - (one << 64), prime - one,
        ]
        for a in small + large {
            for b in small + large {
                let product = group.decode(group.product(group.encode(words(a)), group.encode(words(b))))
                #expect(number(product) == a * b % prime)
                #expect(number(group.sum(words(a), words(b))) == (a + b) % prime)
                #expect(number(group.difference(words(a), words(b))) == (a + prime - b) % prime)
            }
            for exponent: BigUInt in [BigUInt(0), one, BigUInt(2), BigUInt(17)] {
                let power = group.decode(group.power(group.encode(words(a)), words(exponent, 1), bits: 5))
                #expect(number(power) == a.power(Int(exponent)) % prime)
            }
        }
        for exponent in [ones(513), one << 512] {
            let power = group.decode(group.power(group.encode(words(prime - one)), words(exponent, 9), bits: 513))
            // -1 to it.
            #expect(number(power) == (exponent == ones(513) ? prime - one : one))
        }
        // Of as many bits as the modulus, and not below it.
        for above in [prime, prime + one, ones(3072)] { #expect(number(group.reduced(words(above))) == above - prime) }
        for exponent in [0, 1, 63, 64, 3071, 3072].map({ BigUInt($0) }) + [ones(256)] {
            let power = group.decode(group.powerOfTwo(words(exponent, 4)))
            #expect(number(power) == BigUInt(2).power(exponent, modulus: prime))
        }
        #expect(SRPNumber.words([1] + [UInt8](repeating: 0, count: 384), count: 48) == nil)
        let most = [UInt64](repeating: .max, count: 4)
        #expect(number(SRPNumber.exponent(most, times: most, plus: most)) == ones(256) * ones(256) + ones(256))
    }

    @Test("R13.3 RFC 5054, section 2.5.4: a service that shows nothing itself gets nothing shown")
    func illegal() {
        let client = SRPClient(random: SystemRandomSource())
        let prime = Hex.encode(SRPGroup.prime)
        for serverKey in ["0", "00", "", prime, prime + "00", "not a number", "-1", String(repeating: "f", count: 800)]
        {
            #expect(
                client.key(
                    realm: "r", identity: "i", password: Secret("p"), salt: Self.salt, serverKey: serverKey) == nil)
        }
        for salt in ["x", String(repeating: "a", count: 600)] {
            #expect(client.key(realm: "r", identity: "i", password: Secret("p"), salt: salt, serverKey: "5") == nil)
        }
    }

    @Test("R13.3 The bytes that are hashed are those of a signed number")
    func signed() {
        #expect(
            SRPNumber.signed([]) == [0] && SRPNumber.signed([0, 0]) == [0] && SRPNumber.signed([0, 0x7F]) == [0x7F])
        #expect(SRPNumber.signed([0, 0x80]) == [0, 0x80] && SRPNumber.signed([0xFF, 1]) == [0, 0xFF, 1])
    }
}
