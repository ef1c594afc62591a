// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE

/// An ID token of ours that a client sends back, to say whom it means (OpenID Connect Core, section 3.1.2.1;
/// RP-Initiated Logout 1.0, section 2). It may have expired. It opens nothing.
struct IDTokenHint: Sendable {
    let subject: UserID
    let clients: [ClientID]
    /// The browser's session that it was given in.
    let session: SessionID?
    let claims: JWTClaims

    /// `nil` for what no key of the call's Directory has signed as an ID token. A key goes once the last token that it
    /// signed is long expired, and with it what such a token could say.
    init?(_ text: String, _ call: ProviderCall) async throws {
        guard let token = try? ParsedJWS(parsing: text.utf8), let claims = try? JWTClaims(parsing: token.payload),
            // An access token is none, nor is what another dialect has signed by the same keys.
            token.header.type == JWS.defaultType, claims.issuer == call.issuer, claims["at_hash"] != nil,
            let subject = claims.subject
        else { return nil }
        var keys: [VerificationKey] = []
        for purpose in [SigningKeyRecord.Purpose.compatibility, .tokens] {
            keys += try await call.provider.keys.verificationKeys(of: call.directory, purpose: purpose, at: call.now)
        }
        guard let key = keys.first(where: { $0.keyID == token.header.keyID }),
            (try? token.verify(with: key, allowing: [.rs256, .es256])) != nil
        else { return nil }
        self.claims = claims
        self.subject = UserID(subject)
        clients = claims.audience.map { ClientID($0) }
        session = claims["sid"]?.stringValue.map { SessionID($0) }
    }

    /// The issuer that a token says it is of: it chooses the keys that it is judged by, and is not believed for it.
    static func claimedIssuer(of text: String) -> String? {
        guard let token = try? ParsedJWS(parsing: text.utf8) else { return nil }
        return (try? JWTClaims(parsing: token.payload))?.issuer
    }
}
