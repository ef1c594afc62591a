// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import Mail
import ServerKit

extension AppAPI {
    /// The parts of the URL space in which errors are said in this API's form.
    public var surfaces: [Surface] { [Surface(prefix: "/v1", renderer: errors)] }

    public var errors: any ErrorRenderer { AppErrors() }

    public func addRoutes(to router: Router<LatchkeyRequestContext>, routes: KnownRoutes, url: ServerURL) {
        for (method, path) in Self.paths + Self.adminPaths { routes.add(method, path) }
        router.get("/openapi.json") { _, _ in Self.answer(OpenAPIDocument.make(serverURL: url.text)) }
        let users = protected(router, "/v1")
        users.get("me") { _, context in Self.answer(MeEndpoint.encode(try context.user().view)) }
        users.get("activities") { request, context in
            let signedIn = try context.user()
            let query = try ActivitiesEndpoint.Query(try RequestReading.query(of: request))
            let page = try await accounts.activityFeed.page(
                of: signedIn.view.account.id, matching: query.filter, cursor: query.cursor, limit: query.limit,
                in: signedIn.directory)
            return Self.answer(ActivitiesEndpoint.encode(page))
        }
        users.post("users/register") { request, context in
            let signedIn = try context.user()
            let changes = try RegisterEndpoint.changes(from: try await RequestReading.object(of: request))
            let view = try await accounts.profileFlow.register(
                changes, of: signedIn.view.account.id,
                call: call(request, context, by: .user(signedIn.view.account.id)))
            return Self.answer(MeEndpoint.encode(view))
        }
        addAdminRoutes(to: router)
    }

    private static let paths: [(HTTPRequest.Method, String)] = [
        (.get, "/openapi.json"), (.get, "/v1/me"), (.get, "/v1/activities"), (.post, "/v1/users/register"),
    ]

    func call(
        _ request: Request, _ context: AppRequestContext, by actor: AuditEvent.Actor
    ) throws(AuthError) -> CallContext {
        CallContext(
            directory: try context.user().directory, now: context.now,
            device: DeviceMetadata(request, client: context.parent.client),
            language: MessageLanguage(acceptLanguage: request.headers[.acceptLanguage]), links: NoLinks(), actor: actor)
    }

    static func answer(_ object: JSONObject, status: HTTPResponse.Status = .ok) -> Response {
        var headers = HTTPFields()
        headers[.contentType] = "application/json"
        return Response(
            status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: object.serialized())))
    }
}

/// This API sends no mail with links.
private struct NoLinks: VerificationLinks {
    func link(for _: OneTimeToken.Purpose, token _: String, redirectTo: String, in _: Directory) -> String {
        redirectTo
    }
}

struct AppErrors: ErrorRenderer {
    func response(for error: AuthError, to request: Request, context: LatchkeyRequestContext) -> Response {
        var response = AppAPI.answer(
            AppErrorTable.body(for: error), status: AppErrorTable.entry(for: error.code).status)
        if let challenge = AppErrorTable.challenge(for: error) { response.headers[.wwwAuthenticate] = challenge }
        if let wait = error.retryAfter {
            response.headers[.retryAfter] = String(max(1, (wait.microseconds + 999_999) / 1_000_000))
        } else if response.status == .serviceUnavailable {
            response.headers[.retryAfter] = "5"
        }
        return response
    }
}
