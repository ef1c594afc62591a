// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import ServerKit

/// Who may use an operation.
enum Access: Sendable {
    /// Anybody: public keys.
    case open
    /// Whoever opens a link, which names project and tenant.
    case link
    /// Whoever names the project by its API key, or an administrator.
    case client
    /// The operator's own programs, for users.
    case administrator
    /// The operator's own programs, for tenants.
    case tenants
    /// The operator's own programs, for what a project or a tenant is set up with.
    case providers
    /// The operator's own programs, for the keys of service accounts.
    case serviceAccounts
    /// Whoever runs the server for development: there is no such operation elsewhere.
    case emulator
}

/// Finds out which Directory a call is about and who sends it, and refuses it unless that is enough.
struct Gateway: Sendable {
    /// What was found out.
    struct Entry: Sendable {
        var directory: Directory
        /// The key as the client sent it, for the links that its messages carry.
        var apiKey: String?
        /// The name for the audit log.
        var administrator: String?
        /// What the administrator may do; empty for all that one may.
        var scopes: [String] = []
        /// Whether the administrator may see the hashes of passwords.
        var seesHashes: Bool { administrator != nil && (scopes.isEmpty || scopes.contains(APIKey.hashScope)) }
    }

    let dialect: FirebaseDialect
    let headers: HTTPFields
    let query: [String: String]
    let now: Instant

    /// - Parameters:
    ///   - project: of the path, where it has one.
    ///   - tenant: of the path, where it has one.
    func enter(_ access: Access, project: String?, tenant: String?) async throws -> Entry {
        switch access {
        case .open, .link: return Entry(directory: try await home())
        case .client:
            guard let token = bearer else { return try await client() }
            return try await administrator(token, of: .own, APIKey.userScope)
        case .administrator:
            guard let token = bearer else { throw WireError.unauthenticated }
            return try await administrator(
                token, of: .place(project: project ?? "", tenant: tenant), APIKey.userScope)
        case .tenants:
            guard let token = bearer else { throw WireError.unauthenticated }
            // Tenants themselves are the project's to administer, whichever of them the path names.
            return try await administrator(
                token, of: .place(project: project ?? "", tenant: nil), APIKey.directoryScope)
        case .providers:
            guard let token = bearer else { throw WireError.unauthenticated }
            return try await administrator(
                token, of: .place(project: project ?? "", tenant: tenant), APIKey.directoryScope)
        case .serviceAccounts:
            guard let token = bearer else { throw WireError.unauthenticated }
            return try await administrator(
                token, of: .place(project: project ?? "", tenant: nil), APIKey.keyScope)
        case .emulator:
            guard dialect.settings.acceptsOwnerToken else { throw AuthError(.notFound) }
            return Entry(directory: try await emulated(project ?? "", tenant))
        }
    }

    /// Takes into account what the body says of project and tenant.
    ///
    /// - Throws: `INSUFFICIENT_PERMISSION`, `TENANT_ID_MISMATCH`, `INVALID_TENANT_ID`.
    func narrow(_ entry: Entry, access: Access, by body: Input) async throws -> Entry {
        var narrowed = entry
        let tenant = try body.given("tenantId")
        if access == .client, let project = try body.given("targetProjectId") {
            guard entry.administrator != nil, let token = bearer else {
                throw WireError(
                    "INSUFFICIENT_PERMISSION", "Only authenticated requests can specify target_project_id.")
            }
            return try await administrator(
                token, of: .place(project: project, tenant: tenant), APIKey.userScope)
        }
        if let tenant, tenant != narrowed.directory.tenantID {
            guard access == .client, narrowed.directory.tenantID == nil else { throw WireError("TENANT_ID_MISMATCH") }
            guard let directory = try await self.tenant(tenant, of: narrowed.directory.projectID) else {
                throw WireError("INVALID_TENANT_ID")
            }
            narrowed.directory = directory
        }
        return narrowed
    }

