// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

extension TokenProfile {
    /// Tokens of a user pool of Amazon Cognito ("Verifying JSON Web Tokens", Amazon Cognito Developer Guide).
    ///
    /// Access tokens name their client in `client_id`, ID tokens in `aud`; `token_use` tells them apart, and must be
    /// there. Groups are in `cognito:groups`.
    ///
    /// - Parameters:
    ///   - region: such as `eu-central-1`.
    ///   - userPoolID: such as `eu-central-1_AbCdEf123`.
    ///   - clientIDs: the app clients whose tokens are accepted.
    ///   - kind: ``TokenKind/access`` or ``TokenKind/id``. The service makes no other that a server could verify: a
    ///     profile of another kind accepts nothing.
    ///   - resources: of an access token that is bound to a resource server (it has an `aud`), the identifiers
    ///     accepted.
    ///   - issuer: of a server that speaks this dialect under a name of its own; its keys are below it.
    ///   - leeway: how far the issuer's clock may be from ours: 0 to 60 s.
    public static func cognito(
        region: String, userPoolID: String, clientIDs: Set<String>, kind: TokenKind, resources: Set<String> = [],
        issuer: String? = nil, leeway: TimeSpan = .seconds(30)
    ) -> TokenProfile {
        let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
        let issuer = issuer ?? "https://cognito-idp.\(region).\(domain)/\(userPoolID)"
        let rules = TokenRules(
            issuer: issuer,
            audience: kind == .access ? .clients(clientIDs, audiences: resources) : .audiences(clientIDs),
            algorithms: [.rs256], types: [.none, .jwt], kind: kind, requiresStatedKind: true, leeway: leeway)
        var profile = TokenProfile(
            name: "cognito", rules: rules, keys: .jwks(url: "\(issuer)/.well-known/jwks.json")
        ) { (claims, _, _) throws(TokenError) in
            guard kind == .access || kind == .id, claims["token_use"]?.stringValue == kind.rawValue else {
                throw TokenError(.wrongKind, "token_use is not \(kind.rawValue)")
            }
        }
        profile.groupsClaim = ["cognito:groups"]
        return profile
    }
}
