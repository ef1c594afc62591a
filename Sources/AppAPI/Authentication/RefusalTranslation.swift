// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Hummingbird
import HummingbirdTokenAuth
import TokenVerifier

/// Says what ``TokenAuthMiddleware`` and ``RequirePolicy`` refuse in the terms of the domain, so that it is answered as
/// every other error of this API.
struct RefusalTranslation: RouterMiddleware {
    typealias Context = AppRequestContext

    func handle(
        _ request: Request, context: AppRequestContext,
        next: @concurrent (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let refusal as AccessRefusal {
            throw Self.error(for: refusal.cause)
        }
    }

    static func error(for cause: AccessRefusal.Cause) -> AuthError {
        switch cause {
        case .noCredentials: AuthError(.tokenMissing)
        case .severalCredentials: AuthError(.invalidRequest, reason: "several Authorization headers")
        case .token(let error):
            switch error.code {
            case .expired: AuthError(.tokenExpired)
            case .keysUnavailable: AuthError(.unavailable, reason: error.reason)
            default: AuthError(.tokenInvalid, reason: error.description)
            }
        case .apiKey: AuthError(.apiKeyInvalid)
        case .apiKeysUnavailable: AuthError(.unavailable)
        case .insufficient(.assurance): AuthError(.insufficientAssurance)
        case .insufficient: AuthError(.forbidden, reason: "the policy wants more")
        }
    }
}
