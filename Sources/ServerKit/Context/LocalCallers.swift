// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Tells callers of this machine from pages of any other, for a server that checks nothing else of them.
///
/// A page from anywhere can make its reader's browser call a loopback address. It can't choose what the browser then
/// writes: `Host`, which names the page's own site where that site's name was bound anew to the loopback address (DNS
/// rebinding); `Origin` (Fetch standard, section 3.2), on every call that is more than a plain `GET`; and
/// `Sec-Fetch-Site` (Fetch Metadata, section 2.3). Programs write no `Origin`, and whatever `Host` they were told.
public struct LocalCallers: Sendable {
    private let hosts: Set<String>
    private let origins: Set<String>

    /// - Parameters:
    ///   - hosts: names that are this machine's besides those of the loopback, without a port.
    ///   - origins: those whose pages may call although they are of another machine, as browsers write them.
    public init(hosts: [String] = [], origins: [String] = []) {
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.origins = Set(origins)
    }

    /// - Parameter authority: `host` or `host:port`. Loopback addresses are local, and so are `localhost` and the names
    ///   below it (RFC 6761, section 6.3).
    func isLocal(_ authority: some StringProtocol) -> Bool {
        if ClientAddress(authority)?.isLoopback == true { return true }
        var name = authority.lowercased()[...]
        if let colon = name.lastIndex(of: ":") {
            guard name[colon...].dropFirst().utf8.allSatisfy({ (48...57).contains($0) }) else { return false }
            name = name[..<colon]
        }
        let isName = name.utf8.allSatisfy {
            (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
        return isName && (name == "localhost" || name.hasSuffix(".localhost") || hosts.contains(String(name)))
    }

    /// - Parameter origin: of any scheme, since the web views of apps have their own, such as `capacitor://localhost`.
    public func isAllowed(origin: String) -> Bool {
        if origins.contains(origin) { return true }
        guard let end = origin.range(of: "://") else { return false }
        return isLocal(origin[end.upperBound...])
    }

    /// Whether a request with these fields may be one of this machine's own pages or programs.
    ///
    /// `null` is the origin of a form of the server's own pages, which tell nobody where they are (`Referrer-Policy`),
    /// and of sandboxed frames of any page: only the browser's word that the page is of the same site tells them apart.
    /// A link that is followed may come from anywhere: its answer is shown to the reader, and not to the page.
    func isAllowed(origin: String?, site: String?, mode: String?) -> Bool {
        switch origin {
        case nil: site != "cross-site" || mode == "navigate"
        case "null": site == "same-origin"
        case let origin?: isAllowed(origin: origin)
        }
    }
}
