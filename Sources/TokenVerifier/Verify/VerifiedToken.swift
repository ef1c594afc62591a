// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// A token that a ``TokenVerifier`` has judged good. Only a verifier makes one.
///
/// Any claim is read with ``claims``; those that most issuers have, each by its own name, have properties.
public struct VerifiedToken: Sendable {
    /// One reference, so that a token remembered by many tasks is handed out without copying its claims.
    private final class Contents: Sendable {
        let profile: String
        let kind: TokenKind
        let header: JOSEHeader
        let claims: JWTClaims
        let expiresAt: Instant
        let groupsClaim: [String]

        init(
            profile: String, kind: TokenKind, header: JOSEHeader, claims: JWTClaims, expiresAt: Instant,
            groupsClaim: [String]
        ) {
            self.profile = profile
            self.kind = kind
            self.header = header
            self.claims = claims
            self.expiresAt = expiresAt
            self.groupsClaim = groupsClaim
        }
    }

    private let contents: Contents

    init(_ profile: TokenProfile, header: JOSEHeader, claims: JWTClaims, expiresAt: Instant) {
        contents = Contents(
            profile: profile.name, kind: profile.rules.kind, header: header, claims: claims, expiresAt: expiresAt,
            groupsClaim: profile.groupsClaim)
    }

    /// The ``TokenProfile/name`` of the profile that accepted it.
    public var profile: String { contents.profile }
    public var kind: TokenKind { contents.kind }
    public var header: JOSEHeader { contents.header }
    public var claims: JWTClaims { contents.claims }
    /// `exp`, without leeway.
    public var expiresAt: Instant { contents.expiresAt }
    var groupsClaim: [String] { contents.groupsClaim }
}

extension VerifiedToken: CustomStringConvertible, CustomReflectable {
    /// Says nothing about the user.
    public var description: String { "VerifiedToken(\(profile), \(kind.rawValue))" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
