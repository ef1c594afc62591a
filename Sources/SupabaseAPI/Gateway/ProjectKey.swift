// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE

/// What the `apikey` header, or the bearer of an administrative call, says of its sender.
enum ProjectKey: Sendable, Equatable {
    /// Names the project and grants nothing: the anonymous or a publishable key.
    case anonymous
    /// Grants administration; the role or the key, for the audit log.
    case administrator(String)
}

/// Reads project keys in both of the platform's forms: long-lived tokens that carry a role, and the newer opaque
/// `sb_publishable_…` and `sb_secret_…`.
struct ProjectKeyReader: Sendable {
    let dialect: SupabaseDialect

    static let publishablePrefix = "sb_publishable_"
    static let secretPrefix = "sb_secret_"

    /// `nil` when the Directory does not know the key.
    ///
    /// - Parameter scope: what is to be done. A secret key that has scopes, and not this one, names the project and
    ///   grants nothing.
    func read(
        _ text: String, for scope: String = APIKey.userScope, in directory: Directory, at now: Instant
    ) async throws -> ProjectKey? {
        text.hasPrefix("sb_")
            ? try await readOpaque(text, scope, in: directory, at: now)
            : try await readToken(text, in: directory, at: now)
    }

    private func readOpaque(
        _ text: String, _ scope: String, in directory: Directory, at now: Instant
    ) async throws -> ProjectKey? {
        guard let key = try await dialect.accounts.apiKeyAuthentication.authenticate(text, at: now),
            key.directoryID == directory.id
        else { return nil }
        return key.allows(scope) ? .administrator(key.auditName) : .anonymous
    }

    private func readToken(_ text: String, in directory: Directory, at now: Instant) async throws -> ProjectKey? {
        // Of what the operator has signed, the role alone decides, as on the platform: some name a subject as well.
        if let claims = try await SharedSecretTokens(dialect: dialect).claims(of: text, in: directory, at: now) {
            return claims.namesSession ? nil : key(of: claims, in: directory)
        }
        guard let claims = try await dialect.provenTokens.claims(of: text, by: .directory, in: directory, at: now),
            // A user's access token is not a project key, whatever its role.
            claims.subject == nil, claims.expiresAt.map({ now < $0 }) ?? true
        else { return nil }
        return key(of: claims, in: directory)
    }

    private func key(of claims: JWTClaims, in directory: Directory) -> ProjectKey? {
        guard let role = claims.role else { return nil }
        if role == "anon" { return .anonymous }
        return directory.settings.adminRoles.contains(role) ? .administrator(role) : nil
    }
}
