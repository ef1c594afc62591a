// SPDX-License-Identifier: Apache-2.0

import Foundation

extension String {
    /// In Normalization Form C (UAX #15): two spellings that look alike on every screen become one sequence of code
    /// points, which is what a database compares. The caller has bounded the text: runs of combining marks are put in
    /// order in time that grows with the square of their length (``StreamSafeText``).
    package var composed: String {
        utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping
    }
}
