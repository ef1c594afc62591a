// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `grant_type=refresh_token` (RFC 6749, section 6; OpenID Connect Core, section 12).
enum RefreshTokenGrant {
    static func answer(_ call: ProviderCall, _ client: Client) async throws -> Response {
        let token = try call.parameters.required("refresh_token")
        let scopes = call.parameters.words("scope")
        let issued = try await call.accounts.refreshSession(
            token, scopes: scopes.isEmpty ? nil : scopes, resources: try Resource.list(call.parameters),
            dpopKey: call.key, call: call.flow)
        return try await call.answer(issued, nonce: nil, client)
    }
}

extension ProviderCall {
    /// The tokens of a session that a client was given or has renewed. `resource` may ask for less than was granted
    /// (RFC 8707, section 2.2), and so may `scope` of a refresh, which has been judged; at every other grant `scope`
    /// means nothing (RFC 6749, section 3.2).
    ///
    /// - Throws: `invalid_target`, for a resource that was not granted.
    func answer(_ issued: IssuedSession, nonce: String?, _ client: Client) async throws -> Response {
        let grant = issued.session.grant ?? ClientGrant()
        let isRefresh = parameters["grant_type"] == GrantType.refreshToken.rawValue
        let asked = isRefresh ? parameters.words("scope") : []
        let scopes = asked.isEmpty ? grant.scopes : asked
        let resources = try Resource.list(parameters)
        guard resources.allSatisfy(grant.resources.containsOctets) else {
            throw OAuthError.invalidTarget("A resource was not granted")
        }
        let access = AccessToken(
            issued, client: client.id, scopes: scopes, resources: resources.isEmpty ? grant.resources : resources)
        return try await TokenResponse(
            access: access, refreshToken: client.mayUse(.refreshToken) ? issued.refreshToken : nil,
            identity: scopes.contains(Scope.openID) ? (issued, nonce) : nil
        ).answer(self)
    }
}
