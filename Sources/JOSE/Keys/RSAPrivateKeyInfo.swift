// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import SwiftASN1

/// The `RSAPrivateKey` of PKCS #1 (RFC 8017, appendix A.1.2): the form in which the cryptography hands out a private
/// key's numbers, and takes all eight.
enum RSAPrivateKeyInfo {
    /// `nil` unless `der` is a sequence of nine non-negative integers with two primes.
    static func material(ofPKCS1 der: [UInt8]) -> KeyMaterial? {
        guard let numbers = try? DER.sequence(DER.parse(der), identifier: .sequence, integers),
            // The version comes first, and is zero for a key of two primes.
            numbers.count == 9, numbers[0].isEmpty
        else { return nil }
        let secret = KeyMaterial.RSAPrivate(
            d: numbers[3], p: numbers[4], q: numbers[5], dp: numbers[6], dq: numbers[7], qi: numbers[8])
        return .rsa(n: numbers[1], e: numbers[2], private: Secret(secret))
    }

    static func pkcs1(n: [UInt8], e: [UInt8], _ secret: KeyMaterial.RSAPrivate) -> [UInt8] {
        var serializer = DER.Serializer()
        serializer.appendConstructedNode(identifier: .sequence) { sequence in
            for number in [[], n, e, secret.d, secret.p, secret.q, secret.dp, secret.dq, secret.qi] {
                sequence.appendPrimitiveNode(identifier: .integer) { bytes in
                    // Zero, and what would otherwise be negative, begin with a zero byte.
                    if number.first.map({ $0 >= 0x80 }) ?? true { bytes.append(0) }
                    bytes.append(contentsOf: number)
                }
            }
        }
        return serializer.serializedBytes
    }

    private static func integers(_ nodes: inout ASN1NodeCollection.Iterator) throws -> [[UInt8]] {
        var numbers: [[UInt8]] = []
        while let node = nodes.next() {
            guard node.identifier == .integer, case .primitive(let bytes) = node.content, let top = bytes.first,
                top < 0x80
            else { throw NotPositive() }
            numbers.append(Array(bytes.drop { $0 == 0 }))
        }
        return numbers
    }

    private struct NotPositive: Error {}
}
