// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Crypto
import JOSE

/// An ID token (OpenID Connect Core, section 2): who has signed in, told to the one client that asked.
struct IDToken: Sendable {
    var issued: IssuedSession
    var client: ClientID
    /// As the authorization request had it. A refreshed token has none (section 12.2).
    var nonce: String?
    /// The token that comes along with it.
    var accessToken: String
    /// What the `claims` parameter asked for beside (section 5.5).
    var requested: JSONObject

    func claims(issuer: String, at now: Instant) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": .string(issued.user.identifier(in: OpenIDProvider.name)),
            "aud": .string(client.rawValue), "exp": .integer(issued.idExpiresAt.seconds), "iat": .integer(now.seconds),
        ]
        AuthenticationClaims(session: issued.session).add(to: &claims)
        claims["nonce"] = nonce.map { .string($0) }
        claims["at_hash"] = .string(Self.hash(of: accessToken))
        claims["sid"] = .string((issued.session.parentID ?? issued.session.id).rawValue)
        for member in requested.members where claims[member.name] == nil { claims[member.name] = member.value }
        return claims
    }

    /// The left half of the token's SHA-256 (section 3.1.3.6): what RS256 and ES256 sign by.
    static func hash(of token: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(token.utf8)).prefix(16)))
    }
}
