// SPDX-License-Identifier: Apache-2.0

/// Arithmetic modulo an odd number of whole words, in Montgomery's form (P. L. Montgomery, "Modular multiplication without trial
/// division", 1985). Numbers are words, the lowest first.
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
        let count = modulus.count
        var total = [UInt64](repeating: 0, count: count + 2)
        total.withUnsafeMutableBufferPointer { total in
            left.withUnsafeBufferPointer { left in
                right.withUnsafeBufferPointer { right in
                    modulus.withUnsafeBufferPointer { modulus in
                        for place in 0..<count {
                            let carried = Self.add(left, times: right[place], to: total, from: 0, count)
                            let (top, over) = total[count].addingReportingOverflow(carried)
                            total[count] = top
                            total[count + 1] = over ? 1 : 0
                            // The lowest word becomes zero, and is dropped.
                            let factor = total[0] &* inverse
                            let (high, low) = modulus[0].multipliedFullWidth(by: factor)
                            let lowest = high &+ (low.addingReportingOverflow(total[0]).overflow ? 1 : 0)
                            let rest = Self.add(modulus, times: factor, to: total, from: 1, count, carry: lowest)
                            let (sum, more) = total[count].addingReportingOverflow(rest)
                            total[count - 1] = sum
                            total[count] = total[count + 1] &+ (more ? 1 : 0)
                        }
                    }
                }
            }
        }
        return Self.reduced(Array(total[..<count]), carry: total[count], modulus)
    }

    /// base^exponent, of a base in Montgomery's form, as the result is. Four bits of the exponent at a time, each by a table
    /// that is read whole.
    func power(_ base: [UInt64], _ exponent: [UInt64]) -> [UInt64] {
        var table = [one, base]
        for _ in 2..<16 { table.append(product(table[table.count - 1], base)) }
        var result = one
        for word in exponent.reversed() {
            for shift in stride(from: UInt64(60), through: 0, by: -4) {
                for _ in 0..<4 { result = product(result, result) }
                result = product(result, Self.chosen(word >> shift & 15, of: table))
            }
        }
        return result
    }

    @inline(__always)
    private static func add(
        _ number: UnsafeBufferPointer<UInt64>, times factor: UInt64, to total: UnsafeMutableBufferPointer<UInt64>,
        from start: Int, _ count: Int, carry first: UInt64 = 0
    ) -> UInt64 {
        var carry = first
        var place = start
        while place < count {
            let (high, low) = number[place].multipliedFullWidth(by: factor)
            let (sum, over) = low.addingReportingOverflow(total[place])
            let (all, more) = sum.addingReportingOverflow(carry)
            total[place &- start] = all
            carry = high &+ (over ? 1 : 0) &+ (more ? 1 : 0)
            place &+= 1
        }
        return carry
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

    private static func chosen(_ index: UInt64, of table: [[UInt64]]) -> [UInt64] {
        var words = [UInt64](repeating: 0, count: table[0].count)
        for (place, entry) in table.enumerated() {
            let difference = UInt64(place) ^ index
            // All ones where they are the same, else none.
            let mask = ((difference | (0 &- difference)) >> 63) &- 1
            for word in words.indices { words[word] |= entry[word] & mask }
        }
        return words
    }
}
