// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// A token that a ``TokenVerifier`` has judged good. Only a verifier makes one.
///
/// Any claim is read with ``claims``; those that most issuers have, each by its own name, have properties.
public struct VerifiedToken: Sendable {
    private let trusted: TrustedProfile
    /// The protected header, vouched for by the signature.
    public let header: JOSEHeader
    /// What the issuer says, as it says it.
    public let claims: JWTClaims
    /// `exp`, without leeway.
    public let expiresAt: Instant
    /// Whose the token is to use. A token that is bound is worth nothing without a proof (``DPoPProof``): a verifier does not
    /// see the request that it came by, so that this is for whoever does.
    public let binding: TokenBinding
    /// What an application that judges tokens itself found out with it and needs again behind its middleware, say which
    /// tenant the issuer is. Nothing here reads it, and no cache keeps it.
    public var attachment: (any Sendable)?

    init(_ trusted: TrustedProfile, _ header: JOSEHeader, _ claims: JWTClaims, expiresAt: Instant) {
        self.trusted = trusted
        self.header = header
        self.claims = claims
        binding = TokenBinding(claims)
        self.expiresAt = expiresAt
    }

    /// The ``TokenProfile/name`` of the profile that accepted it.
    public var profile: String { trusted.profile.name }
    /// What it is: see ``TokenRules/kind``.
    public var kind: TokenKind { trusted.profile.rules.kind }
    var groupsClaim: [String] { trusted.profile.groupsClaim }
}

extension VerifiedToken: CustomStringConvertible, CustomReflectable {
    /// Says nothing about the user.
    public var description: String { "VerifiedToken(\(profile), \(kind.rawValue))" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
