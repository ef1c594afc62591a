// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Hummingbird
import ServerKit

extension Route {
    static let serverMetadataPath = "/.well-known/oauth-authorization-server"

    /// The platform's own OAuth server: apps of others have users sign in, and a page of the site's asks them.
    static let oauthServer: [Route] = authorization + clients

    private static let authorization: [Route] = [
        Route(
            .get, serverMetadataPath, .open, limit: .unlimited(.publicDocument), gate: .first, DiscoveryEndpoint.get),
        Route(.get, "/oauth/authorize", .open, limit: .by(.authorization), gate: .first, AuthorizeEndpoint.get),
        Route(
            .get, "/oauth/authorizations/{part_id}", .user, limit: .unlimited(.signedIn), gate: .first,
            AuthorizationEndpoints.get),
        Route(
            .post, "/oauth/authorizations/{part_id}/consent", .user, limit: .unlimited(.signedIn), gate: .first,
            AuthorizationEndpoints.consent),
        Route(
            .post, "/oauth/token", .open, limit: .by(.refresh), body: .jsonOrForm, gate: .first,
            counting: .byOperation, OAuthTokenEndpoint.post),
        Route(
            .get, "/oauth/userinfo", .unnamedHolder, limit: .unlimited(.signedIn), gate: .first,
            UserInfoEndpoint.get),
        Route(.get, "/user/oauth/grants", .user, limit: .unlimited(.signedIn), gate: .afterCaller, GrantEndpoints.list),
        Route(
            .delete, "/user/oauth/grants", .user, limit: .unlimited(.signedIn), gate: .afterCaller,
            GrantEndpoints.revoke),
    ]

    private static let clients: [Route] = [
        Route(
            .post, "/oauth/clients/register", .open, limit: .by(.clientRegistration), gate: .first,
            OAuthClientEndpoints.register),
        client(.get, "", OAuthClientEndpoints.list),
        client(.post, "", OAuthClientEndpoints.create),
        client(.get, "/{part_id}", OAuthClientEndpoints.get),
        client(.put, "/{part_id}", OAuthClientEndpoints.update),
        client(.delete, "/{part_id}", OAuthClientEndpoints.delete),
        client(.post, "/{part_id}/regenerate_secret", OAuthClientEndpoints.regenerateSecret),
    ]

    private static func client(
        _ method: HTTPRequest.Method, _ path: String,
        _ endpoint: @escaping @Sendable (DialectCall) async throws -> Response
    ) -> Route {
        Route(method, "/admin/oauth/clients" + path, .administrator, gate: .afterCaller, endpoint)
    }
}
