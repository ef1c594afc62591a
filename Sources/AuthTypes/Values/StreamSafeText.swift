// SPDX-License-Identifier: Apache-2.0

/// Text that Unicode's algorithms read in time that grows with its length (Stream-Safe Text Format, UAX #15,
/// section 13).
///
/// To compare or hash two texts that are canonically equivalent, as `String` does, the combining marks behind a letter
/// are put in order first. A run of n marks in the wrong order takes n² steps: a name of 400 kB in an object took a
/// minute. No language writes more than a few in a row, so what comes from outside is refused with more than 30.
package enum StreamSafeText {
    /// Combining marks in a row.
    package static let longestRun = 30

    /// Whether `text` has no longer run. Looks at each code point once.
    package static func accepts(_ text: some StringProtocol) -> Bool {
        // Most text has no marks at all: those up to U+02FF are letters and signs, in UTF-8 below 0xCC.
        // One call into the text, and then bytes: a caller in another module gets no copy of this for its type of text.
        let hasNone = text.utf8.withContiguousStorageIfAvailable { bytes in
            // Without a way out in the middle, which the compiler makes steps of many bytes of.
            var highest: UInt8 = 0
            for byte in bytes { highest = max(highest, byte) }
            return highest < 0xCC
        }
        guard !(hasNone ?? text.utf8.allSatisfy { $0 < 0xCC }) else { return true }
        var run = 0
        for scalar in text.unicodeScalars {
            run = isMark(scalar) ? run + 1 : 0
            guard run <= longestRun else { return false }
        }
        return true
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x300: false
        // Of class zero themselves, and nothing but marks once they are taken apart.
        case 0xF73, 0xF75, 0xF81: true
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}
