// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

extension TokenProfile {
    /// ID tokens of Sign in with Apple ("Verifying a user", Apple Developer Documentation).
    ///
    /// The `nonce` may be the one given to ``TokenVerifier/verify(_:nonce:)`` or its SHA-256 in lower-case hexadecimal:
    /// an app sends the digest and keeps the nonce itself.
    ///
    /// - Parameters:
    ///   - clientIDs: bundle IDs of apps, and services IDs of web sites.
    ///   - leeway: how far the issuer's clock may be from ours: 0 to 60 s.
    public static func apple(clientIDs: Set<String>, leeway: TimeSpan = .seconds(30)) -> TokenProfile {
        let rules = TokenRules(
            issuer: "https://appleid.apple.com", audience: .audiences(clientIDs), algorithms: [.rs256],
            types: [.none, .jwt], kind: .id, requiresStatedKind: false, leeway: leeway)
        return TokenProfile(
            name: "apple", rules: rules, keys: .jwks(url: "https://appleid.apple.com/auth/keys"),
            nonceRule: .plainOrSHA256
        ) { (claims, _, _) throws(TokenError) in
            guard claims.audience.count == 1 else { throw TokenError(.wrongAudience, "more than one aud") }
        }
    }
}
