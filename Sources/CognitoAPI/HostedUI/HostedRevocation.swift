// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `POST /oauth2/revoke`, of a client that has proved itself ("Revoke endpoint"): as `RevokeToken` does it.
enum HostedRevocation {
    static func answer(_ call: ClientCall, _ accounts: AccountFlows) async throws -> Response {
        let token = try call.required("token")
        guard call.client.settings.revokesTokens else {
            throw OAuthError.request("Token revocation is not enabled for this app client")
        }
        // Access and ID tokens are signed, and have two dots; refresh tokens have none.
        guard !token.contains(".") else {
            throw OAuthError(.badRequest, "unsupported_token_type", "Only refresh tokens can be revoked")
        }
        do {
            try await accounts.endSession(token, call: call.flow)
        } catch let error as AuthError where error.code == .forbidden {
            throw OAuthError.client("The token was given to another app client")
        }
        return Response(status: .ok, headers: [.cacheControl: "no-store"])
    }
}
