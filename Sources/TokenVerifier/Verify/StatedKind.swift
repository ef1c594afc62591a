// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// What a token says of its own kind, in any of the places where issuers say it. A token that contradicts itself, or
/// the profile, is refused: that is what keeps an ID token from opening an API.
///
/// Only issuers known for it are believed to mean a kind by saying nothing: see ``TokenRules/requiresStatedKind``.
enum StatedKind {
    /// Judges a token against the kind that a profile is about.
    ///
    /// - Throws: ``TokenError/Code/wrongKind``.
    static func check(_ claims: JWTClaims, _ header: JOSEHeader, _ rules: TokenRules) throws(TokenError) {
        // One after the other, and no array of them: this is the hot path.
        var isStated = try self.isStated(type(of: header, rules), rules)
        if claims.mayStateKind {
            if try self.isStated(tokenUse(claims), rules) { isStated = true }
            if try self.isStated(payloadType(claims), rules) { isStated = true }
            if try self.isStated(event(claims), rules) { isStated = true }
            if try self.isStated(accessTokenHash(claims), rules) { isStated = true }
        }
        guard isStated || !rules.requiresStatedKind else {
            throw TokenError(.wrongKind, "the token does not say its kind")
        }
    }

    private static func isStated(_ statement: Statement, _ rules: TokenRules) throws(TokenError) -> Bool {
        switch statement {
        case .silent: return false
        case .is(rules.kind): return true
        case .is, .unknown: throw TokenError(.wrongKind, "a token of another kind")
        }
    }

    private enum Statement {
        case silent
        case `is`(TokenKind)
        case unknown
    }

    /// `typ` of the header. `JWT` says nothing, nor does none; any other names a use of its own, which is that of the
    /// profile when it accepts the name.
    private static func type(of header: JOSEHeader, _ rules: TokenRules) -> Statement {
        switch header.type {
        case nil: return rules.acceptsNoType ? .silent : .unknown
        case "JWT": return rules.acceptsJWT ? .silent : .unknown
        case let name?:
            let type = TokenType(name)
            guard !type.name.isEmpty, rules.types.contains(type) else { return .unknown }
            switch type {
            case .jwt: return .silent
            case .accessToken: return .is(.access)
            case .logoutToken: return .is(.logout)
            default: return .is(rules.kind)
            }
        }
    }

    private static func tokenUse(_ claims: JWTClaims) -> Statement {
        switch claims["token_use"] {
        case nil: .silent
        case .string("access"): .is(.access)
        case .string("id"): .is(.id)
        case .string("refresh"): .is(.refresh)
        default: .unknown
        }
    }

    /// `typ` among the claims. It has no standard, so that an unknown word says nothing.
    private static func payloadType(_ claims: JWTClaims) -> Statement {
        switch claims["typ"] {
        case .string("Bearer"): .is(.access)
        case .string("ID"): .is(.id)
        case .string("Refresh"), .string("Offline"): .is(.refresh)
        case .string("Logout"): .is(.logout)
        default: .silent
        }
    }

    /// `events` is what makes a JWT a security event (RFC 8417, section 2.2), such as a logout.
    private static func event(_ claims: JWTClaims) -> Statement { claims["events"] == nil ? .silent : .is(.logout) }

    /// Only an ID token holds the hash of the access token or the code that came with it.
    private static func accessTokenHash(_ claims: JWTClaims) -> Statement {
        claims["at_hash"] == nil && claims["c_hash"] == nil ? .silent : .is(.id)
    }
}
