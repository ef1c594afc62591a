// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// Everything a ``TokenVerifier`` must know of one issuer's tokens of one kind: the rules, where the keys are, and
/// whatever else that issuer promises of its claims.
///
/// Each issuer this library knows has a factory; any other is described with the initialiser or with
/// ``openID(issuer:audiences:algorithms:kind:allowsUntypedAccessTokens:leeway:)``.
public struct TokenProfile: Sendable {
    /// What the profile demands beyond the rules. It sees a token whose signature, issuer, kind, audience and times
    /// have been judged good.
    public typealias ClaimCheck = @Sendable (JWTClaims, JOSEHeader, Instant) throws(TokenError) -> Void

    /// How the `nonce` of a token answers to the one that the client sent (OpenID Connect Core 1.0, section 3.1.2.1).
    public enum NonceRule: Sendable, Hashable {
        /// Character for character.
        case plain
        /// Character for character, or as the lower-case hexadecimal SHA-256 of what the client keeps.
        case plainOrSHA256
    }

    /// For logs, metrics, and to tell profiles apart in a ``VerifiedToken``.
    public let name: String
    /// What a token must be to be believed.
    public let rules: TokenRules
    /// Where the issuer's keys come from.
    public private(set) var keys: KeyLocation
    /// The keys themselves where ``keys`` is ``KeyLocation/fixed(id:)``.
    public private(set) var fixedKeys: VerificationKeySet?
    /// How the `nonce` of a sign-in is compared, where the verifier is given one.
    public let nonceRule: NonceRule
    let check: ClaimCheck

    /// Whether the tokens are made here: see `issuedHere()`.
    private(set) var isIssuedHere = false

    /// Where the names of the user's groups are: a claim, or a path through objects. Never a claim that users write
    /// themselves.
    public var groupsClaim: [String] = ["groups"]
    /// Whether the token's session or user has been revoked meanwhile. Asked at each verification, also of tokens that
    /// a ``VerifiedTokenCache`` remembers; it must answer from memory.
    public var isRevoked: (@Sendable (VerifiedToken) -> Bool)?

    /// - Parameters:
    ///   - name: for logs, metrics, and to tell profiles apart.
    ///   - rules: what a token must be to be believed.
    ///   - keys: where the issuer publishes its keys.
    ///   - nonceRule: how the `nonce` of a sign-in is compared.
    ///   - check: what must hold beyond the rules.
    public init(
        name: String, rules: TokenRules, keys: KeyLocation, nonceRule: NonceRule = .plain,
        check: @escaping ClaimCheck = { (_, _, _) throws(TokenError) in }
    ) {
        self.name = name
        self.rules = rules
        self.keys = keys
        fixedKeys = nil
        self.nonceRule = nonceRule
        self.check = check
    }

    /// With keys given in code.
    public init(
        name: String, rules: TokenRules, keys: VerificationKeySet, nonceRule: NonceRule = .plain,
        check: @escaping ClaimCheck = { (_, _, _) throws(TokenError) in }
    ) {
        self.name = name
        self.rules = rules
        self.keys = .fixed(id: name)
        fixedKeys = keys
        self.nonceRule = nonceRule
        self.check = check
    }

    /// The same demands of tokens whose keys are at hand, as those of the server that makes them are: none are fetched.
    public func withKeys(_ keys: VerificationKeySet) -> TokenProfile {
        var profile = self
        profile.keys = .fixed(id: name)
        profile.fixedKeys = keys
        return profile
    }

    /// For the server that makes the tokens itself. One that was issued in the future was made before the server's
    /// clock was set back: it is judged as at its own time (`iat`), and not refused until the clock is there again.
    public func issuedHere() -> TokenProfile {
        var profile = self
        profile.isIssuedHere = true
        return profile
    }
}
