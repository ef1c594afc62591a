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
        guard let colon = url.firstRange(of: "://") else { return nil }
        let scheme = url[..<colon.lowerBound].lowercased()
        guard let usual = Self.usualPorts[scheme] else { return nil }
        let authority = url[colon.upperBound...].prefix { !"/?#".contains($0) }.lowercased()
        guard !authority.isEmpty, !authority.contains("@") else { return nil }
        var host = Substring(authority)
        var port: Substring?
        if !authority.hasSuffix("]"), let mark = authority.lastIndex(of: ":") {
            host = authority[..<mark]
            port = authority[authority.index(after: mark)...]
        }
        guard !host.isEmpty, port?.allSatisfy(\.isNumber) ?? true else { return nil }
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
