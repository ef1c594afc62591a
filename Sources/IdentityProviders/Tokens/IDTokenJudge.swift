// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import TokenVerifier

/// Judges ID tokens with the keys that their provider publishes, fetched where they are not known.
struct IDTokenJudge: Sendable {
    let keys: ProviderKeys
    let catalog: KeyCatalog

    /// A token that was judged good.
    struct Verdict: Sendable {
        /// The name that identities of its issuer are kept under.
        var issuer: String
        var subject: String
        /// Which of our clients it is for.
        var audience: String
        var expiresAt: Instant
        var claims: JWTClaims
    }

    /// - Throws: `AuthErrorCode.identityTokenInvalid`, or `identityProviderUnavailable` where there are no keys to
    ///   judge it by.
    func judge(
        _ token: Secret<String>, by upstream: Upstream, _ expectations: IDTokenExpectations,
        mayLackNonce: Bool = false, now: Instant
    ) async throws(AuthError) -> Verdict {
        guard let url = upstream.keys else {
            throw AuthError(.identityTokenInvalid, reason: "the provider signs no ID tokens")
        }
        let bytes = Array(token.reveal().utf8)
        // Only to choose among issuers that are configured: what it names is compared, and nothing is fetched from it.
        guard let claimed = try? JWTClaims(parsing: ParsedJWS(parsing: bytes).payload) else {
            throw AuthError(.identityTokenInvalid, reason: "not a signed token")
        }
        guard let issuer = upstream.issuer.issuer(of: claimed) else {
            throw AuthError(.identityTokenInvalid, reason: "of another issuer or tenant")
        }
        let location = KeyLocation.jwks(url: url)
        let profile = IDTokenProfile.make(upstream, issuers: issuer.spellings, keys: location)
        let verified: VerifiedToken
        do throws(TokenError) {
            verified = try await TokenVerifier([profile], keys: catalog) { now }.verify(fetching: bytes)
        } catch {
            throw Self.error(error)
        }
        let owner = keys.owner(of: verified.header.keyID, at: location)
        if case .tenants = upstream.issuer, owner != .unsaid {
            let tenant = verified.claims["tid"]?.stringValue ?? ""
            guard case .issuer(let named) = owner, named.replacing("{tenantid}", with: tenant) == issuer.name else {
                throw AuthError(.identityTokenInvalid, reason: "signed with another tenant's key")
            }
        }
        try expectations.check(verified.claims, verified.header, mayLackNonce: mayLackNonce)
        guard let subject = verified.subject,
            let audience = upstream.provider.clientIDs.first(where: verified.claims.audience.contains)
        else { throw AuthError(.identityTokenInvalid, reason: "no subject or no audience") }
        return Verdict(
            issuer: issuer.name, subject: subject, audience: audience, expiresAt: verified.expiresAt,
            claims: verified.claims)
    }

    static func error(_ error: TokenError) -> AuthError {
        guard error.code == .keysUnavailable else { return AuthError(.identityTokenInvalid, reason: "\(error)") }
        return AuthError(
            .identityProviderUnavailable, reason: "the provider's keys can't be had", retryAfter: error.retryAfter)
    }
}
