// SPDX-License-Identifier: Apache-2.0

/// The same throws for the same seed (SplitMix64), so that a test that fails once fails again.
public struct Dice: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) {
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return word ^ word >> 31
    }

    public mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
    /// True `percent` times in a hundred.
    public mutating func happens(_ percent: Int) -> Bool { below(100) < percent }
    public mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}
