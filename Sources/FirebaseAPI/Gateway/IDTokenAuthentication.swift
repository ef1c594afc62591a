// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE
import ServerKit
import TokenVerifier

/// Judges the ID token that a client's request carries: its signature, its claims, and whether its session and its user
/// are still good.
struct IDTokenAuthentication: Sendable {
    let dialect: FirebaseDialect

    /// - Parameters:
    ///   - call: in the Directory that key and body name.
    ///   - tenantIsNamed: whether the body itself names a tenant, which must then be the token's.
    /// - Returns: the user, and the Directory that the token is of: of a tenant's token, the tenant.
    /// - Throws: ``AuthErrorCode/tokenInvalid``, ``AuthErrorCode/tokenExpired``, ``AuthErrorCode/tokensRevoked``,
    ///   ``AuthErrorCode/userNotFound``, ``AuthErrorCode/userBanned``, ``AuthErrorCode/sessionNotFound``;
    ///   `TENANT_ID_MISMATCH`.
    func authenticate(
        _ token: String, in call: CallContext, tenantIsNamed: Bool
    ) async throws -> (user: AuthenticatedUser, directory: Directory) {
        let verified: VerifiedToken
        let directory: Directory
        do {
            let (token, issuer) = try await dialect.tokens.verify(token, at: call.now) { claims in
                dialect.ownIssuer(of: try await self.directory(of: claims, in: call, tenantIsNamed: tenantIsNamed))
            }
            (verified, directory) = (token, issuer.directory)
        } catch let error as TokenError {
            throw AuthError(error.code == .expired ? .tokenExpired : .tokenInvalid, reason: error.description)
        }
        var call = call
        call.directory = directory
        guard verified.claims.tenant == call.directory.tenantID, let subject = verified.subject,
            let session = verified.sessionID, let issuedAt = verified.claims.issuedAt
        else { throw AuthError(.tokenInvalid, reason: "not an ID token of this dialect") }
        let authenticated = try await dialect.accounts.sessionAuthentication(
            TokenSubject(user: UserID(subject), session: SessionID(session), issuedAt: issuedAt), call: call)
        guard authenticated.user.acceptsTokens(issuedAt: issuedAt.seconds, at: call.now) else {
            throw AuthError(.tokensRevoked, reason: "issued before the user's tokens were revoked")
        }
        return (authenticated, call.directory)
    }

    /// An app's requests for a signed-in user name the project's key and no tenant: that is in the token. What is read
    /// here decides only whose keys must have signed it.
    private func directory(
        of claims: JWTClaims, in call: CallContext, tenantIsNamed: Bool
    ) async throws -> Directory {
        let tenant = claims.tenant
        guard tenant != call.directory.tenantID else { return call.directory }
        guard let tenant, !tenantIsNamed, call.directory.tenantID == nil,
            let directory = try await dialect.directories.directory(named: tenant, at: call.now),
            directory.settings.partOf == call.directory.name
        else { throw WireError("TENANT_ID_MISMATCH") }
        return directory
    }
}
