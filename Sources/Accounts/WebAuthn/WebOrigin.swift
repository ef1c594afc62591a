// SPDX-License-Identifier: Apache-2.0

/// The origin of a page, as browsers write it (RFC 6454, section 6.2).
struct WebOrigin: Sendable, Hashable {
    private static let usualPorts = ["http": "80", "https": "443"]

    let text: String
    let host: String

    /// `nil` for what is no URL of the web, and for one that names a user.
    ///
    /// - Parameter url: an operator's own, whose path does not matter.
    init?(_ url: String) {
        // By octets, as browsers read it: a mark that combines with what is before it makes no other sign of a slash.
        let octets = url.utf8
        guard let colon = octets.firstIndex(of: UInt8(ascii: ":")), octets[colon...].starts(with: "://".utf8) else {
            return nil
        }
        let scheme = url[..<colon].lowercased()
        guard let usual = Self.usualPorts[scheme] else { return nil }
        let rest = octets[octets.index(colon, offsetBy: 3)...]
        let authority = Substring(rest.prefix { !"/?#".utf8.contains($0) }).lowercased()
        guard !authority.isEmpty, !authority.utf8.contains(UInt8(ascii: "@")) else { return nil }
        var host = Substring(authority)
        var port: Substring?
        if !authority.hasSuffix("]"), let mark = authority.utf8.lastIndex(of: UInt8(ascii: ":")) {
            host = authority[..<mark]
            port = authority[authority.utf8.index(after: mark)...]
        }
        let isPort = port?.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? true
        guard !host.isEmpty, isPort else { return nil }
        self.host = String(host)
        let isUsual = port.map { $0.isEmpty || $0 == usual } ?? true
        text = scheme + "://" + host + (isUsual ? "" : ":" + (port ?? ""))
    }

    /// The same by the name `localhost` (RFC 6761, section 6.3); `nil` unless it is by an address of this very machine.
    var ofThisMachine: WebOrigin? {
        guard ["127.0.0.1", "[::1]"].contains(host), let place = text.firstRange(of: host) else { return nil }
        return WebOrigin(String(text[..<place.lowerBound]) + "localhost" + text[place.upperBound...])
    }
}
