// SPDX-License-Identifier: Apache-2.0

/// Which RSA numbers are fit for use.
enum RSARules {
    static let modulusBits = 2048...8192

    /// RFC 7518, section 3.3, wants at least 2048 bits. Beyond 8192 a verification costs more than any issuer's key
    /// needs. The exponent is odd and at least 3 (RFC 8017, section 3.1), and of 32 bits at most, so that it is cheap.
    /// A small one is safe here because the padding is compared, not parsed; keys made here have 65537.
    static func check(modulus: [UInt8], exponent: [UInt8]) throws(JOSEError) {
        guard let top = modulus.first, let lowest = modulus.last, lowest & 1 == 1 else {
            throw JOSEError(.keyInvalid, "the modulus is even")
        }
        let bits = modulus.count * 8 - top.leadingZeroBitCount
        guard bits >= modulusBits.lowerBound else { throw JOSEError(.keyTooWeak, "RSA of \(bits) bits") }
        guard bits <= modulusBits.upperBound else { throw JOSEError(.keyInvalid, "RSA of \(bits) bits") }
        guard exponent.count <= 4 else { throw JOSEError(.keyInvalid, "the public exponent is too large") }
        let e = exponent.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard e >= 3, e & 1 == 1 else { throw JOSEError(.keyTooWeak, "the public exponent is too small or even") }
        guard !hasInfineonFingerprint(modulus) else { throw JOSEError(.keyTooWeak, "the modulus is a ROCA one") }
    }

    /// Both primes of half the modulus' length, and odd. That they multiply to it is the cryptography's own check.
    static func check(_ numbers: KeyMaterial.RSAPrivate, modulus: [UInt8]) throws(JOSEError) {
        let half = (modulus.count + 1) / 2
        guard [numbers.p, numbers.q].allSatisfy({ $0.count == half && ($0.last ?? 0) & 1 == 1 }),
            [numbers.dp, numbers.dq, numbers.qi].allSatisfy({ $0.count <= half }), numbers.d.count <= modulus.count
        else { throw JOSEError(.keyInvalid, "the private numbers do not fit the modulus") }
    }

    /// Primes of CVE-2017-15361 (ROCA) are powers of 65537 modulo many small primes, and so is their product. A
    /// modulus made otherwise is so for all of these with a chance below 2^-27 (Nemec et al., CCS 2017, section 2).
    private static func hasInfineonFingerprint(_ modulus: [UInt8]) -> Bool {
        powersOf65537.allSatisfy { prime, powers in
            powers.contains(modulus.reduce(UInt32(0)) { ($0 << 8 | UInt32($1)) % prime })
        }
    }

    private static let smallPrimes: [UInt32] = [
        3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109,
        113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
    ]

    private static let powersOf65537: [(prime: UInt32, powers: Set<UInt32>)] = smallPrimes.map { prime in
        var powers: Set<UInt32> = []
        var power: UInt32 = 1
        while powers.insert(power).inserted { power = power * 65_537 % prime }
        return (prime, powers)
    }
}
