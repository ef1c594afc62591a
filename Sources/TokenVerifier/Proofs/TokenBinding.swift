// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// Who may use a token, by its `cnf` (RFC 7800, section 3.1).
public enum TokenBinding: Sendable, Hashable {
    /// Whoever has it (RFC 6750).
    case bearer
    /// Whoever proves to have the key of this thumbprint (`jkt`; RFC 9449, section 6.1).
    case key(String)
    /// Whoever proves something that this library knows nothing of, such as a certificate (RFC 8705).
    case unknown

    init(_ claims: JWTClaims) {
        guard let confirmation = claims["cnf"] else {
            self = .bearer
            return
        }
        let members = confirmation.objectValue
        guard let thumbprint = members?["jkt"]?.stringValue, members?.count == 1 else {
            self = .unknown
            return
        }
        self = .key(thumbprint)
    }

    /// Refuses a token that was not shown in the way that it is bound (RFC 9449, section 7.1): a bound one without a
    /// proof of its key, and one that is bound to none by a proof.
    ///
    /// - Parameter thumbprint: of the key that the request proved to have; `nil` where the token came as `Bearer`.
    /// - Throws: ``TokenError/Code/wrongBinding``.
    public func require(_ thumbprint: String?) throws(TokenError) {
        switch (self, thumbprint) {
        case (.bearer, nil): return
        case (.key(let own), let shown?) where own == shown: return
        case (.key, nil): throw TokenError(.wrongBinding, "bound to a key, and no proof of it")
        case (.key, _): throw TokenError(.wrongBinding, "bound to another key than the proof's")
        case (.bearer, _): throw TokenError(.wrongBinding, "a proof, and a token that is bound to no key")
        case (.unknown, _): throw TokenError(.wrongBinding, "bound in a way that is not known")
        }
    }
}
