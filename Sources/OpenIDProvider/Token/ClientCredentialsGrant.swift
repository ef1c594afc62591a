// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `grant_type=client_credentials` (RFC 6749, section 4.4): a client that acts for itself. There is no user in it, so
/// that there is no session, no refresh token and no ID token.
enum ClientCredentialsGrant {
    static func answer(_ call: ProviderCall, _ client: Client) async throws -> Response {
        guard !client.isPublic else {
            throw OAuthError.unauthorizedClient("A client that can't prove itself does not act for itself")
        }
        let registered = client.settings.authorization.scopes.filter { !Scope.isOfUsers($0) }
        let asked = call.parameters.words("scope")
        guard asked.allSatisfy(registered.containsOctets) else {
            throw OAuthError.invalidScope("A scope is of users, or the client is not registered for it")
        }
        let scopes = asked.isEmpty ? registered : asked
        let resources = try Resource.list(call.parameters)
        guard resources.allSatisfy(client.settings.authorization.resources.containsOctets) else {
            throw OAuthError.invalidTarget("A resource is none that the client is registered for")
        }
        let lifetime =
            client.settings.accessTokenLifetime ?? call.flow.settings.sessions.accessTokenLifetime
        let token = AccessToken(
            of: client.id, scopes: scopes, resources: resources, expiresAt: call.now + .seconds(lifetime))
        return try await TokenResponse(access: token).answer(call)
    }
}
