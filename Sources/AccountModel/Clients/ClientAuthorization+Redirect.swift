// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension ClientAuthorization {
    /// Whether users may be sent back to `uri`: letter by letter one of those registered (RFC 9700, section 2.1), but
    /// for the port of a registered `http://127.0.0.1` or `http://[::1]`: an app on the user's own machine listens on
    /// whichever was free (RFC 8252, section 7.3). `localhost` is a name, and no such address.
    public func allows(redirectURI uri: String) -> Bool {
        redirectURIs.containsOctets(of: uri) || LoopbackURI(uri).map { $0.isAmong(redirectURIs) } ?? false
    }

    /// Whether users may be sent to `uri` once they have signed out: letter by letter (OpenID Connect RP-Initiated
    /// Logout 1.0, section 3), with the same exception.
    public func allows(signOutURI uri: String) -> Bool {
        signOutURIs.containsOctets(of: uri) || LoopbackURI(uri).map { $0.isAmong(signOutURIs) } ?? false
    }
}

/// A place on the user's own machine, without its port. Read by octets: what somebody asks for may be any text.
private struct LoopbackURI {
    let origin: String
    /// What follows the port; empty, or beginning with `/` or `?`.
    let rest: Substring.UTF8View

    /// `nil` for every other place, and for a port that is none.
    init?(_ uri: String) {
        let origins = ["http://127.0.0.1", "http://[::1]"]
        guard let origin = origins.first(where: { uri.utf8.starts(with: $0.utf8) }) else { return nil }
        self.origin = origin
        var rest = uri.utf8.dropFirst(origin.utf8.count)
        if rest.first == UInt8(ascii: ":") {
            let digits = rest.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard digits.count <= 5, digits.first != UInt8(ascii: "0"),
                UInt16(String(decoding: digits, as: UTF8.self)) != nil
            else { return nil }
            rest = rest.dropFirst(1 + digits.count)
        }
        guard rest.isEmpty || rest.first == UInt8(ascii: "/") || rest.first == UInt8(ascii: "?") else { return nil }
        self.rest = rest
    }

    func isAmong(_ registered: [String]) -> Bool {
        registered.contains { uri in
            LoopbackURI(uri).map { $0.origin == origin && $0.rest.elementsEqual(rest) } ?? false
        }
    }
}
