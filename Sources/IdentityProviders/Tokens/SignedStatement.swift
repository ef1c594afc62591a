// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import TokenVerifier

/// What a provider has signed that is no ID token: a notification, or the answer of UserInfo. Its signature and its
/// sender are judged here; what it may be, and for how long, is for the reader to say.
struct SignedStatement: Sendable {
    let claims: JWTClaims
    let header: JOSEHeader

    /// - Parameters:
    ///   - types: what its header may say of its type, in lower case and without `application/`; it may say nothing.
    ///   - spellings: further values that its `iss` may have.
    /// - Throws: `AuthErrorCode.identityTokenInvalid`, or `identityProviderUnavailable` where there are no keys.
    static func judge(
        _ token: [UInt8], by upstream: Upstream, types: Set<String>, alsoSpelled spellings: Set<String> = [],
        keys: KeyCatalog
    ) async throws(AuthError) -> SignedStatement {
        guard let url = upstream.keys else { throw invalid("the provider signs nothing") }
        let parsed: ParsedJWS
        let claims: JWTClaims
        do {
            parsed = try ParsedJWS(parsing: token)
            claims = try JWTClaims(parsing: parsed.payload)
        } catch {
            throw invalid("not a signed statement")
        }
        guard upstream.algorithms.contains(parsed.header.algorithm) else { throw invalid("another algorithm") }
        let type = parsed.header.type?.lowercased() ?? "jwt"
        guard types.contains(type.hasPrefix("application/") ? String(type.dropFirst(12)) : type) else {
            throw invalid("another type")
        }
        let source = keys.source(for: .jwks(url: url))
        if try !isSigned(parsed, source) {
            await source.request(source.keys == nil ? .none : .unknownKey)
            guard try isSigned(parsed, source) else {
                guard source.keys == nil else { throw invalid("of an unknown key", .key) }
                throw AuthError(
                    .identityProviderUnavailable, reason: "the provider's keys can't be had",
                    retryAfter: source.retryAfter)
            }
        }
        let isIssuers = claims.issuer.map(spellings.contains) == true || upstream.issuer.issuer(of: claims) != nil
        guard isIssuers else { throw invalid("of another issuer", .issuer) }
        guard claims.audience.contains(where: upstream.provider.clientIDs.contains) else {
            throw invalid("for somebody else", .audience)
        }
        return SignedStatement(claims: claims, header: parsed.header)
    }

    /// Whether it is good at that time, as far as clocks agree (RFC 7519, sections 4.1.4 and 4.1.5): what it does not
    /// say bounds nothing.
    static func isInTime(_ claims: JWTClaims, at now: Instant) -> Bool {
        claims.expiresAt.map { now < $0 + IDTokenProfile.leeway } ?? true
            && claims.notBefore.map { $0 <= now + IDTokenProfile.leeway } ?? true
    }

    /// `false` where the key is not among those that are known.
    private static func isSigned(_ parsed: ParsedJWS, _ source: any KeySource) throws(AuthError) -> Bool {
        guard let keys = source.keys, let key = try? keys.key(for: parsed.header) else { return false }
        do {
            try parsed.verify(with: key)
            return true
        } catch {
            throw invalid("not signed with its key", .signature)
        }
    }

    private static func invalid(_ reason: String, _ fault: UpstreamEvent.Fault? = nil) -> AuthError {
        AuthError(.identityTokenInvalid, reason: reason, field: fault?.rawValue)
    }
}
