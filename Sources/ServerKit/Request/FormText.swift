// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// application/x-www-form-urlencoded (URL standard, section 5.1), read in one pass: every call of some dialects is such a
/// text.
enum FormText {
    /// The names and values in their order; of an empty part nothing.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` for broken percent-encoding, and for text that is not UTF-8 or not
    ///   stream-safe (``StreamSafeText``).
    static func pairs(_ bytes: [UInt8]) throws(AuthError) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            // What looks for one octet is made of steps of many.
            let end = rest.firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex
            let part = rest[..<end]
            rest = rest[min(end + 1, rest.endIndex)...]
            guard !part.isEmpty else { continue }
            let equals = part.firstIndex(of: UInt8(ascii: "="))
            guard let name = text(part[..<(equals ?? end)]) else { throw broken(nil) }
            guard let value = equals.map({ text(part[($0 + 1)...]) }) ?? "" else { throw broken(name) }
            pairs.append((name, value))
        }
        return pairs
    }

    private static func broken(_ name: String?) -> AuthError {
        AuthError(.invalidRequest, reason: "the query is not properly encoded", field: name)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        let isPlain = !bytes.contains(UInt8(ascii: "+")) && !bytes.contains(UInt8(ascii: "%"))
        let text = isPlain ? String(validating: bytes, as: UTF8.self) : decoded(bytes)
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
        return String(validating: octets, as: UTF8.self)
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
