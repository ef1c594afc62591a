// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// Knows issuers that this server is: each dialect knows its own.
public protocol OwnIssuers: Sendable {
    /// The issuer that a token with these claims is of; `nil` for none of these. `iss` is compared exactly (RFC 7519,
    /// section 4.1.1). Asked with each request, the first time before anything of the token is proven.
    func issuer(of claims: JWTClaims, at now: Instant) async throws -> OwnIssuer?
}

extension Sequence where Element == any OwnIssuers {
    /// The first that knows the issuer of a token with these claims.
    public func issuer(of claims: JWTClaims, at now: Instant) async throws -> OwnIssuer? {
        for issuers in self {
            if let issuer = try await issuers.issuer(of: claims, at: now) { return issuer }
        }
        return nil
    }
}
