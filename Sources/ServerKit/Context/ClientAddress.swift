// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore

/// The address of the client itself: the peer, or what trusted proxies say of it.
public struct ClientAddress: Sendable, Hashable {
    /// The address without port, IPv6 without zone; `unknown` where there is none.
    public let text: String
    /// What may be stored: /24 of an IPv4 address, /48 of an IPv6 address.
    public let truncated: String?
    /// What limits count by: the whole IPv4 address, /64 of an IPv6 address, since one subscriber has all of that.
    public let limitKey: String
    /// Whether the machine calls itself: 127.0.0.0/8 (RFC 1122, section 3.2.1.3), or ::1 (RFC 4291, section 2.5.3).
    let isLoopback: Bool
    /// Whether no address of the internet: loopback, RFC 1918, RFC 6598 (carriers), RFC 4193 (fc00::/7), link-local.
    let isPrivate: Bool

    public static let unknown = ClientAddress()

    private init() {
        text = "unknown"
        truncated = nil
        limitKey = "unknown"
        isLoopback = false
        isPrivate = false
    }

    /// `nil` unless `text` is an IPv4 or IPv6 address (RFC 4291, section 2.2), with blanks around it, brackets, a port
    /// or a zone at most.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 64 else { return nil }
        // As nearly all are written: what a proxy says is read with each request.
        if let octets = Self.dotted(text.utf8) {
            self.init(v4: octets)
            return
        }
        guard let bare = Self.bare(String(text)) else { return nil }
        var octets = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, bare, &octets) == 1 {
            self.init(v4: Array(octets.prefix(4)))
        } else if inet_pton(AF_INET6, bare, &octets) == 1 {
            self.init(v6: octets)
        } else {
            return nil
        }
    }

    /// Of IPv4 by its octets: this is asked with each request.
    init?(_ address: SocketAddress) {
        if case .v4(let v4) = address {
            let number = UInt32(bigEndian: v4.address.sin_addr.s_addr)
            self.init(v4: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) })
        } else {
            guard let text = address.ipAddress else { return nil }
            self.init(text)
        }
    }

    private init(v4 octets: [UInt8]) {
        let network = "\(octets[0]).\(octets[1]).\(octets[2])."
        text = network + String(octets[3])
        truncated = network + "0"
        limitKey = text
        isLoopback = octets.first == 127
        isPrivate =
            switch (octets[0], octets[1]) {
            case (10, _), (127, _), (169, 254), (172, 16...31), (192, 168), (100, 64...127): true
            default: false
            }
    }

    /// The octets of an IPv4 address with nothing but blanks before it: four numbers in decimal digits without zeros
    /// before them, as `inet_pton` has them (POSIX.1-2024).
    private static func dotted(_ text: some Collection<UInt8>) -> [UInt8]? {
        var octets: [UInt8] = []
        var (number, digits) = (0, 0)
        for byte in text.drop(while: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                guard digits < 3, digits == 0 || number > 0 else { return nil }
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
                digits += 1
            case UInt8(ascii: "."):
                guard digits > 0, octets.count < 3, let octet = UInt8(exactly: number) else { return nil }
                octets.append(octet)
                (number, digits) = (0, 0)
            default: return nil
            }
        }
        guard digits > 0, octets.count == 3, let octet = UInt8(exactly: number) else { return nil }
        octets.append(octet)
        return octets
    }

    private init(v6 octets: [UInt8]) {
        // An IPv4 address in IPv6's clothes (RFC 4291, section 2.5.5.2).
        if octets.prefix(10).allSatisfy({ $0 == 0 }), octets[10] == 0xFF, octets[11] == 0xFF {
            self.init(v4: Array(octets[12...]))
            return
        }
        self.init(
            text: Self.hexadecimal(octets, groups: 8), truncated: Self.hexadecimal(octets, groups: 3) + "::",
            limitKey: Self.hexadecimal(octets, groups: 4) + "::",
            isLoopback: octets.dropLast().allSatisfy { $0 == 0 } && octets.last == 1,
            isLocal: octets[0] & 0xFE == 0xFC || octets[0] == 0xFE && octets[1] & 0xC0 == 0x80)
    }

    private init(text: String, truncated: String, limitKey: String, isLoopback: Bool, isLocal: Bool) {
        self.text = text
        self.truncated = truncated
        self.limitKey = limitKey
        self.isLoopback = isLoopback
        isPrivate = isLoopback || isLocal
    }

    private static func hexadecimal(_ octets: [UInt8], groups: Int) -> String {
        (0..<groups).map { String(Int(octets[2 * $0]) << 8 | Int(octets[2 * $0 + 1]), radix: 16) }
            .joined(separator: ":")
    }

    /// The address alone, in characters that an address can have: what follows a zero byte is unseen by C.
    private static func bare(_ text: String) -> String? {
        var rest = Substring(text)
        while let first = rest.first, first == " " || first == "\t" { rest = rest.dropFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest = rest.dropLast() }
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]"), isPort(rest[end...].dropFirst()) else { return nil }
            rest = rest[..<end].dropFirst()
        } else if let colon = rest.firstIndex(of: ":"), rest.lastIndex(of: ":") == colon {
            guard isPort(rest[colon...]) else { return nil }
            rest = rest[..<colon]
        }
        if let zone = rest.firstIndex(of: "%") {
            guard rest[..<zone].contains(":") else { return nil }
            rest = rest[..<zone]
        }
        let isPlain = rest.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        return isPlain ? String(rest) : nil
    }

    /// Nothing, or a colon and a port.
    private static func isPort(_ text: Substring) -> Bool {
        guard !text.isEmpty else { return true }
        let digits = text.dropFirst().utf8
        return text.first == ":" && (1...5).contains(digits.count) && digits.allSatisfy { (48...57).contains($0) }
    }
}
