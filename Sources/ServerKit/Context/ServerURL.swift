// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The URL that clients reach the server by, without a slash at its end: configured, or known once the socket is bound.
/// Everything that spells a URL asks here, and never a request's headers.
public final class ServerURL: Sendable {
    private struct Parts {
        let text: String
        let host: String

        init(_ url: String) {
            text = url
            let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
            let authority = rest.prefix { $0 != "/" }
            // An address of IPv6 is in brackets, and what stands behind the last colon in them is no port.
            let end = authority.last == "]" ? nil : authority.lastIndex(of: ":")
            host = authority[..<(end ?? authority.endIndex)].lowercased()
        }
    }

    private let parts: Mutex<Parts>

    public init(_ url: String) {
        parts = Mutex(Parts(url))
    }

    public var text: String { parts.withLock { $0.text } }

    /// Its host in lower case and without a port: requests to others are told from those to the server itself by it.
    public var host: String { parts.withLock { $0.host } }

    /// Called when a server without a configured URL has been bound.
    public func resolve(_ url: String) {
        let resolved = Parts(url)
        parts.withLock { $0 = resolved }
    }
}
