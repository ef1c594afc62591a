// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import HummingbirdTokenAuth
import JOSE
import TokenVerifier

/// Judges the tokens that this server itself issued, in whichever dialect. Directories and their keys come and go, so
/// what to accept is looked up by the token's issuer, and a token judged good is remembered.
struct IssuedTokens: TokenAuthenticating {
    let issuers: any TrustedIssuers
    let clock: @Sendable () -> Instant
    private let verified = VerifiedTokens()

    init(_ issuers: any TrustedIssuers, clock: @escaping @Sendable () -> Instant) {
        self.issuers = issuers
        self.clock = clock
    }

    func verify(bearer token: Substring) async throws(TokenError) -> VerifiedToken {
        let now = clock()
        guard token.utf8.count <= ParsedJWS.defaultLimit else { throw TokenError(.malformed, "too long") }
        // A part of a string is copied byte by byte unless it is asked for its storage.
        let bytes = token.utf8.withContiguousStorageIfAvailable { Array($0) } ?? Array(token.utf8)
        let digest: VerifiedTokens.Key = SHA256.hash(data: bytes)
        if let known = verified.token(for: digest, at: now) { return known }
        // The issuer is read before the signature is judged, only to find the keys that must have signed.
        guard let parsed = try? ParsedJWS(parsing: bytes), let claims = try? JWTClaims(parsing: parsed.payload) else {
            throw TokenError(.malformed)
        }
        guard let profiles = try await profiles(for: claims, at: now) else { throw TokenError(.unknownIssuer) }
        let good = try TokenVerifier(profiles, clock: { now }).verify(bytes)
        verified.insert(good, for: digest, at: now)
        return good
    }

    private func profiles(for claims: JWTClaims, at now: Instant) async throws(TokenError) -> [TokenProfile]? {
        do {
            return try await issuers.issuer(of: claims, at: now)?.profiles()
        } catch {
            throw TokenError(.keysUnavailable, "the store can't be reached")
        }
    }
}
