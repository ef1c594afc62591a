// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

/// What an access token says that it is judged by.
struct TokenStatement: Sendable {
    let issuer: String?
    /// The first that it is for.
    let audience: String?
    let subject: String?
    let client: ClientID?
    /// `nil` for a client's own token.
    let session: SessionID?

    init(_ claims: JWTClaims) {
        issuer = claims.issuer
        audience = claims.audience.first
        subject = claims.subject
        client = (claims["client_id"]?.stringValue).map { ClientID($0) }
        session = (claims[AccessToken.sessionClaim]?.stringValue).map { SessionID($0) }
    }
}
