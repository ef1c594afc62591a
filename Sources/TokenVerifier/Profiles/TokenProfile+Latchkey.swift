// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

extension TokenProfile {
    /// Access tokens of a Latchkey server.
    ///
    /// - Parameters:
    ///   - url: the issuer of the Directory: the server's public URL and the dialect's prefix, as its tokens name it.
    ///     The keys are at `{url}/.well-known/jwks.json`.
    ///   - audiences: those of the Directory's setting `audience` that the caller answers to.
    ///   - algorithms: those that the Directory's keys are for.
    ///   - leeway: how far the issuer's clock may be from ours: 0 to 60 s.
    public static func latchkey(
        url: String, audiences: Set<String>, algorithms: Set<JWSAlgorithm> = [.es256, .rs256, .edDSA],
        leeway: TimeSpan = .seconds(30)
    ) -> TokenProfile {
        latchkey(
            rules: latchkeyRules(url, audiences, algorithms, leeway),
            keys: .jwks(url: "\(url.withoutTrailingSlash)/.well-known/jwks.json"))
    }

    /// Access tokens of a Latchkey server whose keys the caller has: the server itself, or one beside it that shares a
    /// secret.
    public static func latchkey(
        url: String, audiences: Set<String>, keys: VerificationKeySet, algorithms: Set<JWSAlgorithm>,
        leeway: TimeSpan = .seconds(30)
    ) -> TokenProfile {
        var profile = TokenProfile(
            name: "latchkey", rules: latchkeyRules(url, audiences, algorithms, leeway), keys: keys, check: latchkeyCheck
        )
        profile.groupsClaim = ["app_metadata", "groups"]
        return profile
    }

    private static func latchkey(rules: TokenRules, keys: KeyLocation) -> TokenProfile {
        var profile = TokenProfile(name: "latchkey", rules: rules, keys: keys, check: latchkeyCheck)
        profile.groupsClaim = ["app_metadata", "groups"]
        return profile
    }

    private static func latchkeyRules(
        _ url: String, _ audiences: Set<String>, _ algorithms: Set<JWSAlgorithm>, _ leeway: TimeSpan
    ) -> TokenRules {
        TokenRules(
            issuer: url, audience: .audiences(audiences), algorithms: algorithms,
            types: [.jwt, .accessToken], kind: .access, requiresStatedKind: false, leeway: leeway)
    }

    /// Every one is of a session, so that it can be revoked with it.
    private static let latchkeyCheck: ClaimCheck = { (claims, _, _) throws(TokenError) in
        guard claims["session_id"] != nil else { throw TokenError(.wrongKind, "not a user's access token") }
        _ = try claims.text("session_id")
    }
}
