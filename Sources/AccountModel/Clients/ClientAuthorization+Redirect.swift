// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension ClientAuthorization {
    /// Whether users may be sent back to `uri`: letter by letter one of those registered (RFC 9700, section 2.1), but for
    /// the port of a registered `http://127.0.0.1` or `http://[::1]`: an app on the user's own machine listens on
    /// whichever was free (RFC 8252, section 7.3). `localhost` is a name, and no such address.
    public func allows(redirectURI uri: String) -> Bool {
        redirectURIs.containsOctets(of: uri) || LoopbackURI(uri).map { $0.isAmong(redirectURIs) } ?? false
    }

    /// Whether users may be sent to `uri` once they have signed out: letter by letter (OpenID Connect RP-Initiated Logout
    /// 1.0, section 3), with the same exception.
    public func allows(signOutURI uri: String) -> Bool {
        signOutURIs.containsOctets(of: uri) || LoopbackURI(uri).map { $0.isAmong(signOutURIs) } ?? false
    }
}

/// A place on the user's own machine, without its port.
private struct LoopbackURI {
    let origin: Substring
    /// What follows the port; empty, or beginning with `/` or `?`.
    let rest: Substring

    /// `nil` for every other place, and for a port that is none.
    init?(_ uri: String) {
        guard let origin = ["http://127.0.0.1", "http://[::1]"].first(where: uri.hasPrefix) else { return nil }
        self.origin = uri.prefix(origin.count)
        var rest = uri.dropFirst(origin.count)
        if rest.hasPrefix(":") {
            let digits = rest.dropFirst().prefix { $0 != "/" && $0 != "?" }
            guard let port = UInt16(digits), port > 0, String(port) == digits else { return nil }
            rest = rest.dropFirst(1 + digits.count)
        }
        guard rest.isEmpty || rest.hasPrefix("/") || rest.hasPrefix("?") else { return nil }
        self.rest = rest
    }

    func isAmong(_ registered: [String]) -> Bool {
        registered.contains { uri in
            LoopbackURI(uri).map { $0.origin == origin && $0.rest.utf8.elementsEqual(rest.utf8) } ?? false
        }
    }
}
