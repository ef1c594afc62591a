// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import ServerKit

/// `GET /error?error=…`: the service's page for what can be sent to no app. It says what it knows by that name, and
/// nothing that the query says.
enum HostedError {
    private static let descriptions: KeyValuePairs<String, String> = [
        "redirect_mismatch": "The place to go to is not one of the app client's",
        "invalid_request": "The request is not valid",
        "invalid_client": "The app client is not known",
        "unauthorized_client": "The app client may not do this",
        "invalid_scope": "A scope is not one of the app client's",
        "unsupported_response_type": "response_type must be code",
        "access_denied": "This is not allowed",
    ]

    static func named(_ code: String?) -> OAuthError {
        guard let known = descriptions.first(where: { $0.key == code }) else {
            return .request("The request is not valid")
        }
        return OAuthError(.badRequest, known.key, known.value)
    }
}
