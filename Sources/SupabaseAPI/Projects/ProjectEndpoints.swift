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
/// The bearer is a secret key of the default Directory, with the scope for Directories where it has scopes: whoever has
/// it runs the server.
struct ProjectEndpoints: Sendable {
    /// Where the Management API is: its host before its paths, as with the emulators of other platforms.
    static let prefix = "/api.supabase.com/v1/projects"

    let dialect: SupabaseDialect

    /// One operation.
    struct Operation: Sendable {
        let method: HTTPRequest.Method
        /// Below ``ProjectEndpoints/prefix``.
        let path: String
        let perform: @Sendable (ProjectEndpoints, Request, LatchkeyRequestContext) async throws -> Response
    }

    static let operations: [Operation] = [
        Operation(method: .get, path: "") { try await $0.list($1, $2) },
        Operation(method: .post, path: "") { try await $0.create($1, $2) },
        Operation(method: .get, path: "/{ref}") { try await $0.get($1, $2) },
        Operation(method: .delete, path: "/{ref}") { try await $0.delete($1, $2) },
        Operation(method: .get, path: "/{ref}/api-keys") { try await $0.keys($1, $2) },
    ]

    func addRoutes(to router: some RouterMethods<LatchkeyRequestContext>, routes: KnownRoutes) {
        for operation in Self.operations {
            let path = Self.prefix + operation.path
            routes.add(operation.method, path)
            router.on(RouterPath(path), method: operation.method) { request, context in
                do {
                    guard try await may(APIKey.directoryScope, request, at: context.now) else {
                        throw WireError(.unauthorized, "unauthorized", "Unauthorized")
                    }
                    return try await operation.perform(self, request, context)
                } catch let error as WireError {
                    return ProjectErrors.answer(error.message, error.status)
                }
            }
        }
    }

    /// Whether the bearer administers the default Directory, as far as the scope reaches.
    private func may(_ scope: String, _ request: Request, at now: Instant) async throws -> Bool {
        guard let token = request.headers.bearerToken,
            let house = try await dialect.directories.directory(named: DirectoryCatalog.defaultName, at: now),
            case .administrator = try await ProjectKeyReader(dialect: dialect).read(
                token, for: scope, in: house, at: now)
        else { return false }
        return true
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

    private func keys(_ request: Request, _ context: LatchkeyRequestContext) async throws -> Response {
        // A key that administers users as well as Directories: who is shown it may not be given more than they have.
        let isShown = try await may(APIKey.userScope, request, at: context.now)
        let issuer = try await ProjectKeyIssuer(
            for: try await project(context), keys: dialect.keys, at: context.now)
        return Answer.json([
            ["name": "anon", "api_key": .string(issuer.anonymous)],
            ["name": "service_role", "api_key": isShown ? .string(issuer.serviceRole.reveal()) : .null],
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
