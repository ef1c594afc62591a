// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a redirect back to the app says, in its query and its fragment. Nothing of it is to be believed before its
/// `state` was compared.
public struct RedirectParameters: Sendable {
    private let values: Secret<[String: String]>

    /// The longest address that is read.
    public static let limit = 16 << 10

    /// - Parameters:
    ///   - address: the whole of what the browser was sent to.
    ///   - redirectURI: what was asked for. Scheme, host and path must be its own.
    /// - Throws: `invalid_redirect` for another place, and for a parameter that is there twice (RFC 6749, section 3.1).
    public init(_ address: String, redirectingTo redirectURI: String) throws(AuthError) {
        guard address.utf8.count <= Self.limit else {
            throw AuthError(.invalidRedirect, reason: "the redirect is too long")
        }
        guard Self.place(of: address) == Self.place(of: redirectURI) else {
            throw AuthError(.invalidRedirect, reason: "the redirect leads to another place")
        }
        let fragment = address.firstIndex(of: "#").map { address[address.index(after: $0)...] } ?? ""
        let beforeFragment = address.prefix { $0 != "#" }
        let query = beforeFragment.firstIndex(of: "?").map { beforeFragment[beforeFragment.index(after: $0)...] } ?? ""
        guard let inQuery = FormFields.decode(query), let inFragment = FormFields.decode(fragment) else {
            throw AuthError(.invalidRedirect, reason: "the redirect's parameters can't be read")
        }
        var values: [String: String] = [:]
        for field in inQuery + inFragment where values.updateValue(field.value, forKey: field.name) != nil {
            throw AuthError(.invalidRedirect, reason: "a parameter of the redirect is there twice")
        }
        self.values = Secret(values)
    }

    /// The value of a parameter; `nil` where the redirect does not have it.
    public subscript(name: String) -> String? { values.reveal()[name] }

    /// Scheme, authority and path, octet by octet; scheme and authority in lower case (RFC 3986, section 6.2.2.1). A
    /// path that is not there is `/`.
    private static func place(of address: String) -> [UInt8]? {
        let place = Array(address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        guard let colon = place.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = lowercased(place[..<colon])
        var rest = place[(colon + 1)...]
        guard rest.starts(with: "//".utf8) else { return scheme + [UInt8(ascii: ":")] + rest }
        rest = rest.dropFirst(2)
        let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        let path = end == rest.endIndex ? [UInt8(ascii: "/")] : Array(rest[end...])
        return scheme + "://".utf8 + lowercased(rest[..<end]) + path
    }

    private static func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
    }
}
