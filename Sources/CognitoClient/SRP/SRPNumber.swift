// SPDX-License-Identifier: Apache-2.0

/// The forms a number of SRP takes: words, bytes, and the bytes that are hashed.
enum SRPNumber {
    /// - Returns: `nil` for a number that takes more words.
    static func words(_ bytes: [UInt8], count: Int) -> [UInt64]? {
        let digits = bytes.drop { $0 == 0 }
        guard digits.count <= 8 * count else { return nil }
        var words = [UInt64](repeating: 0, count: count)
        for (place, byte) in digits.reversed().enumerated() {
            words[place / 8] |= UInt64(byte) << UInt64(place % 8 * 8)
        }
        return words
    }

    /// Big-endian, with leading zeros.
    static func bytes(_ words: [UInt64]) -> [UInt8] {
        words.reversed().flatMap { word in
            stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    /// The fewest big-endian bytes of a signed number: a zero in front where the highest bit is set. What the service
    /// hashes, in place of RFC 5054's padding.
    static func signed(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        return digits.first.map { $0 & 0x80 == 0 } == true ? digits : [0] + digits
    }

    /// left · right + addend, of four words each: what S is raised to.
    static func exponent(_ left: [UInt64], times right: [UInt64], plus addend: [UInt64]) -> [UInt64] {
        var total = addend + [UInt64](repeating: 0, count: left.count + right.count + 1 - addend.count)
        for (place, factor) in right.enumerated() {
            var carry: UInt64 = 0
            for (offset, word) in left.enumerated() {
                let (high, low) = word.multipliedFullWidth(by: factor)
                let (sum, over) = low.addingReportingOverflow(total[place + offset])
                let (all, more) = sum.addingReportingOverflow(carry)
                total[place + offset] = all
                carry = high &+ (over ? 1 : 0) &+ (more ? 1 : 0)
            }
            var next = place + left.count
            while next < total.count {
                let (sum, over) = total[next].addingReportingOverflow(carry)
                total[next] = sum
                carry = over ? 1 : 0
                next += 1
            }
        }
        return total
    }
}
