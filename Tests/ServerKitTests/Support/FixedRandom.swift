// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Always the same bytes.
struct FixedRandom: RandomSource {
    func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 0xAB, count: count) }
}
