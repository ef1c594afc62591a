// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE

/// Signs this dialect's access tokens with the Directory's key.
struct TokenMint: Sendable {
    let keys: KeyRing

    func accessToken(
        for issued: IssuedSession, issuer: String, in directory: Directory, at now: Instant
    ) async throws -> Secret<String> {
        let claims = AccessTokenClaims.encode(issued, issuer: issuer, in: directory, at: now)
        let key = try await keys.signingKey(.tokens, of: directory, at: now)
        return Secret(try JWS.sign(claims.serialized(), type: "JWT", with: key))
    }
}
