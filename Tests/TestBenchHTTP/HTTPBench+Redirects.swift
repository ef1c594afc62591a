// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes

/// Where an answer sends the browser, and with what.
extension HTTPBench.Reply {
    public var location: String? { headers[.location] }

    /// OAuth's word for what is wrong.
    public var error: String? { json["error"]?.stringValue }

    /// The place without what it is about.
    public var page: String? { location.map { String($0.prefix { $0 != "?" }) } }

    /// What the answer brings the client: the parameters of the redirect, wherever they are.
    public var answer: [String: String] { Self.answer(in: location) }

    /// The parameters of an address.
    public static func answer(in location: String?) -> [String: String] {
        guard let location, let start = location.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return [:] }
        var values: [String: String] = [:]
        for pair in location[location.index(after: start)...].split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1).map { Self.decoded($0) }
            values[parts[0]] = parts.count > 1 ? parts[1] : ""
        }
        return values
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let octet = Hex.decode(String(decoding: rest.prefix(2), as: UTF8.self))?.first
            {
                bytes.append(octet)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
