// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// A token that a ``TokenVerifier`` has judged good. Only a verifier makes one.
///
/// Any claim is read with ``claims``; those that most issuers have, each by its own name, have properties.
public struct VerifiedToken: Sendable {
    /// One reference, so that a token remembered by many tasks is handed out without copying its claims.
    final class Contents: Sendable {
        let header: JOSEHeader
        let claims: JWTClaims

        init(_ header: JOSEHeader, _ claims: JWTClaims) {
            self.header = header
            self.claims = claims
        }
    }

    private let trusted: TrustedProfile
    private let contents: Contents
    /// `exp`, without leeway.
    public let expiresAt: Instant

    init(_ trusted: TrustedProfile, _ contents: Contents, expiresAt: Instant) {
        self.trusted = trusted
        self.contents = contents
        self.expiresAt = expiresAt
    }

    /// The ``TokenProfile/name`` of the profile that accepted it.
    public var profile: String { trusted.profile.name }
    public var kind: TokenKind { trusted.profile.rules.kind }
    public var header: JOSEHeader { contents.header }
    public var claims: JWTClaims { contents.claims }
    var groupsClaim: [String] { trusted.profile.groupsClaim }
}

extension VerifiedToken: CustomStringConvertible, CustomReflectable {
    /// Says nothing about the user.
    public var description: String { "VerifiedToken(\(profile), \(kind.rawValue))" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
