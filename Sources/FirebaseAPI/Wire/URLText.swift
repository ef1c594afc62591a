// SPDX-License-Identifier: Apache-2.0

/// Puts values into URLs (RFC 3986, section 2.3): what is not unreserved is percent-encoded, so that a value can end
/// neither the part it is in nor the header.
enum URLText {
    static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                encoded.append(byte)
            default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    static func query(_ pairs: [(String, String)]) -> String {
        pairs.map { encode($0.0) + "=" + encode($0.1) }.joined(separator: "&")
    }

    /// Adds a query to a URL that may have one; its fragment goes.
    static func adding(_ pairs: [(String, String)], to url: String) -> String {
        let target = String(url.prefix { $0 != "#" })
        return target + (target.contains("?") ? "&" : "?") + query(pairs)
    }
}
