// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE

/// Makes the two long-lived project keys that every app of this platform is set up with.
public struct ProjectKeyIssuer: Sendable {
    /// The key that ships in the app.
    public let anonymous: String
    /// The key that stays on the operator's servers.
    public let serviceRole: Secret<String>

    /// Signs them with the Directory's key for API keys. They last ten years and are the same at every call, since they
    /// are dated by the Directory's own creation.
    ///
    /// - Throws: ``AuthErrorCode/unavailable`` when the Directory has no such key.
    public init(for directory: Directory, keys: KeyRing, at now: Instant) async throws {
        let key = try await keys.signingKey(.apiKeys, of: directory, at: now)
        func token(_ role: String) throws -> String {
            let issuedAt = directory.createdAt.seconds
            let claims: JSONObject = [
                "role": .string(role), "iss": "supabase", "iat": .integer(issuedAt),
                "exp": .integer(issuedAt + 10 * 365 * 86_400),
            ]
            return try JWS.sign(claims, with: key)
        }
        anonymous = try token("anon")
        serviceRole = Secret(try token("service_role"))
    }
}
