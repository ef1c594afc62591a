// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Why a token was refused. Two errors are equal when their codes are; the reason is for the operator's log, and quotes
/// nothing of the token.
public struct TokenError: Error, Sendable {
    /// Stable names: they may be counted, and sent to a client.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Not a signed JWT in compact form, or one that lacks a claim every token must have, or holds one of another
        /// type.
        case malformed
        /// No profile is about the token's `iss`, or it has none.
        case unknownIssuer = "unknown_issuer"
        /// The issuer's keys are known, and the token's `kid` is not among them.
        case unknownKey = "unknown_key"
        /// The token's `alg` is not one that the profile and the key allow.
        case wrongAlgorithm = "wrong_algorithm"
        /// The signature is not that of the issuer's key over these bytes.
        case badSignature = "bad_signature"
        /// Good once; its `exp` has passed.
        case expired
        /// Its `nbf`, `iat` or `auth_time` lies ahead.
        case notYetValid = "not_yet_valid"
        /// Made for another audience, client, domain or sign-in (`aud`, `client_id`, `azp`, `hd`, `nonce`).
        case wrongAudience = "wrong_audience"
        /// An ID token where an access token is wanted, a logout token, a key of the service itself, and so on.
        case wrongKind = "wrong_kind"
        /// Bound to a key (`cnf`) that the request did not prove to have, or shown by a proof and bound to none.
        case wrongBinding = "wrong_binding"
        /// Its session or its user has been revoked.
        case revoked
        /// The issuer's keys could not be had, so that nothing can be said about the token. The one code that is not
        /// the token's fault: a server answers `503`, with ``TokenError/retryAfter``.
        case keysUnavailable = "keys_unavailable"
    }

    /// What was wrong: all that two errors are compared by.
    public let code: Code
    /// More for the operator's log; quotes nothing of the token.
    public let reason: String?
    /// With ``Code/keysUnavailable``: how long until another attempt is worthwhile.
    public let retryAfter: TimeSpan?

    /// - Parameters:
    ///   - code: what was wrong.
    ///   - reason: more for the operator's log; must quote nothing of the token.
    ///   - retryAfter: with ``Code/keysUnavailable``, how long until another attempt is worthwhile.
    public init(_ code: Code, _ reason: String? = nil, retryAfter: TimeSpan? = nil) {
        self.code = code
        self.reason = reason
        self.retryAfter = retryAfter
    }
}

extension TokenError: Hashable {
    public static func == (lhs: TokenError, rhs: TokenError) -> Bool { lhs.code == rhs.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension TokenError: CustomStringConvertible {
    public var description: String { reason.map { "\(code.rawValue): \($0)" } ?? code.rawValue }
}
