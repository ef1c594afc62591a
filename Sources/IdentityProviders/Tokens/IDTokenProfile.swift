// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import TokenVerifier

/// The verifier's rules for a provider's ID tokens (OpenID Connect Core 1.0, section 3.1.3.7).
enum IDTokenProfile {
    /// How far clocks may be apart.
    static let leeway = TimeSpan.seconds(60)

    /// - Parameter spellings: the values of `iss` that the token may have.
    static func make(_ upstream: Upstream, issuers spellings: Set<String>, keys: KeyLocation) -> TokenProfile {
        let clients = Set(upstream.provider.clientIDs)
        let rules = TokenRules(
            issuer: spellings.first ?? "", alsoSpelled: spellings, audience: .audiences(clients),
            algorithms: upstream.algorithms, types: [.none, .jwt], kind: .id, requiresStatedKind: false,
            leeway: leeway)
        return TokenProfile(
            name: upstream.provider.name, rules: rules, keys: keys, check: check(upstream.provider, clients))
    }

    private static func check(_ provider: IdentityProvider, _ clients: Set<String>) -> TokenProfile.ClaimCheck {
        let domains = Set(provider.organizations)
        return switch provider.kind {
        case .apple:
            { (claims, _, _) throws(TokenError) in
                guard claims.audience.count == 1 else { throw TokenError(.wrongAudience, "more than one aud") }
            }
        case .google:
            // Its SDKs name the app in `azp` and the server in `aud`, which is ours.
            { (claims, _, _) throws(TokenError) in
                if claims.audience.count > 1 { try requireParty(claims, clients) }
                guard domains.isEmpty || claims["hd"]?.stringValue.map(domains.contains) == true else {
                    throw TokenError(.wrongAudience, "of another domain (hd)")
                }
            }
        case .microsoft, .openID, .github, .facebook:
            { (claims, _, _) throws(TokenError) in
                // What a client may do belongs in an access token: OpenID Connect has no such claim of an ID token.
                let hasScope = claims["scope"] != nil || claims["scp"] != nil
                guard !hasScope || claims["nonce"] != nil || claims["at_hash"] != nil else {
                    throw TokenError(.wrongKind, "an access token, by its scope")
                }
                if claims["azp"] != nil || claims.audience.count > 1 { try requireParty(claims, clients) }
            }
        }
    }

    private static func requireParty(_ claims: JWTClaims, _ clients: Set<String>) throws(TokenError) {
        guard let party = claims["azp"]?.stringValue, clients.contains(party) else {
            throw TokenError(.wrongAudience, "azp is none of the clients")
        }
    }
}
