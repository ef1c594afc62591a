// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit

extension ProviderCall {
    /// The client of the call, which has shown that it is the one it says, in the way that it is registered for; and the
    /// call as one of it.
    ///
    /// - Throws: `invalid_client` and `invalid_request`; ``AuthErrorCode/rateLimited``, but of a client that has proved itself.
    func authenticated() async throws -> (client: Client, call: ProviderCall) {
        let client: Client
        do {
            client = try await provenClient()
        } catch {
            try count()
            throw error
        }
        if client.isPublic { try count() }
        var call = self
        call.flow.client = client
        return (client, call)
    }

    private func provenClient() async throws -> Client {
        let credentials = try credentials.get()
        return try await accounts.clientAuthentication(
            credentials.clientID, credentials.proof, issuer: issuer, call: flow)
    }

    /// As ``authenticated()``, where a name alone is not enough (RFC 7662, section 2.1).
    func authenticatedConfidential() async throws -> (client: Client, call: ProviderCall) {
        let found = try await authenticated()
        guard !found.client.isPublic else { throw OAuthError.invalidClient() }
        return found
    }
}
