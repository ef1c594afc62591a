// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Whether an address is one of the internet, so that asking it can reach nothing that is inside.
enum PublicAddress {
    /// `false` also for what is no address: the registries of special addresses (RFC 6890 and its successors; IANA's
    /// list of global unicast for IPv6), with IPv4 addresses in IPv6's clothes judged as what they are.
    ///
    /// - Parameter text: without brackets, port or zone.
    static func contains(_ text: String) -> Bool {
        guard let octets = octets(text) else { return false }
        return octets.count == 4 ? isPublic(v4: octets) : isPublic(v6: octets)
    }

    /// Four or sixteen octets; `nil` for a name.
    static func octets(_ text: String) -> [UInt8]? {
        // What follows a zero byte is unseen by C.
        guard text.utf8.count <= 45, !text.utf8.contains(0) else { return nil }
        var octets = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &octets) == 1 { return Array(octets.prefix(4)) }
        return inet_pton(AF_INET6, text, &octets) == 1 ? octets : nil
    }

    private static func isPublic(v4 octets: [UInt8]) -> Bool {
        switch (octets[0], octets[1], octets[2]) {
        case (0, _, _), (10, _, _), (127, _, _), (169, 254, _), (172, 16...31, _), (192, 168, _), (100, 64...127, _),
            (192, 0, 0), (192, 0, 2), (192, 88, 99), (198, 18...19, _), (198, 51, 100), (203, 0, 113), (224..., _, _):
            false
        default: true
        }
    }

    private static func isPublic(v6 octets: [UInt8]) -> Bool {
        let head = (octets[0], octets[1], octets[2], octets[3])
        // An IPv4 address as IPv6 (RFC 4291, section 2.5.5.2), and one behind a translator (RFC 6052, section 2.1).
        if octets.prefix(10).allSatisfy({ $0 == 0 }), octets[10] == 0xFF, octets[11] == 0xFF {
            return isPublic(v4: Array(octets[12...]))
        }
        if head == (0, 0x64, 0xFF, 0x9B), octets[4..<12].allSatisfy({ $0 == 0 }) {
            return isPublic(v4: Array(octets[12...]))
        }
        switch head {
        case (0x20, 0x01, 0...1, _), (0x20, 0x01, 0x0D, 0xB8), (0x20, 0x02, _, _), (0x3F, 0xFF, 0...0x0F, _):
            return false
        default: return octets[0] & 0xE0 == 0x20
        }
    }
}
