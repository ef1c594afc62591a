// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import Logging
import Mail
import ServerKit

extension AppAPI {
    /// The parts of the URL space in which errors are said in this API's form.
    public var surfaces: [Surface] { [Surface(prefix: "/v1", renderer: errors)] }

    public var errors: any ErrorRenderer { AppErrors() }

    public func addRoutes(to router: Router<LatchkeyRequestContext>, routes: KnownRoutes, url: ServerURL) {
        for (method, path) in Self.paths + Self.adminPaths { routes.add(method, path) }
        router.get("/openapi.json") { _, _ in Self.answer(OpenAPIDocument.make(serverURL: url.text)) }
        router.get("/v1/me") { request, context in
            let signedIn = try await signedIn(request, context)
            return Self.answer(MeEndpoint.encode(signedIn.view))
        }
        router.get("/v1/activities") { request, context in
            let query = try ActivitiesEndpoint.Query(try RequestReading.query(of: request))
            let signedIn = try await signedIn(request, context)
            let page = try await ActivityFeed(ports).page(
                of: signedIn.view.account.id, matching: query.filter, cursor: query.cursor, limit: query.limit,
                in: signedIn.directory)
            return Self.answer(ActivitiesEndpoint.encode(page))
        }
        router.post("/v1/users/register") { request, context in
            let signedIn = try await signedIn(request, context)
            let changes = try RegisterEndpoint.changes(from: try await RequestReading.object(of: request))
            let view = try await ProfileFlow(ports).register(
                changes, of: signedIn.view.account.id, call: call(request, context, signedIn))
            return Self.answer(MeEndpoint.encode(view))
        }
        addAdminRoutes(to: router)
    }

    private static let paths: [(HTTPRequest.Method, String)] = [
        (.get, "/openapi.json"), (.get, "/v1/me"), (.get, "/v1/activities"), (.post, "/v1/users/register"),
    ]

    func signedIn(_ request: Request, _ context: LatchkeyRequestContext) async throws -> SignedInUser {
        do {
            return try await authentication.authenticate(request.headers[.authorization], at: context.now)
        } catch let error as AuthError where error.code == .tokenInvalid || error.code == .tokenExpired {
            // Why and from where, and nothing of the token or its user (Y-FR12).
            context.logger.notice(
                "token refused",
                metadata: [
                    "reason": .string(error.reason ?? error.code.rawValue),
                    "client": .string(context.client.truncated ?? "unknown"),
                ])
            throw error
        }
    }

    func call(
        _ request: Request, _ context: LatchkeyRequestContext, _ signedIn: SignedInUser
    ) -> CallContext {
        CallContext(
            directory: signedIn.directory, now: context.now, device: DeviceMetadata(request, client: context.client),
            language: MailLanguage(acceptLanguage: request.headers[.acceptLanguage]), links: NoLinks(),
            actor: .user(signedIn.view.account.id))
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
            ErrorTable.body(for: error), status: ErrorTable.entry(for: error.code).status)
        if let challenge = ErrorTable.challenge(for: error) { response.headers[.wwwAuthenticate] = challenge }
        if let wait = error.retryAfter {
            response.headers[.retryAfter] = String(max(1, (wait.microseconds + 999_999) / 1_000_000))
        } else if response.status == .serviceUnavailable {
            response.headers[.retryAfter] = "5"
        }
        return response
    }
}
