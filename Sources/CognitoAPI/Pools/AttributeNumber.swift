// SPDX-License-Identifier: Apache-2.0

/// A number as an attribute of the type `Number`, or a bound of one, has it: digits, perhaps with a sign and a
/// fraction. Whole numbers of 64 bits are compared exactly, greater ones as closely as a `Double` has them.
struct AttributeNumber: Comparable {
    private let whole: Int64?
    private let value: Double

    /// `nil` for a text that is no such number.
    init?(_ text: String) {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count - digits.count <= 1, (1...2).contains(parts.count),
            parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (48...57).contains($0) } }), let value = Double(text)
        else { return nil }
        whole = Int64(text)
        self.value = value
    }

    init(_ number: Int) {
        whole = Int64(number)
        value = Double(number)
    }

    static func == (lhs: Self, rhs: Self) -> Bool { !(lhs < rhs) && !(rhs < lhs) }

    static func < (lhs: Self, rhs: Self) -> Bool {
        if let left = lhs.whole, let right = rhs.whole { return left < right }
        return lhs.value < rhs.value
    }
}
