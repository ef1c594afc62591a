// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

extension AppAPI {
    /// The parts of the URL space in which errors are said in this API's form.
    public var surfaces: [Surface] {
        [Self.path, "/directories/*" + Self.path].flatMap {
            [
                Surface(prefix: $0, renderer: errors),
                Surface(prefix: $0 + ProviderEventsEndpoint.path, renderer: EventErrors()),
            ]
        }
    }

    public var errors: any ErrorRenderer { AppErrors() }

    public func addRoutes(to router: some RouterMethods<LatchkeyRequestContext>, routes: KnownRoutes, url: ServerURL) {
        routes.add(.get, "/openapi.json")
        router.get("/openapi.json") { _, _ in Self.answer(OpenAPIDocument.make(serverURL: url.text)) }
        addPublicRoutes(to: router, routes: routes, url: url)
        let users = protected(router, url: url)
        for route in Route.all {
            routes.add(route.method, route.path)
            let group =
                if let scope = route.access.scope { administrative(router, scope: scope, url: url) } else { users }
            group.on(RouterPath(route.path), method: route.method) { [accounts] request, context in
                try await route.endpoint(AppCall(request, context, by: route.access, accounts: accounts))
            }
        }
    }

    private func addPublicRoutes(
        to router: some RouterMethods<LatchkeyRequestContext>, routes: KnownRoutes, url: ServerURL
    ) {
        for route in PublicRoute.all {
            for prefix in [Self.path, "/directories/{directory}" + Self.path] {
                let path = prefix + route.path
                routes.add(route.method, path)
                router.on(RouterPath(path), method: route.method) { [accounts, pool] request, context in
                    let call = try await PublicCall(
                        request, context, accounts: accounts, links: SiteLinks(url), pool: pool)
                    try route.limit.count(call, by: accounts.limits)
                    return try await route.endpoint(call)
                }
            }
        }
    }

    static func answer(_ object: JSONObject, status: HTTPResponse.Status = .ok) -> Response {
        answer(object.serialized(), status: status)
    }

    /// - Parameter json: as it is sent.
    static func answer(_ json: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(status: status, headers: isJSON, body: .init(byteBuffer: ByteBuffer(bytes: json)))
    }

    private static let isJSON: HTTPFields = [.contentType: "application/json"]
}

struct AppErrors: ErrorRenderer {
    func response(for error: AuthError, to request: Request, context: LatchkeyRequestContext) -> Response {
        var response = AppAPI.answer(
            AppErrorTable.body(
                for: error, in: MessageLanguage(acceptLanguage: request.headers[.acceptLanguage])),
            status: AppErrorTable.entry(for: error.code).status)
        let isByProof = request.headers.accessToken?.scheme == "dpop"
        if let challenge = AppErrorTable.challenge(for: error, isByProof: isByProof) {
            response.headers[.wwwAuthenticate] = challenge
        }
        if let wait = error.retryAfter ?? (response.status == .serviceUnavailable ? .seconds(5) : nil) {
            response.headers.setRetryAfter(wait)
        }
        return response
    }
}
