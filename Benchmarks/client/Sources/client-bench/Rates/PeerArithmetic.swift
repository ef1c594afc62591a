// SPDX-License-Identifier: Apache-2.0

import BigInt
import CBigNumber
import LatchkeyClient

/// The exponentiations of a sign-in by SRP, by others' arithmetic: g^a and g^x of 256 bits, and S of 512, modulo the
/// 3072-bit prime of RFC 3526, section 4.
enum PeerArithmetic {
    static let prime: [UInt8] =
        Hex.decode(
            """
            ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74\
            020bbea63b139b22514a08798e3404ddef9519b3cd3a431b302b0a6df25f1437\
            4fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7ed\
            ee386bfb5a899fa5ae9f24117c4b1fe649286651ece45b3dc2007cb8a163bf05\
            98da48361c55d39a69163fa8fd24cf5f83655d23dca3ad961c62f356208552bb\
            9ed529077096966d670c354e4abc9804f1746c08ca18217c32905e462e36ce3b\
            e39e772c180e86039b2783a2ec07a28fb5c55df06f4c52c9de2bcbf695581718\
            3995497cea956ae515d2261898fa051015728e5a8aaac42dad33170d04507a33\
            a85521abdf1cba64ecfb850458dbef0a8aea71575d060c7db3970f85a6e1e4c7\
            abf5ae8cdb0933d71e8c94e04a25619dcee3d2261ad2ee6bf12ffa06d98a0864\
            d87602733ec86a64521f2b18177b200cbbe117577a615d6c770988c0bad946e2\
            08e24fa074e5ab3143db5bfce0fd108e4b82d120a93ad2caffffffffffffffff
            """) ?? []

    /// Base and exponent of each.
    typealias Power = (base: [UInt8], exponent: [UInt8])

    static func exponents() -> [Power] {
        let random = SystemRandomSource()
        return [([2], random.bytes(32)), ([2], random.bytes(32)), ([1] + random.bytes(383), random.bytes(64))]
    }

    static func bigInt(_ powers: [Power]) -> [[UInt8]] {
        let modulus = number(prime)
        return powers.map { bytes(number($0.base).power(number($0.exponent), modulus: modulus)) }
    }

    /// In time that does not depend on the exponent, as ours.
    static func libcrypto(_ powers: [Power]) -> [[UInt8]] {
        let context = BN_CTX_new()
        let modulus = BN_bin2bn(prime, Int32(prime.count), nil)
        defer {
            BN_free(modulus)
            BN_CTX_free(context)
        }
        return powers.map { power in
            let base = BN_bin2bn(power.base, Int32(power.base.count), nil)
            let exponent = BN_bin2bn(power.exponent, Int32(power.exponent.count), nil)
            let result = BN_new()
            defer { for number in [base, exponent, result] { BN_free(number) } }
            BN_mod_exp_mont_consttime(result, base, exponent, modulus, context, nil)
            var bytes = [UInt8](repeating: 0, count: prime.count)
            BN_bn2binpad(result, &bytes, Int32(bytes.count))
            return bytes
        }
    }

    private static func number(_ bytes: [UInt8]) -> BigUInt {
        let padded = [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8) + bytes
        let words = stride(from: 0, to: padded.count, by: 8).map { start in
            padded[start..<start + 8].reduce(UInt(0)) { $0 << 8 | UInt($1) }
        }
        return BigUInt(words: words.reversed())
    }

    private static func bytes(_ number: BigUInt) -> [UInt8] {
        let words = number.words.reversed().flatMap { word in (0..<8).reversed().map { UInt8(word >> ($0 * 8) & 255) } }
        return [UInt8](repeating: 0, count: max(0, prime.count - words.count)) + words
    }
}
