// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding (RFC 3986, section 2.1): the one writer of it in the house.
package enum PercentEncoding {
    /// All but the unreserved characters (section 2.3) as upper-case digits behind a percent sign, so that a value can
    /// end neither the part of a URL it is in nor a header.
    ///
    /// - Parameter spacesAsPlus: as application/x-www-form-urlencoded writes them.
    package static func encode(_ bytes: some Sequence<UInt8>, spacesAsPlus: Bool = false) -> String {
        // Once: what is asked of a sequence of any kind is asked of each octet by way of its type.
        let bytes = Array(bytes)
        // Most values stand for themselves.
        if bytes.allSatisfy(isUnreserved) { return String(decoding: bytes, as: UTF8.self) }
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count * 3)
        for byte in bytes {
            if isUnreserved(byte) {
                encoded.append(byte)
            } else if byte == UInt8(ascii: " "), spacesAsPlus {
                encoded.append(UInt8(ascii: "+"))
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded.append(digit(byte >> 4))
                encoded.append(digit(byte & 15))
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 48 + nibble : 55 + nibble }
}
