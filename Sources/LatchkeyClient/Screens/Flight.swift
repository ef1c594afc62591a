// SPDX-License-Identifier: Apache-2.0

/// One thing at a time that a screen has under way: a double tap begins nothing, and what comes back after the screen
/// was left is nobody's any more.
struct Flight {
    private(set) var isUnderWay = false
    private var generation = 0

    /// `nil` while something is under way.
    mutating func begin() -> Int? {
        guard !isUnderWay else { return nil }
        isUnderWay = true
        generation += 1
        return generation
    }

    /// Whether who began is still awaited. Ends it.
    mutating func end(_ ticket: Int) -> Bool {
        guard isUnderWay, ticket == generation else { return false }
        isUnderWay = false
        return true
    }

    mutating func leave() {
        isUnderWay = false
        generation += 1
    }
}
