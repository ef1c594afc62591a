// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Hummingbird
import ServerKit

/// One operation of this dialect.
struct Route: Sendable {
    let method: HTTPRequest.Method
    let path: String
    let access: Access
    /// `nil` for what only administrators may call.
    let limit: RouteLimit?
    let hashing: RouteHashing
    let body: Body
    let gate: Gate?
    let counting: Counting
    let endpoint: @Sendable (DialectCall) async throws -> Response

    init(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access, limit: RouteLimit? = nil,
        hashing: RouteHashing = .never, body: Body = .json, gate: Gate? = nil, counting: Counting = .always,
        _ endpoint: @escaping @Sendable (DialectCall) async throws -> Response
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.limit = limit
        self.hashing = hashing
        self.body = body
        self.gate = gate
        self.counting = counting
        self.endpoint = endpoint
    }

    /// What is read before the operation runs.
    enum Body {
        case json
        /// Of a page's: this server's own, or a provider's.
        case form
        /// Of a client's, which may send either.
        case jsonOrForm
        /// Whatever it is, the answer is the same.
        case unread
    }

    /// What must be switched on for an operation, and when it is asked: the OAuth server of the Directory, or passkeys.
    enum Gate {
        /// Before all else.
        case passkeys
        case first
        /// Who calls comes first, as on the platform.
        case afterCaller
    }

    enum Counting {
        case always
        /// By the operation itself, which passes a client over that has proved itself: a site's own server calls for
        /// all of its users.
        case byOperation
    }

    /// Every operation there is. What the platform has beyond them is in ``switchedOff``.
    static let all: [Route] = accounts + federation + secondFactors + passkeys + oauthServer

    private static let accounts: [Route] = [
        Route(
            .get, SupabaseDialect.healthPath, .open, limit: .unlimited(.publicDocument), SettingsEndpoints.health),
        Route(.get, "/.well-known/jwks.json", .open, limit: .unlimited(.publicDocument), SettingsEndpoints.keys),
        Route(
            .get, "/.well-known/openid-configuration", .open, limit: .unlimited(.publicDocument),
            DiscoveryEndpoint.get),
        Route(.get, "/settings", .project, limit: .unlimited(.publicDocument), SettingsEndpoints.settings),

        Route(
            .post, "/signup", .project,
            limit: .first([.when(.anyMember(["email", "phone"]), .signUp)], otherwise: .anonymous),
            hashing: .when(.anyMember(["password"])), SignUpEndpoint.post),
        Route(
            .post, "/token", .project,
            limit: .first([.when(.query("grant_type", ["refresh_token"]), .refresh)], otherwise: .signIn),
            hashing: .when(.query("grant_type", ["password"])), TokenEndpoint.post),
        Route(.post, "/logout", .holder, limit: .unlimited(.signedIn), LogoutEndpoint.post),
        Route(.get, "/user", .holder, limit: .unlimited(.signedIn), UserEndpoint.get),
        Route(
            .put, "/user", .user, limit: .by(.user), hashing: .when(.anyMember(["password"])), UserEndpoint.put),

        Route(.post, "/recover", .project, limit: .by(.oneTime), MessageEndpoints.recover),
        Route(.post, "/magiclink", .project, limit: .by(.oneTime), MessageEndpoints.magicLink),
        Route(.post, "/otp", .project, limit: .by(.oneTime), MessageEndpoints.oneTimePassword),
        Route(.post, "/resend", .project, limit: .by(.oneTime), MessageEndpoints.resend),
        Route(.get, "/reauthenticate", .user, limit: .by(.oneTime), MessageEndpoints.reauthenticate),
        Route(
            .get, "/verify", .open, limit: .first([.when(.linkActsAtOnce, .verify)], otherwise: .link),
            VerifyEndpoint.get),
        Route(.post, "/verify", .project, limit: .by(.verify), VerifyEndpoint.post),
        Route(.post, VerifyEndpoint.linkPath, .open, limit: .by(.verify), body: .form, VerifyEndpoint.link),

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
