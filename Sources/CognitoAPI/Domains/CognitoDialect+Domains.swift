// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit

extension CognitoDialect {
    /// The host that clients reach the server by, in lower case and without a port.
    var host: String { settings.url.host }

    /// The Directory whose domain a request is to: a custom domain, or a prefix before the server's own host, before
    /// `localhost`, or before the service's `auth.{region}.amazoncognito.com`, as an operator's proxy may pass it on.
    ///
    /// - Parameter authority: of the request (`Host`), with a port or without.
    /// - Returns: `nil` for the server's own host and for every other that nobody registered.
    /// - Throws: `AuthErrorCode.unavailable` when the store can't be reached and the domain is not known yet.
    public func directory(ofHost authority: String?, at now: Instant) async throws -> Directory? {
        guard let authority, let host = Self.host(in: authority), host != self.host else { return nil }
        if let prefix = prefix(inHost: host) { return try await directories.directory(ofDomain: prefix, at: now) }
        guard DirectoryDomain.isName(host, of: .custom) else { return nil }
        return try await directories.directory(ofDomain: host, at: now)
    }

    /// The one label that stands before a host which all pools share; `nil` for another host.
    func prefix(inHost host: String) -> String? {
        for shared in [self.host, "localhost", "auth.\(region).amazoncognito.com"]
        where !shared.isEmpty && host.hasSuffix("." + shared) {
            let prefix = String(host.dropLast(shared.count + 1))
            return DirectoryDomain.isName(prefix, of: .prefix) ? prefix : nil
        }
        return nil
    }

    private static func host(in authority: String) -> String? {
        // By octets: this is asked with each request, and a colon is a character of its own only by chance.
        let octets = authority.utf8
        guard octets.count <= 300 else { return nil }
        guard let colon = octets.lastIndex(of: UInt8(ascii: ":")), octets.last != UInt8(ascii: "]") else {
            return authority.lowercased()
        }
        guard octets[colon...].dropFirst().allSatisfy({ (48...57).contains($0) }) else { return nil }
        return authority[..<colon].lowercased()
    }
}
