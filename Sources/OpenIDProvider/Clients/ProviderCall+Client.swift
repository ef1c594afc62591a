// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit

extension ProviderCall {
    /// The client of the call, which has shown that it is the one it says, in the way that it is registered for; and
    /// the call as one of it.
    ///
    /// - Throws: `invalid_client` and `invalid_request`; ``AuthErrorCode/rateLimited``, but of a client that has proved
    ///   itself.
    func authenticated() async throws -> (client: Client, call: ProviderCall) {
        let (client, _) = try await proven(asking: nil)
        var call = self
        call.flow.client = client
        return (client, call)
    }

    /// Proves the client as ``authenticated()`` does, where a name alone is not enough (RFC 7662, section 2.1).
    ///
    /// - Parameter question: asked along with it.
    /// - Returns: its answer.
    func authenticateConfidential(asking question: SessionQuestion?) async throws -> Bool? {
        let (client, answer) = try await proven(asking: question)
        guard !client.isPublic else { throw OAuthError.invalidClient() }
        return answer
    }

    private func proven(asking question: SessionQuestion?) async throws -> (client: Client, isSessionLive: Bool?) {
        let found: (client: Client, isSessionLive: Bool?)
        do {
            let credentials = try credentials.get()
            found = try await accounts.clientAuthentication(
                credentials.clientID, credentials.proof, issuer: issuer, call: flow, asking: question)
        } catch {
            try count()
            throw error
        }
        if found.client.isPublic { try count() }
        return found
    }
}
