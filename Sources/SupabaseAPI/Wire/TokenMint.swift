// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE

/// Signs this dialect's access tokens with the Directory's key.
struct TokenMint: Sendable {
    let keys: KeyRing
    let customize: CustomizeToken

    func accessToken(
        for issued: IssuedSession, issuer: String, call: CallContext
    ) async throws -> Secret<String> {
        let (directory, now) = (call.directory, call.now)
        let own = AccessTokenClaims.encode(issued, issuer: issuer, in: directory, at: now)
        let claims = try await customize([own], of: issued, call: call).first ?? own
        let key = try await keys.signingKey(.tokens, of: directory, at: now)
        return Secret(try JWS.sign(claims.serialized(), type: "JWT", with: key))
    }
}
