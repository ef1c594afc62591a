// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// What a token of one issuer must be to be believed. Nothing in it has a default but the leeway: a verifier that
/// forgets the audience does not compile.
///
/// `exp` and `iat` are required of every token, and `nbf` is honoured where it is given. So is `sub`, of 1 to 255
/// characters, of every kind but ``TokenKind/logout``: a token without it is nobody's.
public struct TokenRules: Sendable {
    /// The exact values of `iss`: never a prefix, never a pattern.
    public let issuers: Set<String>
    /// Whom the token must be for.
    public let audience: AudienceRule
    /// Those of `JWSAlgorithm.allKnown` that the issuer signs with; the key narrows them further.
    public let algorithms: Set<JWSAlgorithm>
    /// Those that a token's header may name: all others are refused, whatever the token says besides.
    public let types: Set<TokenType>
    /// What the token must be: an access token, an ID token, a logout token.
    public let kind: TokenKind
    /// Whether a token must say of itself, by `typ` or a claim, that it is of ``kind``. Without it a token that says
    /// nothing is believed to be; one that says it is of another kind never is.
    public let requiresStatedKind: Bool
    /// How far the issuer's clock may be from ours: 0 to 60 s.
    public let leeway: TimeSpan
    /// The two that most tokens have, laid out for the comparison with each.
    let acceptsNoType: Bool
    let acceptsJWT: Bool

    /// - Parameters:
    ///   - issuer: the exact value of `iss`.
    ///   - spellings: other values that the same issuer writes.
    ///   - audience: whom the token must be for.
    ///   - algorithms: what the issuer signs with.
    ///   - types: the values of the header's `typ` that are accepted (RFC 8725, section 3.11).
    ///   - kind: what the token must be.
    ///   - requiresStatedKind: whether the token must say of itself that it is.
    ///   - leeway: brought between 0 and 60 s.
    public init(
        issuer: String, alsoSpelled spellings: Set<String> = [], audience: AudienceRule,
        algorithms: Set<JWSAlgorithm>, types: Set<TokenType>, kind: TokenKind, requiresStatedKind: Bool,
        leeway: TimeSpan = .seconds(30)
    ) {
        issuers = spellings.union([issuer])
        self.audience = audience
        self.algorithms = algorithms
        self.types = types
        acceptsNoType = types.contains(.none)
        acceptsJWT = types.contains(.jwt)
        self.kind = kind
        self.requiresStatedKind = requiresStatedKind
        self.leeway = min(max(leeway, .zero), .seconds(60))
    }
}
