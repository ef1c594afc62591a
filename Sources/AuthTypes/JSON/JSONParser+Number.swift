// SPDX-License-Identifier: Apache-2.0

extension JSONParser {
    /// More digits than this carry nothing a `Double` could keep, and cost the converter time.
    private static let longestNumber = 512

    /// A number (RFC 8259, section 6), from its sign or first digit.
    mutating func number() throws(JSONError) -> JSONValue {
        let start = index
        let negative = take(UInt8(ascii: "-"))
        let first = index
        var magnitude: UInt64 = 0
        var fits = true
        while let digit = digit() {
            let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
            magnitude = sum
            fits = fits && !overflow && !carry
        }
        guard index > first, index == first + 1 || bytes[first] != UInt8(ascii: "0") else { throw malformed() }
        var whole = true
        if take(UInt8(ascii: ".")) {
            whole = false
            try digits()
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            whole = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        if whole, fits {
            if !negative, let value = Int64(exactly: magnitude) { return .integer(value) }
            if negative, magnitude <= Int64.min.magnitude { return .integer(Int64(truncatingIfNeeded: 0 &- magnitude)) }
        }
        guard index - start <= Self.longestNumber else { throw JSONError(.tooLarge, at: start) }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
        guard let value = Double(text), value.isFinite else { throw JSONError(.malformed, at: start) }
        return .number(value)
    }

    private mutating func digits() throws(JSONError) {
        guard digit() != nil else { throw malformed() }
        while digit() != nil {}
    }

    private mutating func digit() -> UInt8? {
        guard index < count, bytes[index] >= 0x30, bytes[index] <= 0x39 else { return nil }
        index += 1
        return bytes[index - 1] - 0x30
    }
}
