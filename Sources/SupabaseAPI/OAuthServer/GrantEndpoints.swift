// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `/user/oauth/grants`: which clients the user lets act for them.
enum GrantEndpoints {
    static func list(_ call: DialectCall) async throws -> Response {
        let consents = try await call.accounts.consents.list(of: call.user().user.id, call: call.flow)
        return Answer.json(
            .array(
                consents.compactMap { entry in
                    guard let client = OAuthClient(entry.client) else { return nil }
                    return [
                        "client": .object(client.details),
                        "scopes": .array(entry.consent.scopes.map { .string($0) }),
                        "granted_at": .string(entry.consent.updatedAt.rfc3339),
                    ]
                }))
    }

    /// `DELETE ?client_id=`: the client's sessions end with it.
    static func revoke(_ call: DialectCall) async throws -> Response {
        guard let id = call.query["client_id"], !id.isEmpty else {
            throw WireError.validation("client_id query parameter is required")
        }
        guard UUIDText.accepts(id) else { throw WireError.validation("invalid client_id format") }
        do {
            try await call.accounts.consents.revoke(
                ClientID(id.lowercased()), of: call.user().user.id, call: call.flow)
        } catch let error as AuthError where error.code == .notFound {
            throw WireError(.notFound, "oauth_consent_not_found", "No active grant found for this client")
        }
        return Answer.empty
    }
}
