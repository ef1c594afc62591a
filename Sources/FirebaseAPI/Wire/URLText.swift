// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Puts values into URLs.
enum URLText {
    static func query(_ pairs: [(String, String)]) -> String {
        pairs.map { PercentEncoding.encode($0.0.utf8) + "=" + PercentEncoding.encode($0.1.utf8) }.joined(separator: "&")
    }

    /// With the alphabet for URLs and padding (RFC 4648, section 5), as the platform writes octets.
    static func base64(_ octets: [UInt8]) -> String {
        var digits = Array(Base64.encode(octets).utf8)
        for index in digits.indices {
            switch digits[index] {
            case UInt8(ascii: "+"): digits[index] = UInt8(ascii: "-")
            case UInt8(ascii: "/"): digits[index] = UInt8(ascii: "_")
            default: break
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Adds a query to a URL that may have one, before its fragment.
    static func adding(_ pairs: [(String, String)], to url: String) -> String {
        let target = String(url.prefix { $0 != "#" })
        return target + (target.contains("?") ? "&" : "?") + query(pairs) + url.dropFirst(target.count)
    }
}
