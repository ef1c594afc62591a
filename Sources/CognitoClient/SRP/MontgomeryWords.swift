// SPDX-License-Identifier: Apache-2.0

/// The products of ``GroupArithmetic``, on words in memory that are somebody else's for as long as this lives. Two rows
/// of a product are summed at a time: each word of the sum is read and written half as often, and neither row's carry
/// waits for the other's.
///
/// No branch and no place of memory depends on a number's value.
struct MontgomeryWords {
    let modulus: UnsafePointer<UInt64>
    /// How many words a number has: an even number.
    let count: Int
    /// -1 / modulus, modulo 2^64.
    let inverse: UInt64
    /// Two numbers' room for what is between.
    let total: UnsafeMutablePointer<UInt64>

    /// left · right / R. The result may lie where one of them does.
    func multiply(
        _ left: UnsafePointer<UInt64>, _ right: UnsafePointer<UInt64>, to result: UnsafeMutablePointer<UInt64>
    ) {
        total.update(repeating: 0, count: 2 &* count)
        var place = 0
        while place < count {
            let above = Self.add(left, times: (right[place], right[place &+ 1]), to: total + place, count)
            (total[place &+ count], total[place &+ count &+ 1]) = above
            place &+= 2
        }
        reduce(to: result)
    }

    /// number² / R. Each product of two different words is computed once, and doubled.
    func square(_ number: UnsafePointer<UInt64>, to result: UnsafeMutablePointer<UInt64>) {
        total.update(repeating: 0, count: 2 &* count)
        var place = 0
        while place < count {
            let pair = (number[place], number[place &+ 1])
            var carry: UInt64 = 0
            total[2 &* place &+ 1] = Self.sum(pair.0, times: pair.1, total[2 &* place &+ 1], &carry)
            let above = Self.add(
                number + (place &+ 2), times: pair, to: total + (2 &* place &+ 2), count &- place &- 2, carry: carry)
            (total[place &+ count], total[place &+ count &+ 1]) = above
            place &+= 2
        }
        doubleAndAddSquares(of: number)
        reduce(to: result)
    }

    private func doubleAndAddSquares(of number: UnsafePointer<UInt64>) {
        var (carry, top): (UInt64, UInt64) = (0, 0)
        var place = 0
        while place < count {
            let (first, second) = (total[2 &* place], total[2 &* place &+ 1])
            let (high, low) = number[place].multipliedFullWidth(by: number[place])
            total[2 &* place] = Self.sum(first << 1 | top, low, &carry)
            total[2 &* place &+ 1] = Self.sum(second << 1 | first >> 63, high, &carry)
            top = second >> 63
            place &+= 1
        }
    }

    /// number · 2 where the bit is set, else the number.
    func double(_ number: UnsafeMutablePointer<UInt64>, if bit: UInt64) {
        var carry: UInt64 = 0
        var place = 0
        while place < count {
            let word = number[place]
            number[place] = word << bit | carry
            carry = word >> 63 & bit
            place &+= 1
        }
        lower(number, carry: carry, to: number)
    }

    /// The entry of a table of sixteen numbers, which is read whole.
    func choose(_ index: UInt64, of table: UnsafePointer<UInt64>, to result: UnsafeMutablePointer<UInt64>) {
        result.update(repeating: 0, count: count)
        for entry in 0..<16 {
            let difference = UInt64(entry) ^ index
            // All ones where they are the same, else none.
            let mask = ((difference | (0 &- difference)) >> 63) &- 1
            for place in 0..<count { result[place] |= table[entry &* count &+ place] & mask }
        }
    }

    // MARK: Reduction

    /// What is in `total`, divided by R.
    private func reduce(to result: UnsafeMutablePointer<UInt64>) {
        var over: UInt64 = 0
        var place = 0
        while place < count {
            let here = total + place
            // The two lowest words become zero; the second's factor comes after what the first's brings into it.
            let first = here[0] &* inverse
            var carry: UInt64 = 0
            _ = Self.sum(modulus[0], times: first, here[0], &carry)
            let second = (here[1] &+ modulus[1] &* first &+ carry) &* inverse
            let above = Self.add(modulus, times: (first, second), to: here, count)
            here[count] = Self.sum(here[count], above.low, &over)
            here[count &+ 1] = Self.sum(here[count &+ 1], above.high, &over)
            place &+= 2
        }
        lower(total + count, carry: over, to: result)
    }

    /// The number less the modulus, unless it is below it.
    private func lower(
        _ number: UnsafePointer<UInt64>, carry: UInt64, to result: UnsafeMutablePointer<UInt64>
    ) {
        var borrow: UInt64 = 0
        var place = 0
        while place < count {
            let (difference, under) = number[place].subtractingReportingOverflow(modulus[place])
            let (all, more) = difference.subtractingReportingOverflow(borrow)
            total[place] = all
            borrow = (under ? 1 : 0) &+ (more ? 1 : 0)
            place &+= 1
        }
        let keep = 0 &- (borrow & ~carry & 1)
        place = 0
        while place < count {
            result[place] = number[place] & keep | total[place] & ~keep
            place &+= 1
        }
    }

    // MARK: Rows

    /// total += number · (factors.0 + factors.1 · 2^64).
    ///
    /// - Parameter carry: is added with the lowest word.
    /// - Returns: the two words above.
    @inline(__always)
    private static func add(
        _ number: UnsafePointer<UInt64>, times factors: (UInt64, UInt64), to total: UnsafeMutablePointer<UInt64>,
        _ count: Int, carry: UInt64 = 0
    ) -> (low: UInt64, high: UInt64) {
        var (one, two, last) = (carry, 0 as UInt64, 0 as UInt64)
        var place = 0
        while place < count {
            let word = number[place]
            let sum = sum(word, times: factors.0, total[place], &one)
            total[place] = Self.sum(last, times: factors.1, sum, &two)
            last = word
            place &+= 1
        }
        let low = sum(last, times: factors.1, one, &two)
        return (low, two)
    }

    /// left · right + addend + carry: its lower word; the higher one is the next carry.
    @inline(__always)
    private static func sum(_ left: UInt64, times right: UInt64, _ addend: UInt64, _ carry: inout UInt64) -> UInt64 {
        let (high, low) = left.multipliedFullWidth(by: right)
        let (sum, over) = low.addingReportingOverflow(addend)
        let (all, more) = sum.addingReportingOverflow(carry)
        carry = high &+ (over ? 1 : 0) &+ (more ? 1 : 0)
        return all
    }

    @inline(__always)
    private static func sum(_ left: UInt64, _ right: UInt64, _ carry: inout UInt64) -> UInt64 {
        let (sum, over) = left.addingReportingOverflow(right)
        let (all, more) = sum.addingReportingOverflow(carry)
        carry = (over ? 1 : 0) &+ (more ? 1 : 0)
        return all
    }
}