    /// The link's own Directory. Naming another one is of no use: the code is not in it.
    func place(ofLink value: (String) -> String?) async throws -> Directory {
        let project = value("projectId") ?? DirectoryCatalog.defaultName
        guard let directory = try await dialect.directories.directory(named: value("tenantId") ?? project, at: now),
            directory.projectID == project
        else { throw AuthError(.notFound) }
        return directory
    }

    // MARK: Clients

    private func client() async throws -> Entry {
        guard let text = query["key"] ?? headers[.apiKey], !text.isEmpty else { throw WireError.keyMissing }
        let key = try await dialect.accounts.apiKeyAuthentication.authenticate(text, at: now)
        switch key?.kind {
        case .publishable:
            guard let id = key?.directoryID, let directory = try await dialect.directories.directory(id, at: now)
            else { throw AuthError(.apiKeyInvalid) }
            return Entry(directory: directory, apiKey: text)
        // A secret key has no business in an app, or in a URL.
        case .secret: throw AuthError(.apiKeyInvalid)
        case nil:
            guard dialect.settings.acceptsAnyKey else { throw AuthError(.apiKeyInvalid) }
            return Entry(directory: try await home(), apiKey: text)
        }
    }

    /// The Directory that requests reach without naming one.
    private func home() async throws -> Directory {
        guard let directory = try await dialect.directories.directory(named: DirectoryCatalog.defaultName, at: now)
        else { throw AuthError(.unavailable, reason: "no default directory") }
        return directory
    }

    // MARK: Administrators

    private var bearer: String? { headers.bearerToken }

    /// Whose users an administrator means to administer.
    private enum Target {
        /// Those that the token is for.
        case own
        case place(project: String, tenant: String?)
    }

    private func administrator(_ token: String, of target: Target, _ scope: String) async throws -> Entry {
        if dialect.settings.acceptsOwnerToken, token.lowercased() == "owner" {
            guard case .place(let project, let tenant) = target else {
                return Entry(directory: try await home(), administrator: "owner")
            }
            return Entry(directory: try await emulated(project, tenant), administrator: "owner")
        }
        guard var entry = try await entry(by: token) else { throw WireError.unauthenticated }
        guard entry.scopes.isEmpty || entry.scopes.contains(scope) else { throw AuthError(.forbidden) }
        let own = entry.directory
        if case .place(let project, let tenant) = target {
            // Another project's name and one that nobody has are the same to this key. A tenant's key is for that
            // tenant alone.
            guard project == own.projectID, own.tenantID == nil || own.tenantID == tenant else {
                throw AuthError(.forbidden)
            }
            if own.tenantID == nil { entry.directory = try await part(tenant, of: own) }
        }
        return entry
    }

    /// The project or tenant of a path, for whoever may name any.
    private func emulated(_ project: String, _ tenant: String?) async throws -> Directory {
        guard let directory = try await dialect.directories.directory(named: project, at: now),
            directory.tenantID == nil
        else { throw WireError("PROJECT_NOT_FOUND") }
        return try await part(tenant, of: directory)
    }

    /// Whoever has a secret key, or an access token of a service account; in the Directory that either is of.
    private func entry(by token: String) async throws -> Entry? {
        if let account = try await dialect.accounts.serviceAccountAuthentication.authenticate(token, at: now) {
            let email = ServiceAccountEmail(account.key.account, in: account.directory)
            return Entry(directory: account.directory, administrator: email.text, scopes: account.key.scopes)
        }
        guard let key = try await dialect.accounts.apiKeyAuthentication.authenticate(token, at: now),
            key.kind == .secret, let own = try await dialect.directories.directory(key.directoryID, at: now)
        else { return nil }
        return Entry(directory: own, administrator: key.auditName, scopes: key.scopes)
    }

    private func part(_ tenant: String?, of project: Directory) async throws -> Directory {
        guard let tenant else { return project }
        guard let directory = try await self.tenant(tenant, of: project.name) else {
            throw WireError("TENANT_NOT_FOUND")
        }
        return directory
    }

    private func tenant(_ name: String, of project: String) async throws -> Directory? {
        guard let directory = try await dialect.directories.directory(named: name, at: now),
            directory.settings.partOf == project
        else { return nil }
        return directory
    }
}
