// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Fields as application/x-www-form-urlencoded has them, in their order: a query, a fragment, or a body.
public enum FormFields {
    /// Names and values in their order, as `application/x-www-form-urlencoded` (URL Standard, section 5.2).
    public static func encode(_ fields: [(String, String)]) -> String {
        fields.map { name, value in
            PercentEncoding.encode(name.utf8, spacesAsPlus: true) + "="
                + PercentEncoding.encode(value.utf8, spacesAsPlus: true)
        }.joined(separator: "&")
    }

    /// - Parameter limit: how many fields are read.
    /// - Returns: `nil` for more fields than that, a broken escape, or what is no UTF-8.
    public static func decode(_ text: some StringProtocol, limit: Int = 64) -> [(name: String, value: String)]? {
        var fields: [(name: String, value: String)] = []
        for part in text.utf8.split(separator: UInt8(ascii: "&")) {
            guard fields.count < limit else { return nil }
            let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = unescape(halves[0]), let value = halves.count == 2 ? unescape(halves[1]) : "" else {
                return nil
            }
            fields.append((name, value))
        }
        return fields
    }

    private static func unescape(_ text: some Sequence<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.next(), let low = rest.next(),
                    let decoded = Hex.decode(String(decoding: [high, low], as: UTF8.self))
                else { return nil }
                bytes += decoded
            default: bytes.append(byte)
            }
        }
        return String(strictUTF8: bytes)
    }
}
