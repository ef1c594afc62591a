// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto
import JOSE

/// What an ID token must be besides its issuer's, unexpired and for us: the answer to what we, or an app, have asked.
struct IDTokenExpectations: Sendable {
    /// How its `nonce` is judged.
    enum Nonce: Sendable, Hashable {
        /// We have sent it, so it comes back as it is.
        case sent(String)
        /// An app has sent it, in this form, and gives us what it has kept.
        case kept(String, UpstreamIDToken.NonceForm)
        /// Nobody has sent one.
        case absent
        /// The operator has said that this provider's SDK can't be given one.
        case ignored
    }

    var nonce: Nonce
    /// The access token that came with it.
    var accessToken: Secret<String>?

    /// - Throws: `AuthErrorCode.identityTokenInvalid`.
    func check(_ claims: JWTClaims, _ header: JOSEHeader, mayLackNonce: Bool = false) throws(AuthError) {
        try check(nonce: claims["nonce"], mayLackNonce: mayLackNonce && Self.isFalse(claims["nonce_supported"]))
        guard let hash = claims["at_hash"], let accessToken else { return }
        guard AccessTokenHash.matches(hash, accessToken, signedWith: header.algorithm) else {
            throw AuthError(.identityTokenInvalid, reason: "at_hash is not that of the access token")
        }
    }

    private func check(nonce claim: JSONValue?, mayLackNonce: Bool) throws(AuthError) {
        let isGood: Bool
        switch nonce {
        case .ignored: isGood = true
        case .absent: isGood = claim == nil
        case .sent(let wanted): isGood = Self.equal(claim, wanted)
        case .kept(let kept, let form):
            let digest = Hex.encode(SHA256.hash(data: Array(kept.utf8)))
            isGood =
                (form != .hashed && Self.equal(claim, kept)) || (form != .plain && Self.equal(claim, digest))
                || (claim == nil && mayLackNonce)
        }
        guard isGood else {
            throw AuthError(.identityTokenInvalid, reason: "of another sign-in: not its nonce", field: "nonce")
        }
    }

    private static func equal(_ claim: JSONValue?, _ wanted: String) -> Bool {
        guard let given = claim?.stringValue, !wanted.isEmpty else { return false }
        return constantTimeEqual(Array(given.utf8), Array(wanted.utf8))
    }

    private static func isFalse(_ claim: JSONValue?) -> Bool { claim == .bool(false) || claim == .string("false") }
}
