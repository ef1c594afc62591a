// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `POST /oauth2/token` (RFC 6749, section 3.2).
enum TokenEndpoint {
    static func post(_ call: ProviderCall) async throws -> Response {
        try call.parameters.requireSingle()
        let (client, call) = try await call.authenticated()
        let name = try call.parameters.required("grant_type")
        guard let grant = GrantType(rawValue: name) else {
            throw OAuthError(.badRequest, "unsupported_grant_type", "This grant is not taken here")
        }
        guard client.mayUse(grant.registered) else {
            throw OAuthError.unauthorizedClient("The client is not registered for this grant")
        }
        let proven = try await call.withProof(of: client)
        return proven.withNonce(try await answer(grant, proven, client))
    }

    private static func answer(_ grant: GrantType, _ call: ProviderCall, _ client: Client) async throws -> Response {
        switch grant {
        case .authorizationCode: try await AuthorizationCodeGrant.answer(call, client)
        case .refreshToken: try await RefreshTokenGrant.answer(call, client)
        case .clientCredentials: try await ClientCredentialsGrant.answer(call, client)
        case .deviceCode: try await DeviceCodeGrant.answer(call, client)
        case .tokenExchange: try await TokenExchangeGrant.answer(call, client)
        }
    }
}

extension Client {
    /// Whether the client may be given tokens for a grant.
    func mayUse(_ grant: ClientAuthorization.Grant) -> Bool {
        settings.authorization.isEnabled && settings.authorization.grants.contains(grant)
    }
}
