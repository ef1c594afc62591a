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

    public static let unknown = ClientAddress()

    private init() {
        text = "unknown"
        truncated = nil
        limitKey = "unknown"
    }

    /// `nil` unless `text` is an IPv4 or IPv6 address, possibly with brackets, port or zone.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 64 else { return nil }
        var bare = String(text.filter { $0 != " " && $0 != "\t" })
        if bare.hasPrefix("[") {
            bare = String(bare.dropFirst().prefix { $0 != "]" })
        } else if bare.filter({ $0 == ":" }).count == 1 {
            bare = String(bare.prefix { $0 != ":" })
        }
        bare = String(bare.prefix { $0 != "%" })
        var octets = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, bare, &octets) == 1 {
            self.init(v4: Array(octets.prefix(4)))
        } else if inet_pton(AF_INET6, bare, &octets) == 1 {
            self.init(v6: octets)
        } else {
            return nil
        }
    }

    init?(_ address: SocketAddress) {
        guard let text = address.ipAddress else { return nil }
        self.init(text)
    }

    private init(v4 octets: [UInt8]) {
        text = octets.map { String($0) }.joined(separator: ".")
        truncated = octets.prefix(3).map { String($0) }.joined(separator: ".") + ".0"
        limitKey = text
    }

    private init(v6 octets: [UInt8]) {
        // An IPv4 address in IPv6's clothes (RFC 4291, section 2.5.5.2).
        if octets.prefix(10).allSatisfy({ $0 == 0 }), octets[10] == 0xFF, octets[11] == 0xFF {
            self.init(v4: Array(octets[12...]))
            return
        }
        self.init(
            text: Self.hexadecimal(octets, groups: 8), truncated: Self.hexadecimal(octets, groups: 3) + "::",
            limitKey: Self.hexadecimal(octets, groups: 4) + "::")
    }

    private init(text: String, truncated: String, limitKey: String) {
        self.text = text
        self.truncated = truncated
        self.limitKey = limitKey
    }

    private static func hexadecimal(_ octets: [UInt8], groups: Int) -> String {
        (0..<groups).map { String(Int(octets[2 * $0]) << 8 | Int(octets[2 * $0 + 1]), radix: 16) }
            .joined(separator: ":")
    }
}

/// How many proxies stand before the server, each of which adds the address it was called from to `X-Forwarded-For`.
public struct TrustedProxies: Sendable {
    public var hops: Int

    public init(hops: Int) {
        self.hops = max(0, hops)
    }

    /// The client's address. Only as many entries are believed, from the right, as there are proxies; whatever stands
    /// further left was written by the client. A header that is missing or garbled leaves the peer.
    func client(peer: ClientAddress, forwardedFor values: [String]) -> ClientAddress {
        guard hops > 0, values.reduce(0, { $0 + $1.utf8.count }) <= 4096 else { return peer }
        let entries = values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
        guard entries.count >= hops else { return peer }
        return ClientAddress(entries[entries.count - hops]) ?? peer
    }
}
