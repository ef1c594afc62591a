// SPDX-License-Identifier: Apache-2.0

/// The URL of a server that is asked for keys, or for what else decides who somebody is: `https`, or `http` to this
/// very machine.
///
/// Read strictly, so that no two readers can differ on which host it names: no user, no fragment, and in the authority
/// only letters, digits, `-`, `.`, `:` and the brackets of an IPv6 address.
package struct KeyAddress: Sendable, Hashable {
    package let text: String
    /// As it is written, without the brackets of an IPv6 address, in lower case.
    package let host: String
    /// Whether it stays on this machine: `localhost`, 127.0.0.0/8 or `::1`.
    package let isLoopback: Bool

    package init(_ text: String) throws(KeyFetchError) {
        let isSecure = text.hasPrefix("https://")
        guard isSecure || text.hasPrefix("http://"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .addressRefused
        }
        let rest = text.utf8.dropFirst(isSecure ? 8 : 7)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard authority.allSatisfy(Self.belongsInAuthority), !rest.contains(where: Self.isRefused),
            let host = Self.host(Array(authority))
        else { throw .addressRefused }
        self.text = text
        self.host = host
        isLoopback = Self.isLoopback(host)
        guard isSecure || isLoopback else { throw .addressRefused }
    }

    /// The host of `host`, `host:port`, `[address]` or `[address]:port`; `nil` for anything else.
    private static func host(_ authority: [UInt8]) -> String? {
        let isLiteral = authority.first == UInt8(ascii: "[")
        let end = authority.lastIndex { $0 == UInt8(ascii: isLiteral ? "]" : ":") } ?? authority.endIndex
        let host = authority[..<end]
        let port = authority[end...].drop { $0 == UInt8(ascii: "]") }
        let inner = isLiteral ? host.dropFirst() : host
        let isColon = { (byte: UInt8) in byte == UInt8(ascii: ":") }
        guard !inner.isEmpty, isLiteral == inner.contains(where: isColon), !inner.contains(UInt8(ascii: "[")),
            !inner.contains(UInt8(ascii: "]")), isLiteral == authority.contains(UInt8(ascii: "]")),
            port.isEmpty || (isColon(port[port.startIndex]) && isPort(port.dropFirst()))
        else { return nil }
        return String(decoding: inner, as: UTF8.self).lowercased()
    }

    private static func isPort(_ digits: ArraySlice<UInt8>) -> Bool {
        digits.allSatisfy { (0x30...0x39).contains($0) } && UInt16(String(decoding: digits, as: UTF8.self)) != nil
    }

    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers.first == "127"
            && numbers.allSatisfy { number in
                number.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8(number).map { "\($0)" == number } == true
            }
    }

    private static func belongsInAuthority(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"): true
        default: false
        }
    }

    /// Nowhere in the address: a fragment, and the reversed slash that some readers take for a slash.
    private static func isRefused(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "#") || byte == UInt8(ascii: "\\") }
}
