// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

extension AppAPI {
    /// The parts of the URL space in which errors are said in this API's form.
    public var surfaces: [Surface] { [Surface(prefix: "/v1", renderer: errors)] }

    public var errors: any ErrorRenderer { AppErrors() }

    public func addRoutes(to router: Router<LatchkeyRequestContext>, routes: KnownRoutes, url: ServerURL) {
        routes.add(.get, "/openapi.json")
        router.get("/openapi.json") { _, _ in Self.answer(OpenAPIDocument.make(serverURL: url.text)) }
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
            AppErrorTable.body(for: error), status: AppErrorTable.entry(for: error.code).status)
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
