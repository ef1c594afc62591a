// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension ClientAuthorization {
    private static let maximumValues = 100
    private static let maximumLength = 1024

    /// - Throws: ``AuthErrorCode/invalidRequest`` naming the field.
    func requireWellFormed() throws(AuthError) {
        let places: [(String, [String])] = [
            ("redirect_uris", redirectURIs), ("sign_out_uris", signOutURIs),
            ("default_redirect_uri", defaultRedirectURI.map { [$0] } ?? []),
        ]
        for (field, uris) in places {
            guard uris.count <= Self.maximumValues, uris.allSatisfy(Self.isAbsoluteURI) else {
                throw AuthError(.invalidRequest, reason: "absolute URIs without a fragment are needed", field: field)
            }
        }
        guard scopes.count <= Self.maximumValues, scopes.allSatisfy(Self.isScope) else {
            throw AuthError(.invalidRequest, reason: "not a list of scopes", field: "scopes")
        }
        guard identityProviders.count <= Self.maximumValues,
            identityProviders.allSatisfy({ (1...Self.maximumLength).contains($0.utf8.count) })
        else { throw AuthError(.invalidRequest, reason: "not names of providers", field: "identity_providers") }
    }

    /// RFC 6749, section 3.1.2: it has a scheme, and no fragment.
    private static func isAbsoluteURI(_ text: String) -> Bool {
        guard (1...maximumLength).contains(text.utf8.count), let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            colon != text.utf8.startIndex
        else { return false }
        return text.utf8.allSatisfy { (33...126).contains($0) && $0 != UInt8(ascii: "#") }
    }

    /// RFC 6749, section 3.3: `%x21 / %x23-5B / %x5D-7E`.
    private static func isScope(_ text: String) -> Bool {
        (1...maximumLength).contains(text.utf8.count)
            && text.utf8.allSatisfy { (33...126).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
}
