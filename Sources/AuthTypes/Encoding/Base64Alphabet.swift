// SPDX-License-Identifier: Apache-2.0

/// The two alphabets of RFC 4648, and the arithmetic they share.
struct Base64Alphabet: Sendable {
    /// Section 4.
    static let standard = Base64Alphabet(last: "+/")
    /// Section 5.
    static let urlSafe = Base64Alphabet(last: "-_")

    private static let notADigit: UInt8 = 0xFF
    private let digits: [UInt8]
    private let values: [UInt8]
    /// What a byte adds to the 24 bits of four digits, at each of the four places: four tables of 256.
    private let shares: [UInt32]
    /// Set in ``shares`` for a byte that is no digit.
    private static let strange: UInt32 = 1 << 31

    private init(last: String) {
        digits = Array(("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + last).utf8)
        var values = [UInt8](repeating: Self.notADigit, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        self.values = values
        shares = [18, 12, 6, 0].flatMap { shift in
            values.map { $0 == Self.notADigit ? Self.strange : UInt32($0) << shift }
        }
    }

    /// The digits of `bytes`, without padding.
    func encode(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        let rest = bytes.count % 3
        let whole = bytes.count - rest
        let length = whole / 3 * 4 + (rest == 0 ? 0 : rest + 1)
        return digits.withUnsafeBufferPointer { digits in
            [UInt8](unsafeUninitializedCapacity: length) { output, initialized in
                var index = 0
                while index < whole {
                    let a = bytes[index]
                    let b = bytes[index + 1]
                    let c = bytes[index + 2]
                    output[initialized] = digits[Int(a >> 2)]
                    output[initialized + 1] = digits[Int((a & 0x03) << 4 | b >> 4)]
                    output[initialized + 2] = digits[Int((b & 0x0F) << 2 | c >> 6)]
                    output[initialized + 3] = digits[Int(c & 0x3F)]
                    initialized += 4
                    index += 3
                }
                guard rest > 0 else { return }
                let a = bytes[whole]
                let b = rest == 2 ? bytes[whole + 1] : 0
                output[initialized] = digits[Int(a >> 2)]
                output[initialized + 1] = digits[Int((a & 0x03) << 4 | b >> 4)]
                initialized += 2
                if rest == 2 {
                    output[initialized] = digits[Int((b & 0x0F) << 2)]
                    initialized += 1
                }
            }
        }
    }

    func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        bytes.withContiguousStorageIfAvailable { encode($0) } ?? Array(bytes).withUnsafeBufferPointer { encode($0) }
    }

    /// Decodes digits without padding. `nil` for any other character, for a count that no bytes have, and where bits
    /// beyond the last byte are set: each value has one spelling (RFC 4648, section 3.5).
    func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let rest = text.count % 4
        guard rest != 1 else { return nil }
        let whole = text.count - rest
        let length = whole / 4 * 3 + (rest == 0 ? 0 : rest - 1)
        // Begun as a copy of as much text, of which nothing stays: the standard library makes an array of zeros, or of
        // unknown bytes, by way of generic metadata, at the price of hundreds of digits.
        var decoded = Array(UnsafeBufferPointer(rebasing: text[..<length]))
        let isClean = values.withUnsafeBufferPointer { values in
            shares.withUnsafeBufferPointer { shares in
                decoded.withUnsafeMutableBufferPointer { Self.decode(text, whole: whole, into: $0, values, shares) }
            }
        }
        return isClean ? decoded : nil
    }

    /// Decodes into `output`, which has the room of all bytes and no more.
    ///
    /// - Parameter whole: how many of the digits are in groups of four.
    /// - Returns: whether all were digits, and nothing was beyond the last byte.
    @inline(__always)
    private static func decode(
        _ text: UnsafeBufferPointer<UInt8>, whole: Int, into output: UnsafeMutableBufferPointer<UInt8>,
        _ values: UnsafeBufferPointer<UInt8>, _ shares: UnsafeBufferPointer<UInt32>
    ) -> Bool {
        // All digits are looked at before any verdict: the loop then has no branch but its own.
        var seen: UInt8 = 0
        var index = 0
        var end = 0
        // Eight digits make six bytes, written as eight while there is room for two too many.
        let target = UnsafeMutableRawBufferPointer(output)
        var all: UInt32 = 0
        while index &+ 8 <= whole, end &+ 8 <= output.count {
            let first = four(text, at: index, shares)
            let second = four(text, at: index &+ 4, shares)
            all |= first | second
            let bits = UInt64(first) << 40 | UInt64(second) << 16
            target.storeBytes(of: bits.bigEndian, toByteOffset: end, as: UInt64.self)
            end &+= 6
            index &+= 8
        }
        if all & strange != 0 { seen = notADigit }
        while index < whole {
            let a = values[Int(text[index])]
            let b = values[Int(text[index + 1])]
            let c = values[Int(text[index + 2])]
            let d = values[Int(text[index + 3])]
            seen |= a | b | c | d
            output[end] = a << 2 | b >> 4
            output[end + 1] = b << 4 | c >> 2
            output[end + 2] = c << 6 | d
            end += 3
            index += 4
        }
        let rest = text.count - whole
        if rest > 0 {
            let a = values[Int(text[whole])]
            let b = values[Int(text[whole + 1])]
            let c = rest == 3 ? values[Int(text[whole + 2])] : 0
            let excess = rest == 3 ? c & 0x03 : b & 0x0F
            seen |= a | b | c | (excess == 0 ? 0 : notADigit)
            output[end] = a << 2 | b >> 4
            if rest == 3 { output[end + 1] = b << 4 | c >> 2 }
        }
        return seen < 64
    }

    /// The 24 bits of four digits. The tables have an entry for every byte at each place.
    @inline(__always)
    private static func four(
        _ text: UnsafeBufferPointer<UInt8>, at index: Int, _ shares: UnsafeBufferPointer<UInt32>
    ) -> UInt32 {
        shares[Int(text[index])] | shares[256 &+ Int(text[index &+ 1])] | shares[512 &+ Int(text[index &+ 2])]
            | shares[768 &+ Int(text[index &+ 3])]
    }

    func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        text.withContiguousStorageIfAvailable { decode($0) } ?? Array(text).withUnsafeBufferPointer { decode($0) }
    }
}
