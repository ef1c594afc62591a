// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// An error as OAuth says it (RFC 6749, sections 4.1.2.1 and 5.2; RFC 6750, section 3.1).
struct OAuthError: Error, Sendable, Equatable {
    var status: HTTPResponse.Status
    var code: String
    /// For the client's developer.
    var description: String
    /// What a `401` or a `403` asks for; `nil` for none.
    var challenge: String?
    var retryAfter: Span?

    init(
        _ status: HTTPResponse.Status, _ code: String, _ description: String, challenge: String? = nil,
        retryAfter: Span? = nil
    ) {
        self.status = status
        self.code = code
        self.description = Self.printable(description)
        self.challenge = challenge
        self.retryAfter = retryAfter
    }

    var response: Response {
        var response = Answer.object(
            ["error": .string(code), "error_description": .string(description)], status: status)
        response.headers[.wwwAuthenticate] = challenge
        if let wait = retryAfter ?? (status == .serviceUnavailable ? .seconds(5) : nil) {
            response.headers.setRetryAfter(wait)
        }
        return response
    }

    /// RFC 6749, section 5.2: `%x20-21 / %x23-5B / %x5D-7E`. What comes of what a client sent must not end the text.
    private static func printable(_ text: String) -> String {
        let kept = text.utf8.prefix(300).filter { (32...126).contains($0) && $0 != 0x22 && $0 != 0x5C }
        return String(decoding: kept, as: UTF8.self)
    }

    /// A parameter's name in a description: names are the client's own words.
    static func name(_ name: String) -> String { printable(String(name.prefix(40))) }
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
        Self(.unauthorized, "invalid_token", "An access token is needed", challenge: #"Bearer realm="latchkey""#)
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
