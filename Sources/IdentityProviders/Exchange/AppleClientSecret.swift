// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto
import JOSE

/// What Apple takes for a client's secret: a token signed with the team's key, here for one call ("Creating a client
/// secret", Apple Developer Documentation).
enum AppleClientSecret {
    /// How long it is good; up to six months would be taken.
    static let life = TimeSpan.minutes(5)

    /// - Throws: `AuthErrorCode.identityProviderDisabled` where the provider lacks team, key or its identifier, the key
    ///   is not one on P-256 in PEM, or the secret was signed beforehand and is over.
    static func make(for provider: IdentityProvider, clientID: String, now: Instant) throws(AuthError) -> String {
        if provider.appleTeamID == nil, let secret = provider.secret, let claims = claims(signedBeforehand: secret) {
            guard claims.subject == clientID else { throw misconfigured("the secret was signed for another client") }
            guard let end = claims.expiresAt, now < end else { throw misconfigured("the secret has expired") }
            return secret.reveal()
        }
        guard let team = provider.appleTeamID, let keyID = provider.appleKeyID, let secret = provider.secret else {
            throw misconfigured("no team, no key or no identifier of it")
        }
        let key: SigningKey
        do {
            key = try signingKey(secret, keyID)
        } catch {
            throw misconfigured("the key is not one on P-256 in PEM")
        }
        let claims: JSONObject = [
            "iss": .string(team), "iat": .integer(now.seconds), "exp": .integer((now + life).seconds),
            "aud": "https://appleid.apple.com", "sub": .string(clientID),
        ]
        do {
            return try JWS.sign(claims, with: key)
        } catch {
            throw misconfigured("the key does not sign")
        }
    }

    /// A secret that its operator has signed, for half a year at most: what programs have that were never given the
    /// key. `nil` for a key.
    private static func claims(signedBeforehand secret: Secret<String>) -> JWTClaims? {
        guard let parsed = try? ParsedJWS(parsing: secret.reveal().utf8) else { return nil }
        return try? JWTClaims(parsing: parsed.payload)
    }

    private static func signingKey(_ pem: Secret<String>, _ keyID: String) throws -> SigningKey {
        let key = try P256.Signing.PrivateKey(pemRepresentation: pem.reveal())
        let point = key.publicKey.rawRepresentation
        let members: JSONObject = [
            "kty": "EC", "crv": "P-256", "kid": .string(keyID), "alg": "ES256",
            "x": .string(Base64URL.encode(point.prefix(32))), "y": .string(Base64URL.encode(point.suffix(32))),
            "d": .string(Base64URL.encode(key.rawRepresentation)),
        ]
        return try SigningKey(JWK(members))
    }

    private static func misconfigured(_ reason: String) -> AuthError {
        AuthError(.identityProviderDisabled, reason: "not configured: \(reason)")
    }
}
