// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What lets programs register themselves as clients, as an operator is shown it, here and on the command line.
public enum InitialAccessTokenDocument {
    /// - Parameter text: of one that was just made; it is not shown again.
    public static func encode(_ token: InitialAccessToken, text: Secret<String>? = nil) -> JSONObject {
        var json: JSONObject = [
            "id": .string(token.id.rawValue), "name": .string(token.name),
            "grants": .array(token.grants.map { .string($0.rawValue) }),
            "scopes": .array(token.scopes.map { .string($0) }),
            "redirectHosts": .array(token.redirectHosts.map { .string($0) }),
            "usesLeft": token.usesLeft.map { .integer($0) } ?? .null,
            "createdAt": .string(token.createdAt.rfc3339),
            "expiresAt": token.expiresAt.map { .string($0.rfc3339) } ?? .null,
            "revokedAt": token.revokedAt.map { .string($0.rfc3339) } ?? .null,
        ]
        if let text { json["token"] = .string(text.reveal()) }
        return json
    }
}
