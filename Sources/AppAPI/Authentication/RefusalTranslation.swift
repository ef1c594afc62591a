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
            let error = Self.error(for: refusal.cause)
            // What the client is to do about it is said by the challenge alone (RFC 9449, section 9; RFC 9470,
            // section 3).
            guard Self.isChallenge(refusal) else { throw error }
            var response = AppErrors().response(for: error, to: request, context: context.parent)
            response.headers[.wwwAuthenticate] = refusal.challenge
            if let nonce = refusal.nonce { response.headers[.dpopNonce] = nonce }
            return response
        }
    }

    private static func isChallenge(_ refusal: AccessRefusal) -> Bool {
        switch refusal.cause {
        case .insufficient(.authentication), .proof, .nonceNeeded: true
        case .token(let error): error.code == .wrongBinding
        default: false
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
        case .proof(let reason): AuthError(.tokenInvalid, reason: "the proof of its key: \(reason)")
        case .nonceNeeded: AuthError(.tokenInvalid, reason: "the proof of its key has no nonce of ours")
        case .insufficient(.assurance), .insufficient(.authentication): AuthError(.insufficientAssurance)
        case .insufficient: AuthError(.forbidden, reason: "the policy wants more")
        }
    }
}
