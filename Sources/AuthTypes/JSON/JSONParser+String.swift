// SPDX-License-Identifier: Apache-2.0

extension JSONParser {
    /// A string, from its opening quotation mark. Text without escapes is copied as it stands.
    mutating func string() throws(JSONError) -> String {
        let start = index
        index += 1
        let first = index
        var all: UInt8 = 0
        while index < count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                let run = UnsafeBufferPointer(rebasing: bytes[first..<index])
                let text = all < 0x80 ? String(decoding: run, as: UTF8.self) : try validated(run, from: start)
                index += 1
                return text
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
            guard byte >= 0x20 else { throw malformed() }
            all |= byte
            index += 1
        }
        throw malformed()
    }

    /// Goes on from the first escape of the string that starts at `start`.
    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var unescaped = Array(bytes[(start + 1)..<index])
        while index < count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return try unescaped.withUnsafeBufferPointer { buffer throws(JSONError) in
                    try validated(buffer, from: start)
                }
            case UInt8(ascii: "\\"):
                index += 1
                try escape(into: &unescaped)
            case 0..<0x20:
                throw malformed()
            default:
                unescaped.append(byte)
                index += 1
            }
        }
        throw malformed()
    }

    /// What follows a reverse solidus.
    private mutating func escape(into unescaped: inout [UInt8]) throws(JSONError) {
        guard index < count else { throw malformed() }
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(byte)
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"):
            index += 1
            unescaped.append(contentsOf: UTF8.encode(try scalar()) ?? UTF8.encodedReplacementCharacter)
            return
        default: throw malformed()
        }
        index += 1
    }

    /// One `\u` escape, or the two of a surrogate pair (RFC 8259, section 7). Half a pair is refused: it has no UTF-8.
    private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
        let start = index
        let high = try codeUnit()
        if let scalar = Unicode.Scalar(high) { return scalar }
        guard high < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw JSONError(.malformed, at: start)
        }
        let low = try codeUnit()
        guard low >= 0xDC00, low <= 0xDFFF, let scalar = Unicode.Scalar(0x10000 + (high & 0x3FF) << 10 + (low & 0x3FF))
        else { throw JSONError(.malformed, at: start) }
        return scalar
    }

    private mutating func codeUnit() throws(JSONError) -> UInt32 {
        guard count - index >= 4 else { throw malformed() }
        var value: UInt32 = 0
        for _ in 0..<4 {
            let digit: UInt8
            switch bytes[index] {
            case let byte where byte >= 0x30 && byte <= 0x39: digit = byte - 0x30
            case let byte where byte >= 0x41 && byte <= 0x46: digit = byte - 0x37
            case let byte where byte >= 0x61 && byte <= 0x66: digit = byte - 0x57
            default: throw malformed()
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    private func validated(_ buffer: UnsafeBufferPointer<UInt8>, from start: Int) throws(JSONError) -> String {
        guard let text = String(strictUTF8: buffer) else { throw JSONError(.invalidUTF8, at: start) }
        guard StreamSafeText.accepts(text) else { throw JSONError(.tooLarge, at: start) }
        return text
    }
}
