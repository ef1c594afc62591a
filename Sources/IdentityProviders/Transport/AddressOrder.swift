// SPDX-License-Identifier: Apache-2.0

/// In which order the addresses of a name are tried.
enum AddressOrder {
    /// Those of IPv6 and of IPv4 in turn, beginning with whichever is first and otherwise in their order (RFC 8305,
    /// section 4): where there is no way out by one of the two, the second try is by the other.
    static func alternating(_ addresses: [String]) -> [String] {
        let isV6 = { (address: String) in address.utf8.contains(UInt8(ascii: ":")) }
        guard let first = addresses.first else { return [] }
        let preferred = addresses.filter { isV6($0) == isV6(first) }
        let others = addresses.filter { isV6($0) != isV6(first) }
        return (0..<max(preferred.count, others.count)).flatMap {
            [preferred.dropFirst($0).first, others.dropFirst($0).first].compactMap(\.self)
        }
    }
}
