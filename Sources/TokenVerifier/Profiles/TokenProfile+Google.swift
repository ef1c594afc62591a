// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

extension TokenProfile {
    /// ID tokens of Sign in with Google ("Verify the Google ID token on your server side", Google Identity). The issuer
    /// writes its name with `https://` and without.
    ///
    /// - Parameters:
    ///   - clientIDs: the OAuth clients in whose `aud` a token may be. `azp` is not judged where `aud` is one of them:
    ///     the vendor's own SDKs name the app there and the server in `aud`.
    ///   - hostedDomain: accept only users of this Workspace domain (`hd`). Without it the domain is not looked at.
    ///   - leeway: how far the issuer's clock may be from ours: 0 to 60 s.
    public static func google(
        clientIDs: Set<String>, hostedDomain: String? = nil, leeway: TimeSpan = .seconds(30)
    ) -> TokenProfile {
        let rules = TokenRules(
            issuer: "https://accounts.google.com", alsoSpelled: ["accounts.google.com"],
            audience: .audiences(clientIDs), algorithms: [.rs256], types: [.jwt, .none], kind: .id,
            requiresStatedKind: false,
            leeway: leeway)
        return TokenProfile(
            name: "google", rules: rules, keys: .jwks(url: "https://www.googleapis.com/oauth2/v3/certs")
        ) { (claims, _, _) throws(TokenError) in
            if claims.audience.count > 1 { try claims.requireAuthorizedParty(in: clientIDs) }
            guard hostedDomain == nil || claims["hd"]?.stringValue == hostedDomain else {
                throw TokenError(.wrongAudience, "of another domain (hd)")
            }
        }
    }
}
