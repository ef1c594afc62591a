// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// Says no as each vendor does: on a page, or to a program.
struct Refusal: Sendable {
    var vendor: Vendor?
    var audience: Route.Audience
    var context: LatchkeyRequestContext
    var headers: HTTPFields
    var isTokenEndpoint = false

    func response(to error: OAuthError) -> Response {
        switch audience {
        case .person:
            OAuthErrorPage(
                error: error, brand: Vendor.brand(vendor),
                language: MessageLanguage(acceptLanguage: headers[.acceptLanguage]), reference: context.requestID
            ).response
        case .program: program(error)
        }
    }

    private func program(_ error: OAuthError) -> Response {
        let plain: JSONObject = ["error": .string(error.code), "error_description": .string(error.description)]
        switch vendor {
        case .gitHub where isTokenEndpoint:
            // Errors come with 200.
            return Answer.form(plain, unlessJSONIn: headers)
        case .gitHub: return Answer.json(["message": .string(error.description)], status: error.status)
        case .facebook:
            return Answer.json(
                [
                    "error": [
                        "message": .string(error.description), "type": "OAuthException",
                        "code": error.code == "invalid_token" ? 190 : 100, "fbtrace_id": .string(context.requestID),
                    ]
                ], status: error.status == .unauthorized ? .badRequest : error.status)
        default: return Answer.json(.object(plain), status: error.status, challenge: error.challenge)
        }
    }
}

extension OAuthError {
    /// What goes wrong before a vendor's own rules are asked.
    init(_ error: AuthError) {
        switch error.code {
        case .notFound: self.init(.notFound, "not_found", "There is nothing here")
        case .methodNotAllowed: self.init(.methodNotAllowed, "invalid_request", "This method is not allowed here")
        case .requestTooLarge: self.init(.contentTooLarge, "invalid_request", "The request is too large")
        case .forbidden: self.init(.forbidden, "access_denied", "A form of another site's")
        case .overloaded, .unavailable:
            self.init(.serviceUnavailable, "temporarily_unavailable", "The server cannot answer at the moment")
        case .internalFailure: self.init(.internalServerError, "server_error", "The server failed")
        default:
            self.init(
                .badRequest, "invalid_request",
                error.field.map { "The parameter \(OAuthError.name($0)) is not valid" } ?? "The request is not valid")
        }
    }
}

/// What is not found, and whatever else never comes to an operation.
struct ProviderErrors: ErrorRenderer {
    func response(for error: AuthError, to request: Request, context: LatchkeyRequestContext) async -> Response {
        Refusal(vendor: nil, audience: .program, context: context, headers: request.headers)
            .response(to: OAuthError(error))
    }
}
