// SPDX-License-Identifier: Apache-2.0

/// Adds an answer to the URL that a verification link leads to. The URL itself has been checked against the
/// Directory's allow-list; what is added is percent-encoded, so it can neither end the part it is in nor the header.
struct RedirectTarget {
    let url: String

    func adding(query: [(String, String)] = [], fragment: [(String, String)] = []) -> String {
        // The old fragment goes: a browser would otherwise hand the app two.
        var target = String(url.prefix { $0 != "#" })
        if !query.isEmpty { target += (target.contains("?") ? "&" : "?") + Self.encode(query) }
        if !fragment.isEmpty { target += "#" + Self.encode(fragment) }
        return target
    }

    static func encode(_ pairs: [(String, String)]) -> String {
        pairs.map { encode($0.0) + "=" + encode($0.1) }.joined(separator: "&")
    }

    /// application/x-www-form-urlencoded: a space is a plus sign, which is what the SDKs of this dialect decode.
    static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            case 32: encoded += "+"
            default:
                let digits = Array("0123456789ABCDEF")
                encoded += "%" + String(digits[Int(byte >> 4)]) + String(digits[Int(byte & 15)])
            }
        }
        return encoded
    }
}
