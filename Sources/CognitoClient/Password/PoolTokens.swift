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
        let (id, user) = try identity(
            Self.token(result["IdToken"]), nonce: nil, renewing: former, now: date ?? now)
        let seconds = min(max(result["ExpiresIn"]?.integerValue ?? 3600, 0), 315_360_000)
        return SessionGrant(
            tokens: TokenSet(
                accessToken: access, idToken: id, refreshToken: refresh,
                lifetime: Self.lifetime(.seconds(seconds), user == nil ? nil : id, at: date),
                attachments: Secret(attachments)),
            user: user, serverDate: date)
    }

    /// The session's ID token, and whose it is once it is seen to be for this app. With a sign-in's it must be: with
    /// renewed tokens see ``ClientSession/RenewedIDToken``.
    func identity(
        _ given: Secret<String>?, nonce: Secret<String>?, renewing former: TokenSet?, now: Instant
    ) throws(AuthError) -> (token: Secret<String>?, user: SessionUser?) {
        guard let former else {
            return (given, try given.map { id throws(AuthError) in try user(of: id, nonce: nonce, now: now) })
        }
        let renewed = try RenewedIDToken(given, after: former.idToken) { claims throws(AuthError) in
            try check(claims, nonce: nil, now: now)
        }
        return (renewed.token, renewed.claims.map(Self.user))
    }

    /// Whose an ID token is, once it is seen to be for this app.
    func user(of idToken: Secret<String>, nonce: Secret<String>?, now: Instant) throws(AuthError) -> SessionUser {
        let claims = try IDTokenClaims(reading: idToken)
        try check(claims, nonce: nonce, now: now)
        return Self.user(claims)
    }

    private func check(_ claims: IDTokenClaims, nonce: Secret<String>?, now: Instant) throws(AuthError) {
        try claims.check(issuer: issuer, clientID: clientID, nonce: nonce, now: now)
        guard claims.members["token_use"].map({ $0 == "id" }) ?? true else {
            throw AuthError(.identityTokenInvalid, reason: "the token is no ID token")
        }
    }

    private static func user(_ claims: IDTokenClaims) -> SessionUser {
        claims.user(provider: provider(claims.members["identities"]))
    }

    /// By what the user signed in, in the pool's words: `Google`, `COGNITO`.
    static func provider(_ identities: JSONValue?) -> String {
        identities?.arrayValue?.first?.objectValue?["providerName"]?.stringValue ?? "COGNITO"
    }

    /// How long tokens are good for together: a client's ID tokens may live shorter than its access tokens
    /// (`TokenValidityUnits`), and are what an identity pool is shown.
    ///
    /// - Parameters:
    ///   - access: of the access token.
    ///   - idToken: one that has come with it.
    ///   - date: what time the service says it is. Without it nothing is known of the other.
    static func lifetime(_ access: TimeSpan, _ idToken: Secret<String>?, at date: Instant?) -> TimeSpan {
        guard let date, let idToken, let end = (try? IDTokenClaims(reading: idToken))?.expiresAt else { return access }
        return min(access, max(end - date, .minutes(1)))
    }

    private static func token(_ value: JSONValue?) -> Secret<String>? {
        guard let text = value?.stringValue, (1...(64 << 10)).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return Secret(text)
    }
}
