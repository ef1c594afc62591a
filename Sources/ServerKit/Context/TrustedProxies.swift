// SPDX-License-Identifier: Apache-2.0

/// How many proxies stand before the server, each of which adds the address it was called from to `X-Forwarded-For`.
public struct TrustedProxies: Sendable {
    public var hops: Int

    public init(hops: Int) {
        self.hops = max(0, hops)
    }

    /// The client's address. Only as many entries are believed, from the right, as there are proxies; whatever stands
    /// further left was written by the client, and changes nothing however long it is. A header that is missing or
    /// garbled leaves the peer.
    func client(peer: ClientAddress, forwardedFor values: [String]) -> ClientAddress {
        guard hops > 0 else { return peer }
        let comma = UInt8(ascii: ",")
        var rest = Substring(values.joined(separator: ","))
        for _ in 1..<hops {
            guard let index = rest.utf8.lastIndex(of: comma) else { return peer }
            rest = rest[..<index]
        }
        let entry = rest.utf8.lastIndex(of: comma).map { rest[$0...].dropFirst() } ?? rest
        return ClientAddress(entry) ?? peer
    }
}
