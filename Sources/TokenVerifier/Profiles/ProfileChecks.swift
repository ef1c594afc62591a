// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// What several profiles demand of a claim.
extension JWTClaims {
    /// The claim as a string that is not empty.
    ///
    /// - Throws: ``TokenError/Code/malformed``.
    func text(_ name: String) throws(TokenError) -> String {
        guard let text = self[name]?.stringValue, !text.isEmpty else {
            throw TokenError(.malformed, "no \(name), or not a string")
        }
        return text
    }

    /// Demands a claim that is a time in the past, in seconds since 1970, as `auth_time` is.
    ///
    /// - Throws: ``TokenError/Code/malformed`` when it is missing or no time, ``TokenError/Code/notYetValid``.
    func requirePast(_ name: String, now: Instant, leeway: TimeSpan) throws(TokenError) {
        let seconds: Int64
        switch self[name] {
        case .integer(let whole) where (0...253_402_300_799).contains(whole): seconds = whole
        case .number(let number) where (0...253_402_300_799).contains(number): seconds = Int64(number)
        default: throw TokenError(.malformed, "no \(name), or not a time")
        }
        guard Instant(seconds: seconds) <= now + leeway else { throw TokenError(.notYetValid, "\(name) lies ahead") }
    }

    /// Demands a `sub` of 1 to `limit` characters.
    ///
    /// - Throws: ``TokenError/Code/malformed``.
    func requireSubject(limit: Int = 255) throws(TokenError) {
        guard hasSubject(upTo: limit) else {
            throw TokenError(.malformed, "no sub, or one of a wrong length")
        }
    }

    /// What an ID token's `azp` must be (OpenID Connect Core 1.0, section 3.1.3.7): one of the clients where it is
    /// given, and given where the token has several audiences.
    ///
    /// - Throws: ``TokenError/Code/wrongAudience``.
    func requireAuthorizedParty(in clients: Set<String>) throws(TokenError) {
        guard self["azp"] != nil || audience.count > 1 else { return }
        guard let party = self["azp"]?.stringValue, clients.contains(party) else {
            throw TokenError(.wrongAudience, "azp is none of the clients")
        }
    }
}

extension String {
    /// Without the slashes at its end.
    var withoutTrailingSlash: String {
        var text = self[...]
        while text.last == "/" { text.removeLast() }
        return String(text)
    }
}
