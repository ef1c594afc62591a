// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `RevokeToken` and `GlobalSignOut`.
enum SignOutEndpoints {
    /// Ends the session of a refresh token. One that is unknown or was revoked before is no error.
    static func revoke(_ call: DialectCall) async throws -> JSONObject {
        let token = try call.input.required(Member("Token", 1...Member.tokenLimit, .token, sensitive: true))
        let client = try call.client()
        let secret = try call.input.text(.clientSecret)
        do {
            try SecretHash.requireSecret(secret, client: client)
        } catch {
            throw unauthorized
        }
        guard client.settings.revokesTokens else {
            throw WireError("UnsupportedOperationException", "Token revocation is not enabled for this client.")
        }
        // Access and ID tokens are signed, and have two dots; refresh tokens have none.
        guard !token.contains(".") else {
            throw WireError("UnsupportedTokenTypeException", "Only refresh tokens can be revoked.")
        }
        do {
            try await call.accounts.endSession(token, call: call.flow)
        } catch let error as AuthError where error.code == .forbidden {
            throw unauthorized
        }
        return [:]
    }

    /// Ends every session of the user, and takes back their access tokens.
    static func everywhere(_ call: DialectCall) async throws -> JSONObject {
        try await call.accounts.signOut(try call.user(), scope: .global, call: call.flow)
        return [:]
    }

    private static let unauthorized = WireError("UnauthorizedException", "The client is not authorized.")
}
