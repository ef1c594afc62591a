// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

extension TokenProfile {
    /// ID tokens of Firebase Authentication ("Verify ID Tokens", Firebase documentation). A backend of such a project
    /// takes them where another takes an access token.
    ///
    /// RS256 with a `kid`, `aud` the project, `sub` of 1 to 128 characters, `auth_time` in the past. The unsigned
    /// tokens of the vendor's emulator are never accepted.
    ///
    /// - Parameters:
    ///   - projectID: such as `my-project`: what the tokens are for.
    ///   - leeway: how far the issuer's clock may be from ours: 0 to 60 s.
    ///   - isRevoked: whether the user is disabled, or the token older than the instant from which the user's tokens
    ///     are valid: both `iat` and `auth_time` must not be before it.
    public static func firebase(
        projectID: String, leeway: TimeSpan = .seconds(30), isRevoked: (@Sendable (VerifiedToken) -> Bool)? = nil
    ) -> TokenProfile {
        let keys = "https://www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"
        let rules = firebaseRules("https://securetoken.google.com/\(projectID)", projectID, .id, leeway)
        return firebase(name: "firebase", rules, keys, isRevoked)
    }

    /// Session cookies of Firebase Authentication ("Manage Session Cookies", Firebase documentation): as the ID token
    /// that each was made from, but of an issuer and with keys of their own.
    public static func firebaseSessionCookie(
        projectID: String, leeway: TimeSpan = .seconds(30), isRevoked: (@Sendable (VerifiedToken) -> Bool)? = nil
    ) -> TokenProfile {
        let keys = "https://www.googleapis.com/identitytoolkit/v3/relyingparty/publicKeys"
        let rules = firebaseRules("https://session.firebase.google.com/\(projectID)", projectID, .session, leeway)
        return firebase(name: "firebase-session", rules, keys, isRevoked)
    }

    private static func firebaseRules(
        _ issuer: String, _ projectID: String, _ kind: TokenKind, _ leeway: TimeSpan
    ) -> TokenRules {
        TokenRules(
            issuer: issuer, audience: .audiences([projectID]), algorithms: [.rs256], types: [.jwt, .none],
            kind: kind, requiresStatedKind: false, leeway: leeway)
    }

    private static func firebase(
        name: String, _ rules: TokenRules, _ keys: String, _ isRevoked: (@Sendable (VerifiedToken) -> Bool)?
    ) -> TokenProfile {
        var profile = TokenProfile(
            name: name, rules: rules, keys: .certificates(url: keys)
        ) { (claims, header, now) throws(TokenError) in
            guard header.keyID != nil else { throw TokenError(.malformed, "no kid") }
            guard claims.audience.count == 1 else { throw TokenError(.wrongAudience, "more than one aud") }
            try claims.requireSubject(limit: 128)
            try claims.requirePast("auth_time", now: now, leeway: rules.leeway)
        }
        profile.isRevoked = isRevoked
        return profile
    }
}
