// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

extension TokenProfile {
    /// Tokens of any OpenID provider, its keys found by discovery (OpenID Connect Discovery 1.0).
    ///
    /// - Parameters:
    ///   - issuer: exactly as the provider's metadata and tokens write it.
    ///   - audiences: for access tokens the names of this API, for all others the client IDs.
    ///   - algorithms: those the provider signs with. What its metadata lists is not believed.
    ///   - kind: access tokens must say what they are: `typ` `at+jwt` (RFC 9068, section 4), `token_use`, or the `typ`
    ///     `Bearer` among the claims. ID tokens are checked as OpenID Connect Core 1.0, section 3.1.3.7, says, logout
    ///     tokens as Back-Channel Logout 1.0, section 2.6.
    ///   - allowsUntypedAccessTokens: accept an access token that does not say its kind, of a provider that does not
    ///     write it. Then only the audience tells its ID tokens from access tokens: give them different ones.
    ///   - leeway: how far the issuer's clock may be from ours: 0 to 60 s.
    public static func openID(
        issuer: String, audiences: Set<String>, algorithms: Set<JWSAlgorithm>, kind: TokenKind,
        allowsUntypedAccessTokens: Bool = false, leeway: TimeSpan = .seconds(30)
    ) -> TokenProfile {
        let rules = openIDRules(issuer, audiences, algorithms, kind, allowsUntypedAccessTokens, leeway)
        return TokenProfile(
            name: issuer, rules: rules, keys: .discovery(issuer: issuer), check: openIDCheck(kind, audiences))
    }

    /// Tokens of any OpenID provider whose keys the caller has.
    public static func openID(
        issuer: String, audiences: Set<String>, algorithms: Set<JWSAlgorithm>, kind: TokenKind,
        keys: VerificationKeySet, allowsUntypedAccessTokens: Bool = false, leeway: TimeSpan = .seconds(30)
    ) -> TokenProfile {
        let rules = openIDRules(issuer, audiences, algorithms, kind, allowsUntypedAccessTokens, leeway)
        return TokenProfile(name: issuer, rules: rules, keys: keys, check: openIDCheck(kind, audiences))
    }

    private static func openIDRules(
        _ issuer: String, _ audiences: Set<String>, _ algorithms: Set<JWSAlgorithm>, _ kind: TokenKind,
        _ allowsUntypedAccessTokens: Bool, _ leeway: TimeSpan
    ) -> TokenRules {
        let requiresStatedKind: Bool
        var types: Set<TokenType> = [.none, .jwt]
        switch kind {
        case .id: requiresStatedKind = false
        case .access:
            requiresStatedKind = !allowsUntypedAccessTokens
            types.insert(.accessToken)
        case .logout:
            requiresStatedKind = true
            types.insert(.logoutToken)
        case .refresh, .session: requiresStatedKind = true
        }
        return TokenRules(
            issuer: issuer, audience: .audiences(audiences), algorithms: algorithms, types: types, kind: kind,
            requiresStatedKind: requiresStatedKind, leeway: leeway)
    }

    private static func openIDCheck(_ kind: TokenKind, _ audiences: Set<String>) -> ClaimCheck {
        switch kind {
        case .access, .refresh, .session: { (_, _, _) throws(TokenError) in }
        case .id:
            { (claims, _, _) throws(TokenError) in
                // What a client may do belongs in an access token: OpenID Connect has no such claim of an ID token.
                let hasScope = claims["scope"] != nil || claims["scp"] != nil
                guard !hasScope || claims["nonce"] != nil || claims["at_hash"] != nil else {
                    throw TokenError(.wrongKind, "an access token, by its scope")
                }
                try claims.requireAuthorizedParty(in: audiences)
            }
        case .logout:
            { (claims, _, _) throws(TokenError) in
                let events = claims["events"]?.objectValue
                guard events?["http://schemas.openid.net/event/backchannel-logout"]?.objectValue != nil else {
                    throw TokenError(.wrongKind, "not the event of a logout")
                }
                guard claims["nonce"] == nil else { throw TokenError(.wrongKind, "a logout token has no nonce") }
                _ = try claims.text("jti")
                guard claims.subject != nil || claims["sid"]?.stringValue != nil else {
                    throw TokenError(.malformed, "neither sub nor sid")
                }
            }
        }
    }
}
