// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

extension ClientAuthorization {
    private static let maximumValues = 100
    private static let maximumLength = 1024
    private static let maximumKeys = 10
    private static let maximumKeyOctets = 16 << 10

    /// - Parameter hasSecret: whether the client has one.
    /// - Throws: ``AuthErrorCode/invalidRequest`` naming the field.
    func requireWellFormed(hasSecret: Bool) throws(AuthError) {
        let places: [(String, [String])] = [
            ("redirect_uris", redirectURIs), ("post_logout_uris", signOutURIs),
            ("default_redirect_uri", defaultRedirectURI.map { [$0] } ?? []),
        ]
        for (field, uris) in places {
            guard uris.count <= Self.maximumValues, uris.allSatisfy(Self.isPlaceForUsers) else {
                throw AuthError(
                    .invalidRequest,
                    reason: "https, http on this machine, or a scheme of an app's own; no fragment", field: field)
            }
        }
        guard backchannelLogoutURI.map(Self.isPlaceForServers) ?? true else {
            throw AuthError(
                .invalidRequest, reason: "https, or http on this machine; no fragment", field: "backchannel_logout_uri")
        }
        guard homeURI.map(Self.isPlaceForServers) ?? true else {
            throw AuthError(
                .invalidRequest, reason: "https, or http on this machine; no fragment", field: "home_uri")
        }
        guard resources.count <= Self.maximumValues, resources.allSatisfy(Self.isResource) else {
            throw AuthError(.invalidRequest, reason: "absolute URIs without a fragment are needed", field: "resources")
        }
        guard scopes.count <= Self.maximumValues, scopes.allSatisfy(Self.isScope) else {
            throw AuthError(.invalidRequest, reason: "not a list of scopes", field: "scopes")
        }
        guard identityProviders.count <= Self.maximumValues,
            identityProviders.allSatisfy({ (1...Self.maximumLength).contains($0.utf8.count) })
        else { throw AuthError(.invalidRequest, reason: "not names of providers", field: "identity_providers") }
        try requireKeys()
        try requireConsistent(hasSecret: hasSecret)
    }

    /// RFC 7523, section 3: what an assertion is judged by is public, and the client's own.
    private func requireKeys() throws(AuthError) {
        guard (keys != nil) == (authentication == .privateKey) else {
            throw AuthError(.invalidRequest, reason: "keys belong to private_key_jwt, and it needs them", field: "jwks")
        }
        for (field, isAsked) in [
            ("requires_signed_requests", requiresSignedRequests), ("request_object_algorithm", requestAlgorithm != nil),
        ] where isAsked && keys == nil {
            throw AuthError(.invalidRequest, reason: "a client signs requests by the keys of its jwks", field: field)
        }
        guard let keys else { return }
        let text = keys.serialized()
        guard text.count <= Self.maximumKeyOctets, let set = try? JWKSet(parsing: text),
            set.keys.count <= Self.maximumKeys, !set.keys.contains(where: \.isSecret),
            (try? VerificationKeySet(set)) != nil
        else {
            throw AuthError(
                .invalidRequest, reason: "a JWK Set of 1 to \(Self.maximumKeys) public keys for signatures",
                field: "jwks")
        }
        let signs: (RequestAlgorithm) -> Bool = { algorithm in
            let algorithm = JWSAlgorithm(rawValue: algorithm.rawValue)
            return (profile?.algorithms.contains(algorithm) ?? true)
                && set.keys.contains { $0.algorithms.contains(algorithm) }
        }
        guard requestAlgorithm.map(signs) ?? true else {
            throw AuthError(
                .invalidRequest, reason: "no key of the client's signs by it, or its profile does not let it",
                field: "request_object_algorithm")
        }
    }

    /// What follows from how the client shows who it is, where somebody registered that.
    private func requireConsistent(hasSecret: Bool) throws(AuthError) {
        guard let authentication else { return }
        guard authentication.usesSecret == hasSecret else {
            throw AuthError(
                .invalidRequest, reason: "a secret belongs to client_secret_basic and client_secret_post",
                field: "auth_method")
        }
        // RFC 6749, section 4.4: anybody could be a client that shows nothing.
        guard
            authentication != .publicClient || !grants.contains(.clientCredentials) && !grants.contains(.tokenExchange)
        else {
            throw AuthError(.invalidRequest, reason: "a public client has no credentials of its own", field: "grants")
        }
    }

    /// Where a browser may be sent: RFC 6749, section 3.1.2; RFC 8252, sections 7 and 8.4. Not to what runs as a script
    /// or opens a file, and nothing that two readers take for different places.
    private static func isPlaceForUsers(_ text: String) -> Bool {
        guard (1...maximumLength).contains(text.utf8.count), let url = RedirectURL(text), !text.contains("#") else {
            return false
        }
        return url.scheme != "http" || url.isLoopback
    }

    /// Where this server itself sends something, and where a page of its own leads by a link.
    private static func isPlaceForServers(_ text: String) -> Bool {
        isPlaceForUsers(text) && (text.hasPrefix("https://") || text.hasPrefix("http://"))
    }

    /// RFC 8707, section 2: an absolute URI without a fragment. Nobody is ever sent there.
    private static func isResource(_ text: String) -> Bool {
        guard (1...maximumLength).contains(text.utf8.count), let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            colon != text.utf8.startIndex
        else { return false }
        return text.utf8.allSatisfy { (33...126).contains($0) && $0 != UInt8(ascii: "#") }
    }

    /// RFC 6749, section 3.3: `%x21 / %x23-5B / %x5D-7E`.
    static func isScope(_ text: String) -> Bool {
        (1...maximumLength).contains(text.utf8.count)
            && text.utf8.allSatisfy { (33...126).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
}
