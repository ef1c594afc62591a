// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What tells a client that a browser's session has ended (OpenID Connect Back-Channel Logout 1.0, section 2.4). It has
/// no nonce, so that nobody takes it for an ID token.
struct LogoutToken: Sendable {
    /// The header's `typ`.
    static let type = "logout+jwt"
    private static let event = "http://schemas.openid.net/event/backchannel-logout"
    private static let lifetime: Int64 = 120

    var logout: ClientLogout
    /// What ID tokens call the user.
    var subject: String

    /// - Parameter id: of this token: a client may refuse one that it has seen.
    func claims(issuer: String, id: String, at now: Instant) -> JSONObject {
        [
            "iss": .string(issuer), "aud": .string(logout.client.rawValue), "iat": .integer(now.seconds),
            "exp": .integer(now.seconds + Self.lifetime), "jti": .string(id),
            "events": .object([Self.event: .object([:])]), "sub": .string(subject),
            "sid": .string(logout.session.rawValue),
        ]
    }
}
