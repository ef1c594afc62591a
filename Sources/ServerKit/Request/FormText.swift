// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation

/// application/x-www-form-urlencoded (URL standard, section 5.1), read in one pass: every call of some dialects is such
/// a text.
enum FormText {
    /// The names and values in their order; of an empty part nothing.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` for broken percent-encoding, and for text that is not UTF-8 or not
    ///   stream-safe (``StreamSafeText``).
    static func pairs(_ bytes: [UInt8]) throws(AuthError) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        var start = 0
        while start < bytes.count {
            let end = place(of: UInt8(ascii: "&"), in: bytes[start...])
            let part = bytes[start..<end]
            start = end + 1
            guard !part.isEmpty else { continue }
            let equals = place(of: UInt8(ascii: "="), in: part)
            guard let name = text(part[..<equals]) else { throw broken(nil) }
            guard let value = text(part[min(equals + 1, end)...]) else { throw broken(name) }
            pairs.append((name, value))
        }
        return pairs
    }

    /// Where an octet is first, and the end where it is not: by the C library, which looks at dozens at once. A token
    /// may be thousands long.
    private static func place(of octet: UInt8, in bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress, let found = memchr(start, CInt(octet), buffer.count) else {
                return bytes.endIndex
            }
            return bytes.startIndex + (UnsafeRawPointer(found) - start)
        }
    }

    private static func broken(_ name: String?) -> AuthError {
        AuthError(.invalidRequest, reason: "the query is not properly encoded", field: name)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        let isPlain = [UInt8(ascii: "+"), UInt8(ascii: "%")].allSatisfy { place(of: $0, in: bytes) == bytes.endIndex }
        let text = isPlain ? String(strictUTF8: bytes) : decoded(bytes)
        return text.flatMap { StreamSafeText.accepts($0) ? $0 : nil }
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
        var octets: [UInt8] = []
        octets.reserveCapacity(bytes.count)
        var place = bytes.startIndex
        while place < bytes.endIndex {
            switch bytes[place] {
            case UInt8(ascii: "+"): octets.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard place + 2 < bytes.endIndex, let high = digit(bytes[place + 1]), let low = digit(bytes[place + 2])
                else { return nil }
                octets.append(high << 4 | low)
                place += 2
            case let octet: octets.append(octet)
            }
            place += 1
        }
        return String(strictUTF8: octets)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 48
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - 55
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - 87
        default: nil
        }
    }
}
