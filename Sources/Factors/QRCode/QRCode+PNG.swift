// SPDX-License-Identifier: Apache-2.0

extension QRCode {
    /// A PNG image of one bit a pixel (PNG specification, third edition). Its data are stored as they are (RFC 1951,
    /// section 3.2.4): a code of this size is a few kilobytes, and needs no library that compresses.
    ///
    /// - Parameter moduleSize: pixels of a module, up to 16.
    public func png(moduleSize: Int = 6) -> [UInt8] {
        let scale = min(max(moduleSize, 1), 16)
        let side = (width + 2 * Self.margin) * scale
        var rows: [UInt8] = []
        for row in 0..<(width + 2 * Self.margin) {
            // No filter, then eight pixels to an octet, white where a bit is set.
            var line = [UInt8](repeating: 0, count: 1 + (side + 7) / 8)
            for pixel in 0..<side where !isDark(pixel / scale - Self.margin, row - Self.margin) {
                line[1 + pixel / 8] |= 0x80 >> UInt8(pixel % 8)
            }
            for _ in 0..<scale { rows += line }
        }
        let header = PNG.number(side) + PNG.number(side) + [1, 0, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + PNG.chunk("IHDR", header)
            + PNG.chunk("IDAT", PNG.stored(rows)) + PNG.chunk("IEND", [])
    }
}

/// The parts of a PNG file.
private enum PNG {
    /// Four octets, big-endian.
    static func number(_ value: Int) -> [UInt8] { number(UInt32(truncatingIfNeeded: value)) }

    private static func number(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    /// Section 5.3: length, type, data, and a check of type and data.
    static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + data
        return number(data.count) + checked + number(crc(checked))
    }

    /// A zlib stream (RFC 1950) of blocks that are not compressed.
    static func stored(_ data: [UInt8]) -> [UInt8] {
        let longest = 0xFFFF
        var stream: [UInt8] = [0x78, 0x01]
        var start = 0
        repeat {
            let block = data[start..<min(start + longest, data.count)]
            start += block.count
            let (low, high) = (UInt8(truncatingIfNeeded: block.count), UInt8(truncatingIfNeeded: block.count >> 8))
            stream += [start == data.count ? 1 : 0, low, high, ~low, ~high] + block
        } while start < data.count
        return stream + number(adler(data))
    }

    private static func crc(_ octets: [UInt8]) -> UInt32 {
        ~octets.reduce(UInt32.max) { sum, octet in
            (0..<8).reduce(sum ^ UInt32(octet)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
    }

    private static func adler(_ octets: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for octet in octets {
            low = (low + UInt32(octet)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}
