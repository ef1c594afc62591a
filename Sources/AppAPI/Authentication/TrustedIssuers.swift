// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import TokenVerifier

/// An issuer whose tokens this API accepts.
public struct TrustedIssuer: Sendable {
    /// Where its users are.
    public var directory: Directory
    /// The claim that names the session.
    public var sessionClaim: String
    /// What its tokens must be, with the keys that sign them. Made only when a token is judged.
    public var profiles: @Sendable () async throws -> [TokenProfile]

    public init(
        directory: Directory, sessionClaim: String, profiles: @escaping @Sendable () async throws -> [TokenProfile]
    ) {
        self.directory = directory
        self.sessionClaim = sessionClaim
        self.profiles = profiles
    }
}

/// Knows the issuers: where the program is put together, each dialect contributes its own.
public protocol TrustedIssuers: Sendable {
    /// The issuer that a token with these claims is of; `nil` for one that is not trusted. `iss` is compared exactly
    /// (RFC 7519, section 4.1.1). Asked with each request, the first time before anything of the token is proven.
    func issuer(of claims: JWTClaims, at now: Instant) async throws -> TrustedIssuer?
}
