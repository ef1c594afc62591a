// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

extension OAuthError {
    func response(in language: MessageLanguage) -> Response {
        var body: JSONObject = ["error": .string(code), "error_description": .string(description)]
        tell(in: language, &body)
        var response = Answer.object(body, status: status)
        response.headers[.wwwAuthenticate] = challenge
        response.headers[.dpopNonce] = nonce
        if let wait = retryAfter ?? (status == .serviceUnavailable ? .seconds(5) : nil) {
            response.headers.setRetryAfter(wait)
        }
        return response
    }
}

extension OAuthError {
    static func invalidRequest(_ description: String) -> Self { Self(.badRequest, "invalid_request", description) }
    static func invalidGrant(_ description: String) -> Self { Self(.badRequest, "invalid_grant", description) }
    static func invalidScope(_ description: String) -> Self { Self(.badRequest, "invalid_scope", description) }
    static func invalidTarget(_ description: String) -> Self { Self(.badRequest, "invalid_target", description) }
    static func unauthorizedClient(_ description: String) -> Self {
        Self(.badRequest, "unauthorized_client", description)
    }

    /// RFC 6749, section 5.2: `401`, with the scheme that the client has tried by.
    static func invalidClient(_ description: String = "The client is not known, or has not proved itself") -> Self {
        Self(.unauthorized, "invalid_client", description, challenge: #"Basic realm="latchkey", charset="UTF-8""#)
    }

    /// RFC 6750, section 3: a call without a token is told of no error.
    static var tokenMissing: Self {
        var error = Self(
            .unauthorized, "invalid_token", "An access token is needed", challenge: #"Bearer realm="latchkey""#)
        error.told = AuthError(.tokenMissing)
        return error
    }

    static func invalidToken(_ description: String = "The access token is not valid") -> Self {
        Self(
            .unauthorized, "invalid_token", description,
            challenge: #"Bearer realm="latchkey", error="invalid_token", error_description="\#(description)""#)
    }

    static func insufficientScope(_ scope: String) -> Self {
        let description = "The access token was not given for the scope \(scope)"
        return Self(
            .forbidden, "insufficient_scope", description,
            challenge: #"Bearer realm="latchkey", error="insufficient_scope", scope="\#(scope)""#)
    }
}
