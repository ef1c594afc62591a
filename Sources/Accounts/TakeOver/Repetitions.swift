// SPDX-License-Identifier: Apache-2.0

/// Finds what comes more than once among more values than are kept at a time.
///
/// What is kept of a value is 64 bits. When there are too many the upper half of those that may yet come is left to the
/// next turn, in which all values are gone through again. Two values may have the same bits: what is found is looked at
/// once more, by the values themselves.
struct Repetitions {
    private static let mostFound = 100_000

    private let capacity: Int
    private var turn: ClosedRange<UInt64> = 0...UInt64.max
    private var seen: Set<UInt64> = []
    /// Bits of values that came more than once; of a hundred thousand at most: whoever mends as many looks again.
    private(set) var found: Set<UInt64> = []

    /// - Parameter capacity: values of which something is kept at a time. Eight octets each, and somewhat more.
    init(capacity: Int) {
        self.capacity = max(1, capacity)
    }

    static func bits(of value: some Hashable) -> UInt64 { UInt64(bitPattern: Int64(value.hashValue)) }

    mutating func note(_ value: some Hashable) {
        let bits = Self.bits(of: value)
        guard turn.contains(bits) else { return }
        if !seen.insert(bits).inserted {
            if found.count < Self.mostFound { found.insert(bits) }
            return
        }
        while seen.count > capacity, turn.lowerBound < turn.upperBound {
            let middle = turn.lowerBound + (turn.upperBound - turn.lowerBound) / 2
            turn = turn.lowerBound...middle
            seen = seen.filter { $0 <= middle }
        }
    }

    /// - Returns: whether all values are to be gone through once more, from the first one on.
    mutating func needsAnotherTurn() -> Bool {
        guard turn.upperBound < UInt64.max else { return false }
        turn = (turn.upperBound + 1)...UInt64.max
        seen = []
        return true
    }
}
