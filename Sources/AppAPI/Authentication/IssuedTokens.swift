// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HummingbirdTokenAuth
import ServerKit
import TokenVerifier

/// Judges the tokens that this server itself issued, in whichever dialect: what to accept is looked up by the token's
/// issuer. Hands on the ``OwnIssuer`` with the token, for ``SessionMiddleware``.
struct IssuedTokens: TokenAuthenticating {
    let tokens: OwnTokens
    let issuers: [any OwnIssuers]
    let clock: @Sendable () -> Instant

    func verify(bearer token: Substring) async throws(TokenError) -> VerifiedToken {
        let now = clock()
        do {
            var (token, issuer) = try await tokens.verify(token, at: now) { try await issuers.issuer(of: $0, at: now) }
            token.attachment = issuer
            return token
        } catch let error as TokenError {
            throw error
        } catch {
            throw TokenError(.keysUnavailable, "the store can't be reached")
        }
    }
}
