// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

extension RelyingParty {
    /// Looks at an ID token without asking the provider anything. What its signature is worth is not said by that.
    public func inspect(
        _ token: UpstreamIDToken, at provider: IdentityProvider, now: Instant
    ) throws(AuthError) {
        // Nothing of a provider's metadata is needed: they must name the issuer that is configured.
        let issuer: IssuerRule = provider.kind == .openID ? .one(provider.issuer ?? "") : try Upstream(provider).issuer
        guard let parsed = try? ParsedJWS(parsing: token.text.reveal().utf8), !parsed.signature.isEmpty,
            let claims = try? JWTClaims(parsing: parsed.payload)
        else { throw AuthError(.identityTokenInvalid, reason: "not a signed token") }
        guard issuer.issuer(of: claims) != nil, claims.subject != nil,
            provider.clientIDs.contains(where: claims.audience.contains),
            let end = claims.expiresAt, now < end + IDTokenProfile.leeway
        else { throw AuthError(.identityTokenInvalid, reason: "another's, for another, or too old") }
        try IDTokenExpectations(nonce: Self.nonce(of: token, at: provider), accessToken: token.accessToken)
            .check(claims, parsed.header, mayLackNonce: provider.kind == .apple)
    }

    private static func nonce(of token: UpstreamIDToken, at provider: IdentityProvider) -> IDTokenExpectations.Nonce {
        provider.skipsNonceCheck ? .ignored : token.nonce.map { .kept($0, token.nonceForm) } ?? .absent
    }

    /// What the provider vouches for by an ID token that an app has brought. Nothing beside the token is believed, but
    /// for an access token whose hash it has.
    public func judge(
        _ token: UpstreamIDToken, at provider: IdentityProvider, now: Instant
    ) async throws(AuthError) -> FederatedProof {
        let upstream = try await upstream(provider)
        let verdict = try await judge.judge(
            token.text, by: upstream,
            IDTokenExpectations(nonce: Self.nonce(of: token, at: provider), accessToken: token.accessToken),
            // Old devices of Apple's can't send one, and their tokens say so.
            mayLackNonce: provider.kind == .apple, now: now)
        var proof = ProofMaking.proof(
            of: provider, issuer: verdict.issuer, subject: verdict.subject, audience: verdict.audience,
            claims: verdict.claims.members)
        let isBound = token.accessToken != nil && verdict.claims["at_hash"] != nil
        proof.expiresAt = verdict.expiresAt
        proof.tokens = UpstreamTokens(
            access: isBound ? token.accessToken : nil, refresh: nil, id: token.text, expiresAt: nil)
        return proof
    }

    /// Judges a notification: Apple's `{"payload": …}`, or a Security Event Token by push (RFC 8935).
    ///
    /// - Throws: `AuthErrorCode.identityTokenInvalid` for what the provider has not signed, or not for us;
    ///   `unsupported` for a provider that sends none.
    public func events(
        _ notification: [UInt8], at provider: IdentityProvider, now: Instant
    ) async throws(AuthError) -> [UpstreamEvent] {
        let upstream = try await upstream(provider)
        switch provider.kind {
        case .apple:
            let limits = JSONLimits(depth: 4, members: 16, bytes: 32 << 10)
            guard let object = try? JSONObject(parsing: notification, limits: limits),
                let payload = object["payload"]?.stringValue
            else { throw AuthError(.identityTokenInvalid, reason: "not a notification") }
            let statement = try await SignedStatement.judge(
                Array(payload.utf8), by: upstream, types: ["jwt"], keys: judge.catalog)
            return try SecurityEvents.apple(statement.claims, now: now)
        case .google, .openID:
            // Google names itself with a slash at the end here, and nowhere else.
            let statement = try await SignedStatement.judge(
                notification, by: upstream, types: ["secevent+jwt", "jwt"],
                alsoSpelled: provider.kind == .google ? ["https://accounts.google.com/"] : [], keys: judge.catalog)
            return try SecurityEvents.risc(statement.claims, issuer: upstream.issuer, now: now)
        case .microsoft, .github, .facebook:
            throw AuthError(.unsupported, reason: "the provider sends no notifications")
        }
    }
}
