// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Hummingbird
import ServerKit

extension Route {
    /// Sign-in through other people's identity providers. Of one that nobody has configured each says what the platform
    /// says with it switched off.
    static let federation: [Route] = ways + customProviders

    private static let ways: [Route] = [
        Route(
            .get, "/authorize", .open, limit: .by(.authorization), body: .unread, ProviderEndpoints.authorize),
        Route(.get, "/callback", .open, limit: .by(.authorization), body: .unread, ProviderEndpoints.callback),
        Route(.post, "/callback", .open, limit: .by(.authorization), body: .form, ProviderEndpoints.callback),
        Route(
            .get, "/user/identities/authorize", .user, limit: .unlimited(.signedIn), LinkEndpoints.authorize),
        Route(
            .delete, "/user/identities/{part_id}", .user, limit: .unlimited(.signedIn), body: .unread,
            LinkEndpoints.delete),
    ]

    private static let customProviders: [Route] = [
        custom(.get, "", CustomProviderEndpoints.list),
        custom(.post, "", CustomProviderEndpoints.create),
        custom(.get, "/{part_id}", CustomProviderEndpoints.get),
        custom(.put, "/{part_id}", CustomProviderEndpoints.update),
        custom(.delete, "/{part_id}", CustomProviderEndpoints.delete),
    ]

    private static func custom(
        _ method: HTTPRequest.Method, _ path: String,
        _ endpoint: @escaping @Sendable (DialectCall) async throws -> Response
    ) -> Route {
        Route(method, "/admin/custom-providers" + path, .administrator, endpoint)
    }
}
