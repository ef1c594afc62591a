// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import Mail
import ServerKit

extension SupabaseDialect {
    /// Where the dialect of a named Directory is; the default one is without it.
    static let directoryPrefix = "/directories/{directory}"

    /// Adds every operation for the default Directory and for the named ones.
    public func addRoutes(to router: some RouterMethods<LatchkeyRequestContext>, routes: KnownRoutes) {
        for route in Route.all + Route.switchedOff {
            for prefix in settings.pathPrefixes {
                add(route, at: prefix + route.path, to: router, routes)
                add(route, at: Self.directoryPrefix + prefix + route.path, to: router, routes)
            }
            // RFC 8414, section 3.1: before the issuer's path. Without one it is the path itself.
            if route.path == Route.serverMetadataPath, !settings.publicPrefix.isEmpty {
                for prefix in ["", Self.directoryPrefix] {
                    addMetadata(route, at: route.path + prefix + settings.publicPrefix, to: router, routes)
                }
            }
        }
        ProjectEndpoints(dialect: self).addRoutes(to: router, routes: routes)
    }

    /// The parts of the URL space in which errors are said in this dialect's form.
    public var surfaces: [Surface] {
        settings.pathPrefixes.map { Surface(prefix: $0, renderer: errors) }
            + [
                Surface(prefix: "/directories", renderer: errors),
                Surface(prefix: ProjectEndpoints.prefix, renderer: ProjectErrors()),
            ]
    }

    public var hashingRoutes: [HashingRoute] {
        Route.all.flatMap { route in
            settings.pathPrefixes.flatMap { [$0, Self.directoryPrefix + $0] }.compactMap { prefix in
                HashingRoute(route.method, prefix + route.path, route.hashing, SupabaseErrors())
            }
        }
    }

    public static func errorEntry(for code: AuthErrorCode) -> ErrorEntry? {
        ErrorTable.entries[code].map {
            ErrorEntry(
                status: $0.status.code, code: $0.code, words: $0.message, told: ($0.told ?? code).messageKey)
        }
    }

    public var errors: any ErrorRenderer { SupabaseErrors() }

    private func add(
        _ route: Route, at path: String, to router: some RouterMethods<LatchkeyRequestContext>, _ routes: KnownRoutes
    ) {
        routes.add(route.method, path)
        router.on(RouterPath(path), method: route.method) { request, context in
            try await respond(to: request, context, by: route)
        }
    }

    /// Below a path of the OpenID provider's, whose answers say themselves whose pages may read them: everybody's.
    private func addMetadata(
        _ route: Route, at path: String, to router: some RouterMethods<LatchkeyRequestContext>, _ routes: KnownRoutes
    ) {
        routes.add(.get, path)
        routes.add(.options, path)
        router.get(RouterPath(path)) { request, context in
            var response: Response
            do {
                response = try await respond(to: request, context, by: route)
            } catch let error as AuthError {
                response = await errors.response(for: error, to: request, context: context)
            }
            CrossOrigin.expose(&response, to: request)
            return response
        }
        router.on(RouterPath(path), method: .options) { request, _ in
            var response = Response(status: .noContent)
            CrossOrigin.expose(&response, to: request)
            return response
        }
    }

    private func respond(
        to request: Request, _ context: LatchkeyRequestContext, by route: Route
    ) async throws -> Response {
        do {
            let call = try await call(request, context, route)
            if !call.isAdministrator, route.counting == .always { try route.limit?.count(call, by: accounts.limits) }
            do {
                return try await route.endpoint(call)
            } catch let error as AuthError where error.code == .weakPassword {
                throw WireError(error, settings: call.flow.settings.password)
            }
        } catch let error as WireError {
            return Answer.error(error, to: request, context)
        } catch let error as GrantError {
            return error.response(in: MessageLanguage(acceptLanguage: request.headers[.acceptLanguage]))
        }
    }

    private static func requireOAuthServer(_ directory: Directory) throws(WireError) {
        guard directory.settings.oauthServer.enabled else {
            throw WireError(.notFound, "feature_disabled", "OAuth server is disabled")
        }
    }

    private func call(
        _ request: Request, _ context: LatchkeyRequestContext, _ route: Route
    ) async throws -> DialectCall {
        let name = context.parameters.get("directory") ?? DirectoryCatalog.defaultName
        guard let directory = try await directories.directory(named: name, at: context.now) else {
            throw AuthError(.notFound, reason: "no such directory")
        }
        if route.gate == .first { try Self.requireOAuthServer(directory) }
        if route.gate == .passkeys { try PasskeyEndpoints.requireEnabled(directory) }
        var flow = CallContext(
            directory: directory, now: context.now, device: DeviceMetadata(request, client: context.client),
            language: MessageLanguage(acceptLanguage: request.headers[.acceptLanguage]),
            links: VerificationLink(baseURL: baseURL(of: directory), pages: AccountLinks(url: settings.url)),
            dialect: Self.name)
        flow.origin = context.origin
        flow.factorPolicy = .stepUp
        flow.shows = .identities
        try flow.takeAgreedTerms(of: request.headers)
        // Who calls comes before what they say: a stranger's body is not even read.
        let caller = try await CallerAuthentication(dialect: self).authenticate(
            request.headers, for: route.access, call: flow)
        switch caller {
        case .anybody, .token: break
        case .user(let authenticated): flow.actor = .user(authenticated.user.id)
        case .administrator(let role): flow.actor = .administrator(role)
        }
        if route.gate == .afterCaller { try Self.requireOAuthServer(directory) }
        let body =
            switch route.body {
            case _ where request.method == .get: JSONObject()
            case .json: try await RequestReading.object(of: request)
            case .form: try await RequestReading.formObject(of: request)
            case .jsonOrForm where RequestReading.isForm(request): try await RequestReading.formObject(of: request)
            case .jsonOrForm: try await RequestReading.object(of: request)
            case .unread: JSONObject()
            }
        return DialectCall(
            dialect: self, limit: route.limit, flow: flow, body: Input(object: body),
            query: try RequestReading.query(of: request),
            userID: context.parameters.get("user_id"), partID: context.parameters.get("part_id"),
            headers: request.headers,
            authority: request.head.authority, caller: caller, path: request.uri.path)
    }
}

/// Errors of this dialect's URL space.
struct SupabaseErrors: ErrorRenderer, RefusalRenderer {
    let fields: [HTTPField.Name] = [.apiVersion, .acceptLanguage]

    func response(for error: AuthError, to request: Request, context: LatchkeyRequestContext) -> Response {
        Answer.error(WireError(error), to: request, context)
    }

    func refusal(_ error: AuthError, to headers: HTTPFields) -> Refusal {
        Answer.refusal(WireError(error), to: headers)
    }
}
