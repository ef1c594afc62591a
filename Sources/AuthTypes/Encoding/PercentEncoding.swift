// SPDX-License-Identifier: Apache-2.0

/// Percent-encoding (RFC 3986, section 2.1): the one writer of it in the house.
public enum PercentEncoding {
    /// All but the unreserved characters (section 2.3) as upper-case digits behind a percent sign, so that a value can end
    /// neither the part of a URL it is in nor a header.
    ///
    /// - Parameter spacesAsPlus: as application/x-www-form-urlencoded writes them.
    public static func encode(_ bytes: some Sequence<UInt8>, spacesAsPlus: Bool = false) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.append(byte)
            case UInt8(ascii: " ") where spacesAsPlus: encoded.append(UInt8(ascii: "+"))
            default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
