// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Reads the tokens that a user pool gives.
struct PoolTokens: Sendable {
    let clientID: String
    /// `nil` where it is not known.
    let issuer: String?

    /// From an `AuthenticationResult`.
    ///
    /// - Parameters:
    ///   - former: what is renewed, whose refresh token and attachments stay where none come.
    ///   - now: what time the service says it is, or else the device.
    func grant(
        _ result: JSONObject, attachments: [String: String], renewing former: TokenSet?, date: Instant?, now: Instant
    ) throws(AuthError) -> SessionGrant {
        guard let access = Self.token(result["AccessToken"]) else {
            throw AuthError(.unavailable, reason: "the service gave no access token")
        }
        let refresh = Self.token(result["RefreshToken"]) ?? former?.refreshToken
        let id = Self.token(result["IdToken"])
        let seconds = min(max(result["ExpiresIn"]?.integerValue ?? 3600, 0), 315_360_000)
        return SessionGrant(
            tokens: TokenSet(
                accessToken: access, idToken: id ?? former?.idToken, refreshToken: refresh, lifetime: .seconds(seconds),
                attachments: Secret(attachments)),
            user: try id.map { id throws(AuthError) in try user(of: id, nonce: nil, now: date ?? now) },
            serverDate: date)
    }

    /// Whose an ID token is, once it is seen to be for this app.
    func user(of idToken: Secret<String>, nonce: Secret<String>?, now: Instant) throws(AuthError) -> SessionUser {
        let claims = try IDTokenClaims(reading: idToken)
        try claims.check(issuer: issuer, clientID: clientID, nonce: nonce, now: now)
        guard claims.members["token_use"].map({ $0 == "id" }) ?? true else {
            throw AuthError(.identityTokenInvalid, reason: "the token is no ID token")
        }
        return claims.user(provider: Self.provider(claims.members["identities"]))
    }

    /// By what the user signed in, in the pool's words: `Google`, `COGNITO`.
    static func provider(_ identities: JSONValue?) -> String {
        identities?.arrayValue?.first?.objectValue?["providerName"]?.stringValue ?? "COGNITO"
    }

    private static func token(_ value: JSONValue?) -> Secret<String>? {
        guard let text = value?.stringValue, (1...(64 << 10)).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return Secret(text)
    }
}
