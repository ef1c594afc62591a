// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Hummingbird
import ServerKit

/// One operation that nobody signs in for: what it is given proves itself. Each Directory has its own, the default one
/// at `/v1`, others at `/directories/{name}/v1`.
struct PublicRoute: Sendable {
    let method: HTTPRequest.Method
    /// Below the Directory's own place.
    let path: String
    let limit: RouteLimit
    let endpoint: @Sendable (PublicCall) async throws -> Response

    init(
        _ method: HTTPRequest.Method, _ path: String, _ limit: RouteLimit,
        _ endpoint: @escaping @Sendable (PublicCall) async throws -> Response
    ) {
        self.method = method
        self.path = path
        self.limit = limit
        self.endpoint = endpoint
    }

    static let all: [PublicRoute] = [
        PublicRoute(
            .post, ProviderEventsEndpoint.path + "/{provider}/events", .by(.providerEvents),
            ProviderEventsEndpoint.post),
        PublicRoute(.post, UserSyncEndpoints.path, .by(.userSync), UserSyncEndpoints.post),
        PublicRoute(.get, UserSyncEndpoints.path + "/{id}", .by(.userSync), UserSyncEndpoints.get),
        PublicRoute(.get, TermsEndpoints.path, .unlimited(.publicDocument), TermsEndpoints.current),
    ]
}
