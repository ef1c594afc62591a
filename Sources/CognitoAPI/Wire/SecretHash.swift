// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Crypto

/// What a client that has a secret sends beside a user's name:
/// `BASE64(HMAC-SHA256(secret, username ‖ clientId))` (developer guide, "Computing secret hash values").
enum SecretHash {
    /// - Parameter username: as it stands in the same request.
    /// - Throws: `NotAuthorizedException` where the client has a secret and `received` is not made with it.
    static func require(_ received: String?, username: String, client: Client) throws(WireError) {
        try require(received, usernames: [username], client: client)
    }

    /// For requests that do not say the name: any of those that the user goes by.
    static func require(_ received: String?, usernames: [String], client: Client) throws(WireError) {
        guard client.isConfidential else { return }
        guard let received else {
            throw .notAuthorized(
                "Client \(client.id.rawValue) is configured with secret but SECRET_HASH was not received")
        }
        var isRight = false
        for secret in client.secrets.compactMap(\.text) {
            for username in usernames {
                let hash = compute(username: username, client: client.id, secret: secret)
                if constantTimeEqual(Array(hash.utf8), Array(received.utf8)) { isRight = true }
            }
        }
        guard isRight else {
            throw .notAuthorized("Unable to verify secret hash for client \(client.id.rawValue)")
        }
    }

    /// - Throws: `NotAuthorizedException` for operations that take the secret itself.
    static func requireSecret(_ received: String?, client: Client) throws(WireError) {
        guard client.isConfidential else { return }
        guard let received, client.hasSecret(received) else {
            throw .notAuthorized("Unable to verify client secret for client \(client.id.rawValue)")
        }
    }

    static func compute(username: String, client: ClientID, secret: Secret<String>) -> String {
        let key = SymmetricKey(data: Array(secret.reveal().utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Array((username + client.rawValue).utf8), using: key)
        return Base64.encode(Array(code))
    }
}
