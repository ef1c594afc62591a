// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// The pages by which people sign up and in at this server itself, in a browser, and see to their account.
///
/// Every Directory has them: the default one at `/account`, others at `/directories/{name}/account`. An app sends its
/// users here through the OpenID provider; a page then knows what the browser is in the midst of by `?request=`, and
/// leads back there. The two share nothing but that identifier and the browser's cookies.
public struct AccountPages: Sendable {
    /// Where the OpenID provider goes on with a request.
    static let continuation = "/oauth2/authorize/continue"

    let accounts: AccountFlows
    let url: ServerURL
    let plain = PlainPages()
    /// Those whose apps send users here.
    let dialects: [any ProviderDialect]
    private let ofHost: @Sendable (_ authority: String?, Instant) async throws -> Directory?

    /// - Parameters:
    ///   - dialects: those whose apps send users here, beside this server's own.
    ///   - ofHost: the Directory one of whose domains a request's host is.
    public init(
        accounts: AccountFlows, url: ServerURL, dialects: [any ProviderDialect] = [],
        ofHost: @escaping @Sendable (_ authority: String?, Instant) async throws -> Directory? = { _, _ in nil }
    ) {
        self.accounts = accounts
        self.url = url
        self.dialects = dialects
        self.ofHost = ofHost
    }

    func directory(ofHost authority: String, at now: Instant) async throws -> Directory? {
        try await ofHost(authority, now)
    }

    /// What is not found here, or asked in a way that no page answers, is said by a page too.
    public var surfaces: [Surface] {
        [Self.path, "/directories/*" + Self.path].map {
            Surface(prefix: $0, renderer: AccountErrors(directories: accounts.directories))
        }
    }

    /// Forms in which a password is typed.
    public static var hashingRoutes: [HashingRoute] {
        Route.all.flatMap { route in
            [path, "/directories/{directory}" + path].compactMap { prefix in
                HashingRoute(route.method, prefix + route.path, route.hashing, PageErrors())
            }
        }
    }

    /// Where the pages of the default Directory are.
    public static let path = AccountPlace.path

    /// For whoever names this room's table beside those of others: the room is called as this type is.
    static var routes: [Route] { Route.all }

    public func addRoutes(to router: some RouterMethods<LatchkeyRequestContext>, routes: KnownRoutes) {
        for route in Route.all {
            for prefix in [Self.path, "/directories/{directory}" + Self.path] {
                let path = prefix + route.path
                routes.add(route.method, path)
                router.on(RouterPath(path), method: route.method) { request, context in
                    try await respond(to: request, context, by: route)
                }
            }
        }
        // Where password managers look (W3C, "A Well-Known URL for Changing Passwords"): of a site, so by its host.
        routes.add(.get, "/.well-known/change-password")
        router.get("/.well-known/change-password") { request, context in
            let directory = try await ofHost(request.head.authority, context.now)
            return Response(
                status: .seeOther,
                headers: [.location: (directory.map(AccountPlace.path) ?? Self.path) + "/password"])
        }
    }

    private func respond(
        to request: Request, _ context: LatchkeyRequestContext, by route: Route
    ) async throws -> Response {
        let call: PageCall
        do {
            call = try await PageCall(request, context, of: self, for: route)
        } catch {
            let name = context.parameters.get("directory") ?? DirectoryCatalog.defaultName
            let found = ErrorPage(
                error, in: try await accounts.directories.directory(named: name, at: context.now),
                language: LanguageChoice(chosen: nil, headers: request.headers, wished: []).language,
                reference: context.requestID)
            guard var page = found else { throw error }
            if let client = (error as? AuthorizationRefusal)?.client {
                page.app = AppLink(try await accounts.clients.client(client, at: context.now))
            }
            return page.response
        }
        var response: Response
        do {
            try route.limit.count(call, by: accounts.limits)
            response = try await route.endpoint(call)
        } catch let detour as Detour {
            response = detour.response
        } catch {
            let page = ErrorPage(error, in: call.directory, language: call.language, reference: call.requestID)
            guard var page else { throw error }
            page.app = AppLink(call.app)
            response = page.response
        }
        if route.comesFromElsewhere { return response }
        for cookie in call.newCookies { response.headers.append(cookie) }
        return response
    }
}

/// Errors of paths that are no page, and of the server's own, as the Directory's pages look that the path is below.
struct AccountErrors: ErrorRenderer {
    let directories: DirectoryCatalog

    func response(for error: AuthError, to request: Request, context: LatchkeyRequestContext) async -> Response {
        let parts = request.uri.path.split(separator: "/")
        let name = parts.first == "directories" && parts.count > 1 ? String(parts[1]) : DirectoryCatalog.defaultName
        // Where nothing is known of it, as where the store can't be read, the page looks as it would without settings.
        let directory = (try? await directories.directory(named: name, at: context.now)).flatMap(\.self)
        return ErrorPage(
            any: error, in: directory,
            language: LanguageChoice(chosen: nil, headers: request.headers, wished: []).language,
            reference: context.requestID
        ).response
    }
}
