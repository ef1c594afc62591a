// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// One operation of this dialect.
struct Route: Sendable {
    let method: HTTPRequest.Method
    let path: String
    let access: Access
    /// Whether the body is a form, which only a page of this server's sends, and not JSON.
    let isForm: Bool
    let endpoint: @Sendable (DialectCall) async throws -> Response

    init(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access, isForm: Bool = false,
        _ endpoint: @escaping @Sendable (DialectCall) async throws -> Response
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.isForm = isForm
        self.endpoint = endpoint
    }

    /// Every operation there is. What the platform has beyond them answers `404` in its shape.
    static let all: [Route] = [
        Route(.get, "/health", .open, SettingsEndpoints.health),
        Route(.get, "/.well-known/jwks.json", .open, SettingsEndpoints.keys),
        Route(.get, "/settings", .project, SettingsEndpoints.settings),

        Route(.post, "/signup", .project, SignUpEndpoint.post),
        Route(.post, "/token", .project, TokenEndpoint.post),
        Route(.post, "/logout", .user, LogoutEndpoint.post),
        Route(.get, "/user", .user, UserEndpoint.get),
        Route(.put, "/user", .user, UserEndpoint.put),

        Route(.post, "/recover", .project, MessageEndpoints.recover),
        Route(.post, "/magiclink", .project, MessageEndpoints.magicLink),
        Route(.post, "/otp", .project, MessageEndpoints.oneTimePassword),
        Route(.post, "/resend", .project, MessageEndpoints.resend),
        Route(.get, "/reauthenticate", .user, MessageEndpoints.reauthenticate),
        Route(.get, "/verify", .open, VerifyEndpoint.get),
        Route(.post, "/verify", .project, VerifyEndpoint.post),
        Route(.post, VerifyEndpoint.linkPath, .open, isForm: true, VerifyEndpoint.link),

        Route(.post, "/invite", .administrator, AdminLinkEndpoints.invite),
        Route(.post, "/admin/generate_link", .administrator, AdminLinkEndpoints.generate),
        Route(.get, "/admin/audit", .administrator, AdminAuditEndpoint.list),
        Route(.get, "/admin/users", .administrator, AdminUserEndpoints.list),
        Route(.post, "/admin/users", .administrator, AdminUserEndpoints.create),
        Route(.get, "/admin/users/{user_id}", .administrator, AdminUserEndpoints.get),
        Route(.put, "/admin/users/{user_id}", .administrator, AdminUserEndpoints.update),
        Route(.delete, "/admin/users/{user_id}", .administrator, AdminUserEndpoints.delete),
    ]
}
