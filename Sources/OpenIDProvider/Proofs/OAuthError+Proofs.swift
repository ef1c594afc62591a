// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import ServerKit
import TokenVerifier

extension OAuthError {
    /// RFC 9449, section 5.
    static func invalidProof(_ description: String) -> Self { Self(.badRequest, "invalid_dpop_proof", description) }

    /// RFC 9449, section 8.
    static func nonceNeeded(_ nonce: String) -> Self {
        var error = Self(.badRequest, "use_dpop_nonce", "The proof needs the nonce of this answer")
        error.nonce = nonce
        return error
    }

    /// By what an access token is to come.
    enum TokenScheme {
        case bearer
        case proof

        var challenge: String {
            switch self {
            case .bearer: #"Bearer realm="latchkey""#
            case .proof: #"DPoP realm="latchkey", algs="\#(Self.algorithms)""#
            }
        }

        private static let algorithms = DPoPProof.algorithms.map(\.rawValue).joined(separator: " ")
    }

    /// The same where an access token is shown (RFC 9449, sections 7.1 and 9): `401` with a challenge.
    var challenged: Self {
        var error = self
        error.status = .unauthorized
        error.challenge =
            TokenScheme.proof.challenge + #", error="\#(code)", error_description="\#(description)""#
        return error
    }

    /// The same of a token that came by a proof: the next is to come so, too.
    var byProof: Self {
        guard let challenge, challenge.hasPrefix(TokenScheme.bearer.challenge) else { return self }
        var error = self
        error.challenge = TokenScheme.proof.challenge + challenge.dropFirst(TokenScheme.bearer.challenge.count)
        return error
    }

    static func invalidToken(challenge scheme: TokenScheme, _ description: String) -> Self {
        var error = Self(.unauthorized, "invalid_token", description)
        error.challenge = scheme.challenge + #", error="invalid_token", error_description="\#(error.description)""#
        return error
    }
}
