// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

extension TokenProfile {
    /// Access tokens of a Supabase project that signs with a key pair ("JWT Signing Keys", Supabase documentation).
    ///
    /// Each has a `sub`, a `session_id`, an `aal` and the `role` of a user: the project's own keys, whose role is
    /// `anon` or `service_role`, are no user's and are refused.
    ///
    /// - Parameters:
    ///   - projectURL: such as `https://abcdefgh.supabase.co`, or the URL of a self-hosted gateway.
    ///   - audiences: what `aud` may be.
    ///   - issuer: where it is not `{projectURL}/auth/v1`.
    ///   - leeway: how far the issuer's clock may be from ours: 0 to 60 s.
    public static func supabase(
        projectURL: String, audiences: Set<String> = ["authenticated"], issuer: String? = nil,
        leeway: TimeSpan = .seconds(30)
    ) -> TokenProfile {
        let base = "\(projectURL.withoutTrailingSlash)/auth/v1"
        let rules = supabaseRules(issuer ?? base, audiences, [.es256, .rs256, .edDSA], leeway)
        return withAppMetadataGroups(
            TokenProfile(
                name: "supabase", rules: rules, keys: .jwks(url: "\(base)/.well-known/jwks.json"), check: supabaseCheck)
        )
    }

    /// Access tokens of a Supabase project that signs with its shared secret (HS256). Whoever can verify them can make
    /// them: prefer a key pair.
    ///
    /// - Parameters:
    ///   - projectURL: such as `https://abcdefgh.supabase.co`, or the URL of a self-hosted gateway.
    ///   - sharedSecret: its bytes as they are written: at least 32.
    ///   - keyID: the `kid` that the project's tokens name; a token without any is accepted beside it.
    ///   - audiences: what `aud` may be.
    ///   - issuer: where it is not `{projectURL}/auth/v1`.
    ///   - leeway: how far the issuer's clock may be from ours: 0 to 60 s.
    /// - Throws: `JOSEError` with `keyTooWeak`.
    public static func supabase(
        projectURL: String, sharedSecret: Secret<[UInt8]>, keyID: String? = nil,
        audiences: Set<String> = ["authenticated"], issuer: String? = nil, leeway: TimeSpan = .seconds(30)
    ) throws(JOSEError) -> TokenProfile {
        var keys = [try VerificationKey(secret: sharedSecret, algorithm: .hs256)]
        if let keyID { keys.append(try VerificationKey(secret: sharedSecret, algorithm: .hs256, keyID: keyID)) }
        let issuer = issuer ?? "\(projectURL.withoutTrailingSlash)/auth/v1"
        return withAppMetadataGroups(
            TokenProfile(
                name: "supabase", rules: supabaseRules(issuer, audiences, [.hs256], leeway),
                keys: try VerificationKeySet(keys), check: supabaseCheck))
    }

    private static func supabaseRules(
        _ issuer: String, _ audiences: Set<String>, _ algorithms: Set<JWSAlgorithm>, _ leeway: TimeSpan
    ) -> TokenRules {
        TokenRules(
            issuer: issuer, audience: .audiences(audiences), algorithms: algorithms,
            types: [.jwt, .none, .accessToken], kind: .access, requiresStatedKind: false, leeway: leeway)
    }

    private static func withAppMetadataGroups(_ profile: TokenProfile) -> TokenProfile {
        var profile = profile
        // Users write `user_metadata` themselves; `app_metadata` only the server does.
        profile.groupsClaim = ["app_metadata", "groups"]
        return profile
    }

    private static let supabaseCheck: ClaimCheck = { (claims, _, _) throws(TokenError) in
        let role = try claims.text("role")
        guard role != "anon", role != "service_role", claims["session_id"] != nil else {
            throw TokenError(.wrongKind, "not a user's access token")
        }
        _ = try claims.text("session_id")
        guard ["aal1", "aal2", "aal3"].contains(try claims.text("aal")) else {
            throw TokenError(.malformed, "an unknown aal")
        }
    }
}
