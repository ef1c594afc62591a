// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import Logging
import ServerKit

extension OpenIDProvider {
    /// For whoever names this room's table beside those of others: the room is called as this type is.
    static var routes: [Route] { Route.all }

    public func addRoutes(to router: some RouterMethods<LatchkeyRequestContext>, routes: KnownRoutes) {
        for route in Route.all + entrances {
            for path in route.paths {
                routes.add(route.method, path)
                router.on(RouterPath(path), method: route.method) { request, context in
                    try await respond(to: request, context, by: route)
                }
            }
        }
        for dialect in dialects { dialect.addProviderRoutes(to: router, routes: routes) }
        // One for each path, whatever methods it takes: a page's script asks first (Fetch standard, section 3.2.2).
        for path in Set(Route.all.filter { $0.origins != .none }.flatMap(\.paths)) {
            routes.add(.options, path)
            router.on(RouterPath(path), method: .options) { request, _ in
                var response = Response(status: .noContent)
                CrossOrigin.expose(&response, to: request)
                return response
            }
        }
    }

    public var surfaces: [Surface] {
        // What other dialects have here besides are pages.
        let pages = PageErrors { try? await domain(of: $0.head.authority, at: $1) }
        return ["/oauth2", "/.well-known"].map { Surface(prefix: $0, renderer: errors) }
            + dialects.flatMap(\.providerPaths).map { Surface(prefix: $0, renderer: pages) }
    }

    public var errors: any ErrorRenderer { ProviderErrors() }
    /// Passwords are typed on the account pages.
    public var hashingRoutes: [HashingRoute] { [] }

    public var ownOrigins: [String] { ["/oauth2", "/.well-known"] + dialects.flatMap(\.providerPaths) }

    public static func errorEntry(for code: AuthErrorCode) -> ErrorEntry? {
        let error = OAuthError(AuthError(code))
        return ErrorEntry(
            status: error.status.code, code: error.code, words: error.description,
            told: error.localized(in: .en)?.key)
    }

    private func respond(
        to request: Request, _ context: LatchkeyRequestContext, by route: Route
    ) async throws -> Response {
        var isOpen = route.origins == .everyone
        var known: ProviderCall?
        var response: Response
        do {
            var call = try await call(request, context, route)
            if route.takesJSON {
                call.document = try await RequestReading.object(of: request, limits: ClientMetadata.limits)
            }
            call.item = context.parameters.get("client")
            known = call
            if route.origins == .client { isOpen = request.headers[.origin].map { call.isOwn(origin: $0) } ?? false }
            if route.caller == .anybody { try call.count() }
            response = try await answer(call, by: route)
        } catch let error as OAuthError {
            response = answer(error, route, known, request, context)
        } catch let refusal as AuthorizationRefusal {
            response = answer(OAuthError(refusal), route, known, request, context)
        } catch let error as AuthError where ErrorTable.entry(for: error.code).status.code < 500 {
            // What is the server's own fault is answered, and noted, where every such is.
            context.logger.debug("refused", metadata: ["reason": .string(error.description)])
            response = answer(OAuthError(error), route, known, request, context)
        }
        if isOpen { CrossOrigin.expose(&response, to: request) }
        return response
    }

    private func answer(
        _ error: OAuthError, _ route: Route, _ call: ProviderCall?, _ request: Request,
        _ context: LatchkeyRequestContext
    ) -> Response {
        let language = MessageLanguage(acceptLanguage: request.headers.value(.acceptLanguage))
        guard route.audience == .person else {
            return call?.dialect?.response(to: error, in: language) ?? error.response(in: language)
        }
        var page = OAuthErrorPage(
            error: error, brand: PageBrand(call?.directory.settings ?? DirectorySettings()), language: language,
            reference: context.requestID)
        page.app = AppLink(call?.flow.client)
        return page.response
    }

    private func call(
        _ request: Request, _ context: LatchkeyRequestContext, _ route: Route
    ) async throws -> ProviderCall {
        let parameters = route.takesJSON ? Parameters() : try await parameters(of: request)
        let named = context.parameters.get("directory")
        let domain = try await domain(of: request.head.authority, at: context.now)
        let credentials = Result { () throws(OAuthError) in try ClientCredentials(request.headers, parameters) }
        let claimed =
            named == nil ? ClientCredentials.claimedID(credentials, request.headers, parameters) : nil
        var client: Client?
        if let claimed { client = try await clients.client(claimed, at: context.now) }
        if let domain, client?.directoryID != domain.id { client = nil }
        let found =
            if let client {
                try await directories.directory(client.directoryID, at: context.now)
            } else if named == nil, let domain {
                domain
            } else {
                try await directories.directory(named: named ?? DirectoryCatalog.defaultName, at: context.now)
            }
        guard let directory = found else { throw AuthError(.notFound, reason: "no such directory") }
        var flow = CallContext(
            directory: directory, now: context.now, device: DeviceMetadata(request, client: context.client),
            language: MessageLanguage(acceptLanguage: request.headers.value(.acceptLanguage)),
            links: AccountLinks(url: settings.url),
            dialect: Self.name, client: client)
        flow.origin = context.origin
        flow.shows = []
        return ProviderCall(
            provider: self, flow: flow, request: request.head, path: request.uri.path, parameters: parameters,
            credentials: credentials, limit: route.limit)
    }

    /// Of a query, or of a form; a `POST` without a body has none.
    private func parameters(of request: Request) async throws -> Parameters {
        guard request.method == .post else { return Parameters(try RequestReading.pairs(request.uri.query ?? "")) }
        if !request.headers.contains(.contentType), try await RequestReading.bytes(of: request).isEmpty {
            return Parameters()
        }
        return Parameters(try await RequestReading.formPairs(of: request))
    }

    /// The Directory whose domain a request is to.
    private func domain(of authority: String?, at now: Instant) async throws -> Directory? {
        for dialect in dialects {
            if let directory = try await dialect.directory(ofHost: authority, at: now) { return directory }
        }
        return nil
    }
}

/// Errors of the provider's URL space that no operation has answered, and the server's own: a page where a person reads
/// it.
struct ProviderErrors: ErrorRenderer {
    func response(for error: AuthError, to request: Request, context: LatchkeyRequestContext) -> Response {
        let path = request.uri.path
        let language = MessageLanguage(acceptLanguage: request.headers.value(.acceptLanguage))
        guard Route.all.contains(where: { $0.audience == .person && $0.paths.contains(path) }) else {
            return OAuthError(error).response(in: language)
        }
        return OAuthErrorPage(
            error: OAuthError(error), brand: PageBrand(DirectorySettings()), language: language,
            reference: context.requestID
        ).response
    }
}
