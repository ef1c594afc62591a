// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE

/// Tokens that the operator's own programs have signed with the secret which every part of the platform shares
/// (`GOTRUE_JWT_SECRET`). This server makes none that look like them: its own name a session.
///
/// Only the Directory that was given the secret knows it, and only where the operator gave one is it asked for.
struct SharedSecretTokens: Sendable {
    let dialect: SupabaseDialect

    /// The claims of such a token; `nil` for any other, as for one whose signature is wrong.
    ///
    /// - Throws: ``AuthErrorCode/tokenExpired``; ``AuthErrorCode/tokenInvalid`` for one that is of a later time, or for
    ///   another audience. A token that names no time or no audience is good at any, as on the platform.
    func claims(of text: String, in directory: Directory, at now: Instant) async throws -> JWTClaims? {
        guard dialect.settings.honoursSharedSecret,
            let claims = try await dialect.provenTokens.claims(of: text, by: .sharedSecret, in: directory, at: now)
        else { return nil }
        if let expiresAt = claims.expiresAt, expiresAt <= now { throw AuthError(.tokenExpired) }
        if let notBefore = claims.notBefore, notBefore > now {
            throw AuthError(.tokenInvalid, reason: "nbf lies ahead")
        }
        guard claims.audience.isEmpty || claims.audience.contains(AccessTokenClaims.audience(of: directory)) else {
            throw AuthError(.tokenInvalid, reason: "of another audience")
        }
        return claims
    }
}

extension JWTClaims {
    var role: String? { self["role"]?.stringValue }
    var sessionID: String? { self["session_id"]?.stringValue }
    /// Whether the token says that it is of a session, in whatever form.
    var namesSession: Bool { self["session_id"] != nil }
}
