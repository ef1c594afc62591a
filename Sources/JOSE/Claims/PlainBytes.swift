// SPDX-License-Identifier: Apache-2.0

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes in `range` are those of `word`.
    func holds(_ word: StaticString, in range: Range<Int>) -> Bool {
        range.count == word.utf8CodeUnitCount
            && self[range].elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    /// Whether the value at `range`, which an outline has found, is a string.
    func isString(in range: Range<Int>) -> Bool { range.count >= 2 && self[range.lowerBound] == UInt8(ascii: "\"") }

    /// The string at `range`, which an outline has found to be one; `nil` for a value of another type.
    func plainString(in range: Range<Int>) -> String? {
        guard isString(in: range) else { return nil }
        let inner = range.lowerBound + 1..<range.upperBound - 1
        return String(decoding: UnsafeBufferPointer(rebasing: self[inner]), as: UTF8.self)
    }

    /// The digits at `range` as a number; `nil` for anything else, a sign among it.
    func plainInteger(in range: Range<Int>) -> Int64? {
        var value: Int64 = 0
        for byte in self[range] {
            guard byte &- 0x30 < 10 else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            value = product &+ Int64(byte &- 0x30)
        }
        return range.isEmpty ? nil : value
    }

    /// Whether the bytes from `start` on begin with those of `other`. Not for secrets: it stops at the first
    /// difference.
    func holds(_ other: [UInt8], at start: Int) -> Bool {
        guard start >= 0, count - start >= other.count else { return false }
        return other.withUnsafeBytes { other in
            let mine = UnsafeRawBufferPointer(self)
            var place = 0
            // Eight at a time; `loadUnaligned` checks nothing in a release build, the comparisons here do.
            while place &+ 8 <= other.count {
                let left = mine.loadUnaligned(fromByteOffset: start &+ place, as: UInt64.self)
                guard left == other.loadUnaligned(fromByteOffset: place, as: UInt64.self) else { return false }
                place &+= 8
            }
            while place < other.count {
                guard mine[start &+ place] == other[place] else { return false }
                place &+= 1
            }
            return true
        }
    }
}
