// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The same bytes for the same seed (SplitMix64), so that a simulation that failed can be run again.
final class SeededRandom: RandomSource {
    private let state: Mutex<UInt64>

    init(seed: UInt64) {
        state = Mutex(seed)
    }

    func word() -> UInt64 {
        state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
            return word ^ word >> 31
        }
    }

    func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let word = word()
            for shift in 0..<8 where bytes.count < count {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * shift)))
            }
        }
        return bytes
    }

    /// A number in `range`; slightly more often a low one, which does not matter here.
    func number(in range: ClosedRange<Int64>) -> Int64 {
        range.lowerBound + Int64(word() % UInt64(range.upperBound - range.lowerBound + 1))
    }

    /// True `percent` times in a hundred.
    func happens(_ percent: Int64) -> Bool { number(in: 1...100) <= percent }
}
