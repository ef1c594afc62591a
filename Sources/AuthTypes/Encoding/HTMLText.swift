// SPDX-License-Identifier: Apache-2.0

/// Text for HTML.
package enum HTMLText {
    /// Text that stands for itself in an element or in a quoted attribute. Goes by code point, as HTML is read: a `<`
    /// with a combining mark behind it is one `Character`, which is not `<`, and begins a tag all the same.
    package static func escaped(_ text: String) -> String {
        // Most texts are none that HTML has a use for.
        let isPlain = text.utf8.allSatisfy {
            $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "\"")
                && $0 != UInt8(ascii: "'")
        }
        if isPlain { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        // A byte of ASCII is the code point itself, never part of another.
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): result.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): result.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): result.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): result.append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "'"): result.append(contentsOf: "&#39;".utf8)
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
