// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// Projects by the platform's Management API (`/v1/projects` of its own host, here below the host's name). A project is
/// a Directory; its `ref` is the Directory's name.
///
/// The bearer is a secret key of the default Directory, with the scope for Directories where it has scopes: whoever has it
/// runs the server.
struct ProjectEndpoints: Sendable {
    /// Where the Management API is: its host before its paths, as with the emulators of other platforms.
    static let prefix = "/api.supabase.com/v1/projects"

    let dialect: SupabaseDialect

    func addRoutes(to router: Router<LatchkeyRequestContext>, routes: KnownRoutes) {
        add(.get, "", to: router, routes, list)
        add(.post, "", to: router, routes, create)
        add(.get, "/{ref}", to: router, routes, get)
        add(.delete, "/{ref}", to: router, routes, delete)
        add(.get, "/{ref}/api-keys", to: router, routes, keys)
    }

    private typealias Endpoint = @Sendable (Request, LatchkeyRequestContext) async throws -> Response

    private func add(
        _ method: HTTPRequest.Method, _ path: String, to router: Router<LatchkeyRequestContext>, _ routes: KnownRoutes,
        _ endpoint: @escaping Endpoint
    ) {
        routes.add(method, Self.prefix + path)
        router.on(RouterPath(Self.prefix + path), method: method) { request, context in
            do {
                try await authorize(request, at: context.now)
                return try await endpoint(request, context)
            } catch let error as WireError {
                return ProjectErrors.answer(error.message, error.status)
            }
        }
    }

    /// - Throws: ``WireError`` unless the bearer administers the default Directory.
    private func authorize(_ request: Request, at now: Instant) async throws {
        let refusal = WireError(.unauthorized, "unauthorized", "Unauthorized")
        guard let token = request.headers.bearerToken,
            let house = try await dialect.directories.directory(named: DirectoryCatalog.defaultName, at: now),
            case .administrator = try await ProjectKeyReader(dialect: dialect).read(
                token, for: APIKey.directoryScope, in: house, at: now)
        else { throw refusal }
    }

    // MARK: Operations

    private func list(_: Request, _: LatchkeyRequestContext) async throws -> Response {
        let directories = try await dialect.accounts.directoryAdministration.list()
        return Answer.json(.array(directories.map { .object(Self.encode($0)) }))
    }

    private func create(_ request: Request, _ context: LatchkeyRequestContext) async throws -> Response {
        let body = try await RequestReading.object(of: request)
        guard let title = body["name"]?.stringValue, !title.isEmpty, title.utf8.count <= 256 else {
            throw WireError.validation("name: a text of 1 to 256 bytes is needed")
        }
        var settings = DirectorySettings()
        settings.title = title
        let directory = try await dialect.accounts.directoryAdministration.create(
            name: DirectoryAdministration.slug(from: title, random: dialect.accounts.random), settings: settings,
            at: context.now)
        dialect.directories.invalidate()
        return Answer.object(Self.encode(directory), status: .created)
    }

    private func get(_: Request, _ context: LatchkeyRequestContext) async throws -> Response {
        Answer.object(Self.encode(try await project(context)))
    }

    private func delete(_: Request, _ context: LatchkeyRequestContext) async throws -> Response {
        let directory = try await project(context)
        guard directory.name != DirectoryCatalog.defaultName else {
            throw WireError(.badRequest, "validation_failed", "The default directory cannot be deleted")
        }
        try await dialect.accounts.directoryAdministration.delete(directory.id)
        dialect.directories.invalidate()
        return Answer.object(["ref": .string(directory.name), "name": .string(Self.title(directory))])
    }

    private func keys(_: Request, _ context: LatchkeyRequestContext) async throws -> Response {
        let issuer = try await ProjectKeyIssuer(
            for: try await project(context), keys: dialect.keys, at: context.now)
        return Answer.json([
            ["name": "anon", "api_key": .string(issuer.anonymous)],
            ["name": "service_role", "api_key": .string(issuer.serviceRole.reveal())],
        ])
    }

    private func project(_ context: LatchkeyRequestContext) async throws -> Directory {
        guard let name = context.parameters.get("ref"),
            let directory = try await dialect.directories.directory(named: name, at: context.now)
        else { throw WireError(.notFound, "not_found", "Project not found") }
        return directory
    }

    // MARK: The wire

    private static func title(_ directory: Directory) -> String { directory.settings.title ?? directory.name }

    private static func encode(_ directory: Directory) -> JSONObject {
        [
            "id": .string(directory.name), "ref": .string(directory.name), "name": .string(title(directory)),
            "organization_id": "latchkey", "region": "local", "status": "ACTIVE_HEALTHY",
            "created_at": .string(directory.createdAt.rfc3339),
        ]
    }
}

/// Errors of the Management API: a message and no more.
struct ProjectErrors: ErrorRenderer {
    func response(for error: AuthError, to request: Request, context: LatchkeyRequestContext) -> Response {
        let entry = ErrorTable.entry(for: error.code)
        return Self.answer(entry.message, entry.status)
    }

    static func answer(_ message: String, _ status: HTTPResponse.Status) -> Response {
        Answer.object(["message": .string(message)], status: status)
    }
}
