// SPDX-License-Identifier: Apache-2.0

extension Identifier {
    private static var length: Int { 22 }

    /// The identifier in letters and digits alone, for places that take nothing else: the 16 bytes of the UUID as one
    /// number in base 62 (`0-9A-Za-z`), 22 characters with leading zeros. An identifier that is no lower-case UUID
    /// stays as it is.
    public var base62: String {
        let isUUID = UUIDText.accepts(rawValue) && !rawValue.utf8.contains { (65...90).contains($0) }
        guard isUUID, var digits = Hex.decode(rawValue.filter { $0 != "-" }) else { return rawValue }
        var text: [UInt8] = []
        for _ in 0..<Self.length {
            // Long division by 62, the highest byte first.
            var remainder: UInt32 = 0
            for index in digits.indices {
                let value = remainder << 8 | UInt32(digits[index])
                digits[index] = UInt8(truncatingIfNeeded: value / 62)
                remainder = value % 62
            }
            text.append(Self.digit(UInt8(truncatingIfNeeded: remainder)))
        }
        return String(decoding: text.reversed(), as: UTF8.self)
    }

    /// Reads what ``base62`` of a UUID gives; `nil` for another length or character, and for a number of more than 128
    /// bits.
    public init?(base62 text: String) {
        guard text.utf8.count == Self.length else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        for character in text.utf8 {
            guard let value = Self.value(of: character) else { return nil }
            var carry = UInt32(value)
            for index in bytes.indices.reversed() {
                let sum = UInt32(bytes[index]) * 62 + carry
                bytes[index] = UInt8(truncatingIfNeeded: sum)
                carry = sum >> 8
            }
            guard carry == 0 else { return nil }
        }
        let hex = Hex.encode(bytes)
        var identifier = ""
        for (index, character) in hex.enumerated() {
            if index == 8 || index == 12 || index == 16 || index == 20 { identifier.append("-") }
            identifier.append(character)
        }
        self.init(identifier)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<10: 48 + value
        case 10..<36: 55 + value
        default: 61 + value
        }
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case 48...57: character - 48
        case 65...90: character - 55
        case 97...122: character - 61
        default: nil
        }
    }
}
