// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Reads the `RSAPrivateKey` of PKCS #1 (RFC 8017, appendix A.1.2), the only form in which the cryptography hands out a
/// private key's numbers.
enum RSAPrivateKeyInfo {
    /// `nil` unless `der` is a sequence of nine non-negative integers with two primes.
    static func material(ofPKCS1 der: [UInt8]) -> KeyMaterial? {
        var outer = Reader(bytes: der[...])
        guard let sequence = outer.element(tag: 0x30), outer.bytes.isEmpty else { return nil }
        var inner = Reader(bytes: sequence)
        var numbers: [[UInt8]] = []
        while let element = inner.element(tag: 0x02) { numbers.append(Array(element.drop { $0 == 0 })) }
        // The version comes first, and is zero for a key of two primes.
        guard inner.bytes.isEmpty, numbers.count == 9, numbers[0].isEmpty else { return nil }
        let secret = KeyMaterial.RSAPrivate(
            d: numbers[3], p: numbers[4], q: numbers[5], dp: numbers[6], dq: numbers[7], qi: numbers[8])
        return .rsa(n: numbers[1], e: numbers[2], private: Secret(secret))
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func element(tag: UInt8) -> ArraySlice<UInt8>? {
            guard bytes.first == tag, let first = bytes.dropFirst().first else { return nil }
            var rest = bytes.dropFirst(2)
            var length = Int(first)
            if first >= 0x80 {
                let octets = rest.prefix(Int(first & 0x7F))
                guard octets.count == Int(first & 0x7F), (1...3).contains(octets.count) else { return nil }
                length = octets.reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(octets.count)
            }
            guard rest.count >= length else { return nil }
            bytes = rest.dropFirst(length)
            return rest.prefix(length)
        }
    }
}
