// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TokenVerifier

/// The token of a request: from the `Authorization` header (RFC 6750, section 2.1; RFC 9449, section 7.1) and from
/// nowhere else. A token in the query or the body would end up in logs and histories (RFC 6750, sections 2.2, 2.3 and
/// 5.3).
struct PresentedToken: Sendable {
    enum Scheme: String, Sendable, Hashable, CaseIterable {
        case bearer
        case dpop
    }

    var scheme: Scheme
    var text: Substring

    /// The token; `nil` when there is no `Authorization` header, or it is of another scheme. Whether it is one is for
    /// the verifier to say.
    static func read(
        _ headers: HTTPFields, schemes: [Scheme] = [.bearer]
    ) throws(AccessRefusal.Cause) -> PresentedToken? {
        let values = headers[values: .authorization]
        guard let value = values.first else { return nil }
        guard values.count == 1 else { throw .severalCredentials }
        for scheme in schemes {
            guard let rest = rest(of: value, after: scheme) else { continue }
            let token = rest.drop { $0 == UInt8(ascii: " ") }
            // `Bearerx` is another scheme; `Bearer` alone is a token that is malformed.
            guard rest.isEmpty || rest.first == UInt8(ascii: " ") else { continue }
            guard !token.isEmpty else { throw .token(TokenError(.malformed, "not a token")) }
            return PresentedToken(scheme: scheme, text: Substring(token))
        }
        return nil
    }

    /// Schemes are compared without case (RFC 9110, section 11.1).
    private static func rest(of value: String, after scheme: Scheme) -> Substring.UTF8View? {
        var rest = value[...].utf8
        for letter in scheme.rawValue.utf8 {
            guard let byte = rest.popFirst(), byte | 0x20 == letter else { return nil }
        }
        return rest
    }
}
