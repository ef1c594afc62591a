// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import JOSE
import ServerKit
import TokenVerifier

/// `POST /oauth2/revoke` (RFC 7009): a client gives a token back. What it was given in one grant goes together: the
/// refresh token with the access tokens, and an access token with the refresh token (section 2.1).
enum RevocationEndpoint {
    static func post(_ call: ProviderCall) async throws -> Response {
        try call.parameters.requireSingle()
        let (client, call) = try await call.authenticated()
        // The hint says where to look first. Both places are looked into, so that a wrong one does no harm
        // (section 2.1).
        let text = try call.parameters.required("token")
        if let token = try await call.verifiedAccessToken(text) {
            try await revoke(token, of: client, call)
        } else {
            do {
                try await call.accounts.endSession(text, call: call.flow)
            } catch let error as AuthError where error.code == .forbidden {
                throw foreign
            }
        }
        // Also for what nobody knows: it is as good as revoked (section 2.2).
        return Answer.empty
    }

    private static func revoke(_ token: VerifiedToken, of client: Client, _ call: ProviderCall) async throws {
        guard token.claims["client_id"]?.stringValue == client.id.rawValue else { throw foreign }
        guard token.claims["act"] == nil, let session = token.claims[AccessToken.sessionClaim]?.stringValue else {
            throw OAuthError(
                .badRequest, "unsupported_token_type",
                "A client's own or exchanged access token ends by itself, or with the session it came of")
        }
        try await call.accounts.endSession(SessionID(session), call: call.flow)
    }

    private static let foreign = OAuthError.unauthorizedClient("The token was given to another client")
}
