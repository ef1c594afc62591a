// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// The answer to every sign-in and refresh.
struct SessionResponse {
    var accessToken: String
    var refreshToken: String
    var expiresIn: Int64
    var expiresAt: Int64
    var user: JSONObject

    init(_ issued: IssuedSession, accessToken: Secret<String>, in directory: Directory, at now: Instant) {
        self.accessToken = accessToken.reveal()
        refreshToken = issued.refreshToken.reveal()
        expiresAt = issued.accessExpiresAt.seconds
        expiresIn = max(0, expiresAt - now.seconds)
        user = UserResponse.encode(issued.user, identities: issued.identities, in: directory)
        FactorResponse.add(issued.factors, to: &user)
    }

    var json: JSONObject {
        [
            "access_token": .string(accessToken), "token_type": "bearer", "expires_in": .integer(expiresIn),
            "expires_at": .integer(expiresAt), "refresh_token": .string(refreshToken), "user": .object(user),
        ]
    }

    /// As the fragment of a redirect (never the query: RFC 9700, section 2.1.2), for the flow without PKCE.
    ///
    /// - Parameters:
    ///   - type: of the link that was followed.
    ///   - providerTokens: what an identity provider gave, which the app is told this once.
    func fragment(type: String? = nil, providerTokens: UpstreamTokens? = nil) -> [(String, String)] {
        let members: [(String, String?)] = [
            ("access_token", accessToken), ("expires_at", String(expiresAt)), ("expires_in", String(expiresIn)),
            ("provider_refresh_token", providerTokens?.refresh?.reveal()),
            ("provider_token", providerTokens?.access?.reveal()),
            ("refresh_token", refreshToken), ("sb", ""), ("token_type", "bearer"), ("type", type),
        ]
        return members.compactMap { name, value in value.map { (name, $0) } }
    }
}
