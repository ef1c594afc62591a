// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// A token that a ``TokenVerifier`` has judged good. Only a verifier makes one.
///
/// Any claim is read with ``claims``; those that most issuers have, each by its own name, have properties.
public struct VerifiedToken: Sendable {
    /// One object: a request hands its token through all that it does, and a copy of what is known of it would cost
    /// more than to judge it from memory.
    private let judged: Judged
    private var attached: Attached?

    /// - Parameters:
    ///   - profile: the name of the profile that the token was judged by.
    ///   - groups: where that profile's tokens name groups.
    init(
        _ header: JOSEHeader, _ claims: JWTClaims, expiresAt: Instant, profile: String, kind: TokenKind,
        groups: [String]
    ) {
        judged = Judged(header, claims, expiresAt: expiresAt, profile: profile, kind: kind, groups: groups)
    }

    /// The protected header, vouched for by the signature.
    public var header: JOSEHeader { judged.header }
    /// What the issuer says, as it says it.
    public var claims: JWTClaims { judged.claims }
    /// `exp`, without leeway.
    public var expiresAt: Instant { judged.expiresAt }
    /// Whose the token is to use. A token that is bound is worth nothing without a proof (``DPoPProof``): a verifier
    /// does not see the request that it came by, so that this is for whoever does.
    public var binding: TokenBinding { judged.binding }
    /// What an application that judges tokens itself found out with it and needs again behind its middleware, say which
    /// tenant the issuer is. Nothing here reads it, and no cache keeps it.
    public var attachment: (any Sendable)? {
        get { attached?.value }
        set { attached = newValue.map { Attached($0) } }
    }

    /// The ``TokenProfile/name`` of the profile that accepted it.
    public var profile: String { judged.profile }
    /// What it is: see ``TokenRules/kind``.
    public var kind: TokenKind { judged.kind }
    var groupsClaim: [String] { judged.groups }

    private final class Judged: Sendable {
        let header: JOSEHeader
        let claims: JWTClaims
        let expiresAt: Instant
        let binding: TokenBinding
        let profile: String
        let kind: TokenKind
        let groups: [String]

        init(
            _ header: JOSEHeader, _ claims: JWTClaims, expiresAt: Instant, profile: String, kind: TokenKind,
            groups: [String]
        ) {
            self.header = header
            self.claims = claims
            self.expiresAt = expiresAt
            binding = TokenBinding(claims)
            self.profile = profile
            self.kind = kind
            self.groups = groups
        }
    }

    private final class Attached: Sendable {
        let value: any Sendable

        init(_ value: any Sendable) {
            self.value = value
        }
    }
}

extension VerifiedToken: CustomStringConvertible, CustomReflectable {
    /// Says nothing about the user.
    public var description: String { "VerifiedToken(\(profile), \(kind.rawValue))" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
