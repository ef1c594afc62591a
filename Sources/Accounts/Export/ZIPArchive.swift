// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A ZIP file (APPNOTE.TXT 6.3.10, sections 4.3 and 4.4) of entries that are stored as they are: what is in it is small, and is
/// read once. Nothing in it is compressed, so nothing in it can tell of what stands beside it by its size.
struct ZIPArchive {
    /// Of all entries together: what the fields of 32 bits hold.
    private static let largest = Int(UInt32.max) - 1_000_000
    private static let version: UInt16 = 20
    /// Bit 11: names are UTF-8 (section 4.4.4).
    private static let flags: UInt16 = 1 << 11

    private var content: [UInt8] = []
    private var directory: [UInt8] = []
    private var count: UInt16 = 0
    private let date: UInt16
    private let time: UInt16

    /// - Parameter now: what entries are dated by, in UTC.
    init(at now: Instant) {
        (date, time) = Self.stamp(now)
    }

    /// - Parameter name: relative, of ASCII.
    /// - Throws: ``AuthErrorCode/requestTooLarge`` where the file would be more than such a file holds.
    mutating func add(_ name: String, _ octets: [UInt8]) throws(AuthError) {
        guard content.count + octets.count < Self.largest, count < 1000 else { throw AuthError(.requestTooLarge) }
        let offset = UInt32(content.count)
        let name = Array(name.utf8)
        var common: [UInt8] = []
        common.append(Self.version)
        common.append(Self.flags)
        // Stored.
        common.append(UInt16(0))
        common.append(time)
        common.append(date)
        common.append(CRC32.of(octets))
        common.append(UInt32(octets.count))
        common.append(UInt32(octets.count))
        common.append(UInt16(name.count))
        common.append(UInt16(0))
        content.append(UInt32(0x0403_4B50))
        content += common + name + octets
        directory.append(UInt32(0x0201_4B50))
        directory.append(Self.version)
        directory += common
        // No comment, the one disk, nothing of attributes.
        directory.append(UInt16(0))
        directory.append(UInt16(0))
        directory.append(UInt16(0))
        directory.append(UInt32(0))
        directory.append(offset)
        directory += name
        count += 1
    }

    /// The whole file.
    func finish() -> [UInt8] {
        var end: [UInt8] = []
        end.append(UInt32(0x0605_4B50))
        end.append(UInt16(0))
        end.append(UInt16(0))
        end.append(count)
        end.append(count)
        end.append(UInt32(directory.count))
        end.append(UInt32(content.count))
        end.append(UInt16(0))
        return content + directory + end
    }

    /// MS-DOS date and time (section 4.4.6): from 1980 on, in steps of two seconds.
    private static func stamp(_ now: Instant) -> (date: UInt16, time: UInt16) {
        let text = Array(now.rfc3339.utf8)
        func number(_ range: Range<Int>) -> UInt16 {
            guard text.count >= range.upperBound else { return 0 }
            return text[range].reduce(0) { $0 &* 10 &+ UInt16($1 &- 48) }
        }
        let year = max(number(0..<4), 1980) - 1980
        let date = min(year, 127) << 9 | number(5..<7) << 5 | number(8..<10)
        return (date, number(11..<13) << 11 | number(14..<16) << 5 | number(17..<19) / 2)
    }
}

/// The checksum of ZIP files: CRC-32 of ISO/IEC 13239 (polynomial 0xEDB88320, reflected).
enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    static func of(_ octets: [UInt8]) -> UInt32 {
        ~octets.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
    }
}

extension Array<UInt8> {
    /// Little-endian, as every number of a ZIP file.
    fileprivate mutating func append(_ value: UInt16) {
        append(UInt8(truncatingIfNeeded: value))
        append(UInt8(truncatingIfNeeded: value >> 8))
    }

    fileprivate mutating func append(_ value: UInt32) {
        append(UInt16(truncatingIfNeeded: value))
        append(UInt16(truncatingIfNeeded: value >> 16))
    }
}
