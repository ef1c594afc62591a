// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Hummingbird
import HummingbirdTokenAuth
import ServerKit
import TokenVerifier

/// Refuses a token that its user gave an app of somebody else's, wherever this API does not know what it was given for.
/// What the operator's own apps hold is bound by nothing but its user: see ``ServerKit/OwnIssuer/scopes``.
struct GrantedScopes: RouterMiddleware {
    typealias Context = AppRequestContext

    /// The paths that answer by a token's scopes.
    private static let paths: Set<String> = ["/v1/me"]

    func handle(
        _ request: Request, context: AppRequestContext,
        next: @concurrent (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        let issuer = context.identity?.verifiedToken?.attachment as? OwnIssuer
        guard issuer?.scopes == nil || Self.paths.contains(request.uri.path) else {
            throw AuthError(.forbidden, reason: "a token that was given to somebody else's app")
        }
        return try await next(request, context)
    }
}
