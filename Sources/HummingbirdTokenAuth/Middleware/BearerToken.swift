// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TokenVerifier

/// Reads the token of a request: from the `Authorization` header (RFC 6750, section 2.1) and from nowhere else. A token
/// in the query or the body would end up in logs and histories (sections 2.2, 2.3 and 5.3).
enum BearerToken {
    /// The token; `nil` when there is no `Authorization` header, or it is of another scheme. Whether it is one is for
    /// the verifier to say.
    static func read(_ headers: HTTPFields) throws(AccessRefusal.Cause) -> Substring? {
        guard headers.contains(.authorization) else { return nil }
        let values = headers[values: .authorization]
        guard let value = values.first, values.count == 1 else { throw .severalCredentials }
        // Schemes are compared without case (RFC 9110, section 11.1).
        guard value.utf8.prefix(6).lazy.map({ $0 | 0x20 }).elementsEqual("bearer".utf8) else { return nil }
        let rest = value.utf8.dropFirst(6)
        let token = rest.drop { $0 == UInt8(ascii: " ") }
        // `Bearerx` is another scheme; `Bearer` alone is a token that is malformed.
        guard rest.isEmpty || rest.first == UInt8(ascii: " ") else { return nil }
        guard !token.isEmpty else { throw .token(TokenError(.malformed, "not a bearer token")) }
        return Substring(token)
    }
}
