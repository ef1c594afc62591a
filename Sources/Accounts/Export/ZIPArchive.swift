// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A ZIP file (APPNOTE.TXT 6.3.10, sections 4.3 and 4.4) that is written as it comes: how long an entry is, is said
/// behind it.
///
/// Entries are deflated without being compressed (RFC 1951, section 3.2.4): readers that go from the front know by that
/// where one ends, and nothing in it can tell of what stands beside it by its size.
struct ZIPArchive: Sendable {
    /// Of all entries together: what the fields of 32 bits hold.
    private static let largest = Int(UInt32.max) - 1_000_000
    private static let version: UInt16 = 20
    /// Bit 3: checksum and sizes stand behind the entry. Bit 11: names are UTF-8 (section 4.4.4).
    private static let flags: UInt16 = 1 << 3 | 1 << 11
    private static let deflated: UInt16 = 8
    private static let mostOfBlock = 65_535

    private struct Entry: Sendable {
        var name: [UInt8]
        var offset: Int
        var checksum = CRC32()
        var size = 0
        var stored = 0
    }

    private var length = 0
    private var directory: [UInt8] = []
    private var count: UInt16 = 0
    private var entry: Entry?
    private let date: UInt16
    private let time: UInt16

    /// - Parameter now: what entries are dated by, in UTC.
    init(at now: Instant) {
        (date, time) = Self.stamp(now)
    }

    /// A whole entry.
    ///
    /// - Throws: ``AuthErrorCode/requestTooLarge``.
    mutating func entry(_ name: String, _ octets: [UInt8]) throws(AuthError) -> [UInt8] {
        try open(name) + add(octets) + close()
    }

    /// Begins an entry.
    ///
    /// - Parameter name: relative, of ASCII.
    /// - Throws: ``AuthErrorCode/requestTooLarge`` for more entries than such a file holds.
    mutating func open(_ name: String) throws(AuthError) -> [UInt8] {
        guard count < 1000 else { throw AuthError(.requestTooLarge) }
        let entry = Entry(name: Array(name.utf8), offset: length)
        self.entry = entry
        var header: [UInt8] = []
        header.append(UInt32(0x0403_4B50))
        header += common(entry, isKnown: false)
        header += entry.name
        return written(header)
    }

    /// Octets of the entry that is open.
    ///
    /// - Throws: ``AuthErrorCode/requestTooLarge`` where the file would be more than such a file holds.
    mutating func add(_ octets: [UInt8]) throws(AuthError) -> [UInt8] {
        guard var entry, length + octets.count + octets.count / 1000 < Self.largest else {
            throw AuthError(.requestTooLarge)
        }
        var blocks: [UInt8] = []
        blocks.reserveCapacity(octets.count + octets.count / 1000 + 16)
        var rest = octets[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.mostOfBlock)
            blocks += Self.block(of: part.count, isLast: false)
            blocks += part
            rest = rest.dropFirst(part.count)
        }
        entry.checksum.take(octets)
        entry.size += octets.count
        entry.stored += blocks.count
        self.entry = entry
        return written(blocks)
    }

    /// Ends the entry that is open.
    mutating func close() -> [UInt8] {
        guard var entry else { return [] }
        self.entry = nil
        var end = Self.block(of: 0, isLast: true)
        entry.stored += end.count
        end.append(UInt32(0x0807_4B50))
        end.append(entry.checksum.value)
        end.append(UInt32(entry.stored))
        end.append(UInt32(entry.size))
        directory.append(UInt32(0x0201_4B50))
        directory.append(Self.version)
        directory += common(entry, isKnown: true)
        // No comment, the one disk, nothing of attributes.
        directory.append(UInt16(0))
        directory.append(UInt16(0))
        directory.append(UInt16(0))
        directory.append(UInt32(0))
        directory.append(UInt32(entry.offset))
        directory += entry.name
        count += 1
        return written(end)
    }

    /// What ends the file: where each entry is.
    func finish() -> [UInt8] {
        var end = directory
        end.append(UInt32(0x0605_4B50))
        end.append(UInt16(0))
        end.append(UInt16(0))
        end.append(count)
        end.append(count)
        end.append(UInt32(directory.count))
        end.append(UInt32(length))
        end.append(UInt16(0))
        return end
    }

    /// What both headers of an entry have.
    private func common(_ entry: Entry, isKnown: Bool) -> [UInt8] {
        var fields: [UInt8] = []
        fields.append(Self.version)
        fields.append(Self.flags)
        fields.append(Self.deflated)
        fields.append(time)
        fields.append(date)
        fields.append(isKnown ? entry.checksum.value : 0)
        fields.append(isKnown ? UInt32(entry.stored) : 0)
        fields.append(isKnown ? UInt32(entry.size) : 0)
        fields.append(UInt16(entry.name.count))
        fields.append(UInt16(0))
        return fields
    }

    /// The beginning of a block that is stored as it is: its length, and that again with each bit turned.
    private static func block(of count: Int, isLast: Bool) -> [UInt8] {
        var block: [UInt8] = [isLast ? 1 : 0]
        let length = UInt16(truncatingIfNeeded: count)
        block.append(length)
        block.append(~length)
        return block
    }

    private mutating func written(_ octets: [UInt8]) -> [UInt8] {
        length += octets.count
        return octets
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
struct CRC32: Sendable {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    private var state = ~UInt32(0)

    /// Of all that was taken until now.
    var value: UInt32 { ~state }

    mutating func take(_ octets: [UInt8]) {
        let table = Self.table
        state = octets.reduce(state) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
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
