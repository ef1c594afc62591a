// SPDX-License-Identifier: Apache-2.0

/// Arithmetic modulo an odd number of an even number of whole words, in Montgomery's form (P. L. Montgomery, "Modular
/// multiplication without trial division", 1985). Numbers are words, the lowest first.
///
/// No branch and no place of memory depends on a number's value; of a compiler that is a wish and no promise.
struct GroupArithmetic: Sendable {
    let modulus: [UInt64]
    /// -1 / modulus, modulo 2^64.
    private let inverse: UInt64
    /// R modulo the modulus, which is one in Montgomery's form, and R^2. R is 2 to the number of the modulus's bits.
    private let one: [UInt64]
    private let square: [UInt64]

    init(modulus: [UInt64]) {
        self.modulus = modulus
        var inverse: UInt64 = 1
        // Each round doubles the bits that are right (Newton).
        for _ in 0..<6 { inverse &*= 2 &- (modulus.first ?? 1) &* inverse }
        self.inverse = 0 &- inverse
        var power = [UInt64](repeating: 0, count: modulus.count)
        if !power.isEmpty { power[0] = 1 }
        var one = power
        for bit in 1...max(1, 128 * modulus.count) {
            power = Self.sum(power, power, modulus)
            if bit == 64 * modulus.count { one = power }
        }
        self.one = one
        square = power
    }

    func encode(_ number: [UInt64]) -> [UInt64] { product(number, square) }

    func decode(_ number: [UInt64]) -> [UInt64] {
        var one = [UInt64](repeating: 0, count: modulus.count)
        one[0] = 1
        return product(number, one)
    }

    /// left + right, of numbers below the modulus.
    func sum(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] { Self.sum(left, right, modulus) }

    /// left - right, of numbers below the modulus.
    func difference(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        sum(left, Self.subtract(modulus, right).words)
    }

    /// Of a number of as many words as the modulus, whose highest bit is set.
    func reduced(_ number: [UInt64]) -> [UInt64] {
        Self.reduced(number, carry: 0, modulus)
    }

    /// left · right / R: in Montgomery's form the product of two numbers in it.
    func product(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        changing(left) { words, result in
            right.withUnsafeBufferPointer { right in
                if let right = right.baseAddress { words.multiply(result, right, to: result) }
            }
        }
    }

    /// base^exponent, of a base in Montgomery's form, as the result is. Four bits of the exponent at a time, each by a
    /// table that is read whole.
    ///
    /// - Parameter bits: how many an exponent of its kind has at most, whichever it is.
    func power(_ base: [UInt64], _ exponent: [UInt64], bits: Int) -> [UInt64] {
        let count = modulus.count
        var table = one + base
        for place in 2..<16 { table += product(Array(table[(place - 1) * count..<place * count]), base) }
        var factor = one
        return changing(one) { words, result in
            table.withUnsafeBufferPointer { table in
                factor.withUnsafeMutableBufferPointer { factor in
                    guard let table = table.baseAddress, let factor = factor.baseAddress else { return }
                    for bit in stride(from: (bits + 3) / 4 * 4 - 4, through: 0, by: -4) {
                        for _ in 0..<4 { words.square(result, to: result) }
                        words.choose(exponent[bit / 64] >> UInt64(bit % 64) & 15, of: table, to: factor)
                        words.multiply(result, factor, to: result)
                    }
                }
            }
        }
    }

    /// 2^exponent in Montgomery's form: a doubling costs far less than a product.
    func powerOfTwo(_ exponent: [UInt64]) -> [UInt64] {
        changing(one) { words, result in
            for word in exponent.reversed() {
                for bit in stride(from: UInt64(64), to: 0, by: -1) {
                    words.square(result, to: result)
                    words.double(result, if: word >> (bit - 1) & 1)
                }
            }
        }
    }

    private func changing(
        _ number: [UInt64], _ body: (MontgomeryWords, UnsafeMutablePointer<UInt64>) -> Void
    ) -> [UInt64] {
        var result = number
        modulus.withUnsafeBufferPointer { modulus in
            withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * modulus.count) { total in
                result.withUnsafeMutableBufferPointer { result in
                    let first = (modulus.baseAddress, total.baseAddress, result.baseAddress)
                    guard let words = first.0, let total = first.1, let result = first.2 else { return }
                    total.initialize(repeating: 0, count: 2 * modulus.count)
                    // What was computed with a secret does not stay on the stack.
                    defer { total.update(repeating: 0, count: 2 * modulus.count) }
                    body(
                        MontgomeryWords(modulus: words, count: modulus.count, inverse: inverse, total: total), result)
                }
            }
        }
        return result
    }

    private static func sum(_ left: [UInt64], _ right: [UInt64], _ modulus: [UInt64]) -> [UInt64] {
        var words = left
        var carry: UInt64 = 0
        for place in words.indices {
            let (sum, over) = left[place].addingReportingOverflow(right[place])
            let (all, more) = sum.addingReportingOverflow(carry)
            words[place] = all
            carry = (over ? 1 : 0) &+ (more ? 1 : 0)
        }
        return reduced(words, carry: carry, modulus)
    }

    /// The number less the modulus, unless it is below it.
    private static func reduced(_ words: [UInt64], carry: UInt64, _ modulus: [UInt64]) -> [UInt64] {
        let (less, borrow) = subtract(words, modulus)
        let keep = 0 &- (borrow & ~carry & 1)
        return words.indices.map { words[$0] & keep | less[$0] & ~keep }
    }

    private static func subtract(_ left: [UInt64], _ right: [UInt64]) -> (words: [UInt64], borrow: UInt64) {
        var words = left
        var borrow: UInt64 = 0
        for place in words.indices {
            let (difference, under) = left[place].subtractingReportingOverflow(right[place])
            let (all, more) = difference.subtractingReportingOverflow(borrow)
            words[place] = all
            borrow = (under ? 1 : 0) &+ (more ? 1 : 0)
        }
        return (words, borrow)
    }
}
