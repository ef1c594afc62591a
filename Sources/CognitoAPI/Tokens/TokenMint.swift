// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE

/// Signs this dialect's tokens with the Directory's RS256 key. Their header has no `typ`, as the service's have none.
struct TokenMint: Sendable {
    let keys: KeyRing
    let random: any RandomSource

    struct Tokens: Sendable {
        var access: Secret<String>
        var id: Secret<String>
    }

    func tokens(
        for issued: IssuedSession, issuer: String, client: Client, in directory: Directory, at now: Instant
    ) async throws -> Tokens {
        let key = try await keys.signingKey(.compatibility, of: directory, at: now)
        let claims = TokenClaims(
            issued: issued, issuer: issuer, client: client, pool: PoolSettings(directory.settings),
            eventID: random.uuid(), issuedAt: now)
        return Tokens(
            access: Secret(try JWS.sign(claims.access(tokenID: random.uuid()), type: nil, with: key)),
            id: Secret(try JWS.sign(claims.id(tokenID: random.uuid()), type: nil, with: key)))
    }
}
