// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE

/// An ID token (OpenID Connect Core, section 2), with what the scopes stand for in it, as the platform has it.
struct OAuthIDToken {
    var issued: IssuedSession
    var client: ClientID
    var nonce: String?

    func claims(issuer: String, at now: Instant) -> JSONObject {
        let user = issued.user
        let known = OAuthUserClaims(user: user, scopes: issued.session.grant?.scopes ?? [])
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": .string(user.identifier(in: SupabaseDialect.name)),
            "aud": .string(client.rawValue), "iat": .integer(now.seconds), "exp": .integer(issued.idExpiresAt.seconds),
            "auth_time": .integer(issued.session.authenticatedAt.seconds), "client_id": .string(client.rawValue),
        ]
        claims["nonce"] = nonce.map { .string($0) }
        if known.has(OAuthScope.email), let email = user.email {
            claims["email"] = .string(email.rawValue)
            claims["email_verified"] = .bool(user.emailVerifiedAt != nil)
        }
        if known.has(OAuthScope.phone), let phone = user.phone {
            claims["phone_number"] = .string(phone.digits)
            claims["phone_number_verified"] = .bool(user.phoneVerifiedAt != nil)
        }
        known.addProfile(to: &claims)
        return claims
    }

    /// - Throws: ``AuthErrorCode/unavailable`` without a key; ``AuthErrorCode/internalFailure`` for one that is a
    ///   shared secret: nobody is given a code for `openid` then.
    func signed(for call: DialectCall) async throws -> String {
        let key = try await call.dialect.keys.signingKey(.tokens, of: call.directory, at: call.now)
        guard key.algorithm != .hs256 else { throw AuthError(.internalFailure, reason: "no key for ID tokens") }
        return try JWS.sign(claims(issuer: call.dialect.issuer(of: call.directory), at: call.now), with: key)
    }
}

extension DialectCall {
    /// What signs ID tokens; `nil` where tokens are signed by a secret that no client may have.
    func idTokenAlgorithm() async -> JWSAlgorithm? {
        guard let key = try? await dialect.keys.signingKey(.tokens, of: directory, at: now) else { return nil }
        return key.algorithm == .hs256 ? nil : key.algorithm
    }

    func signsIDTokens() async -> Bool { await idTokenAlgorithm() != nil }
}
