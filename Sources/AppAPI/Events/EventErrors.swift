// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// Refuses a Security Event Token as whoever sends them by push is told (RFC 8935, sections 2.3 and 2.4).
struct EventErrors: ErrorRenderer {
    func response(for error: AuthError, to _: Request, context _: LatchkeyRequestContext) -> Response {
        let refusal = Self.refusal(error)
        let body: JSONObject = ["err": .string(refusal.code), "description": .string(refusal.description)]
        var response = AppAPI.answer(body, status: AppErrorTable.entry(for: error.code).status)
        response.headers[.contentLanguage] = "en"
        // What is refused for the moment is sent again.
        if let wait = error.retryAfter ?? (response.status == .serviceUnavailable ? .seconds(60) : nil) {
            response.headers.setRetryAfter(wait)
        }
        return response
    }

    /// Section 2.4 has six codes, for what is wrong with the token; by the status the rest is told.
    static func refusal(_ error: AuthError) -> (code: String, description: String) {
        switch (error.code, error.field) {
        case (.identityTokenInvalid, UpstreamEvent.Fault.issuer.rawValue):
            ("invalid_issuer", "The token is not this provider's")
        case (.identityTokenInvalid, UpstreamEvent.Fault.audience.rawValue):
            ("invalid_audience", "The token is for another recipient")
        case (.identityTokenInvalid, UpstreamEvent.Fault.key.rawValue):
            ("invalid_key", "The token is signed with a key that is not the provider's")
        case (.identityTokenInvalid, UpstreamEvent.Fault.signature.rawValue):
            ("authentication_failed", "The token's signature is not good")
        case (.identityTokenInvalid, _):
            ("invalid_request", "The body is not a token with events that are still heeded")
        case (.identityProviderNotFound, _), (.identityProviderDisabled, _), (.unsupported, _), (.notFound, _):
            ("access_denied", "Nobody's events are taken here")
        case (.requestTooLarge, _): ("invalid_request", "The body is too large")
        case (.rateLimited, _), (.overloaded, _), (.unavailable, _), (.identityProviderUnavailable, _):
            ("invalid_request", "Not now: send it again later")
        default: ("invalid_request", "The request is not valid")
        }
    }
}
