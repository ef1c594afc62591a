// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What an access token must be to be believed: of this issuer, for this audience, signed with one of these algorithms,
/// within its time. None of it can be left out.
///
/// The signature is judged first: of a token that is not the issuer's own, nothing is said but that it is not valid.
public struct AccessTokenCheck: Sendable {
    public let issuer: String
    /// A token must name one of them in `aud`.
    public let audiences: Set<String>
    public let algorithms: Set<JWSAlgorithm>
    /// How far the issuer's clock may be from ours: 0 to 60 s.
    public let leeway: Span

    /// The values are required; `leeway` is brought between 0 and 60 s.
    public init(
        issuer: String, audiences: Set<String>, algorithms: Set<JWSAlgorithm>, leeway: Span = .seconds(30)
    ) {
        self.issuer = issuer
        self.audiences = audiences
        self.algorithms = algorithms
        self.leeway = min(max(leeway, .zero), .seconds(60))
    }

    /// Checks a token and returns its claims.
    ///
    /// - Parameters:
    ///   - token: the compact form, as it came.
    ///   - keys: the issuer's keys.
    ///   - now: the time to judge by.
    /// - Throws: ``AuthErrorCode/tokenExpired`` for a token that is right but too old, and
    ///   ``AuthErrorCode/tokenInvalid`` for any other fault, with a reason for the log that quotes nothing of it.
    public func verify(
        _ token: some Collection<UInt8>, keys: VerificationKeySet, now: Instant
    ) throws(AuthError) -> JWTClaims {
        let claims: JWTClaims
        do throws(JOSEError) {
            let parsed = try ParsedJWS(parsing: token)
            try parsed.verify(with: try keys.key(for: parsed.header), allowing: algorithms)
            guard !Self.isNested(parsed.header) else { throw JOSEError(.malformed, "a nested token") }
            claims = try JWTClaims(parsing: parsed.payload)
        } catch {
            throw AuthError(.tokenInvalid, reason: error.description)
        }
        try check(claims, now: now)
        return claims
    }

    private func check(_ claims: JWTClaims, now: Instant) throws(AuthError) {
        guard claims.issuer == issuer else { throw AuthError(.tokenInvalid, reason: "of another issuer") }
        guard claims.audience.contains(where: audiences.contains) else {
            throw AuthError(.tokenInvalid, reason: "for another audience")
        }
        guard let expiresAt = claims.expiresAt, let issuedAt = claims.issuedAt else {
            throw AuthError(.tokenInvalid, reason: "without exp or iat")
        }
        guard issuedAt <= now + leeway, claims.notBefore.map({ $0 <= now + leeway }) ?? true else {
            throw AuthError(.tokenInvalid, reason: "not yet valid")
        }
        // RFC 7519, section 4.1.4: on or after `exp` it must not be accepted.
        guard now < expiresAt + leeway else { throw AuthError(.tokenExpired) }
    }

    /// RFC 7519, section 5.2: `cty` says JWT of a token within a token.
    private static func isNested(_ header: JOSEHeader) -> Bool { header.contentType?.lowercased() == "jwt" }
}
