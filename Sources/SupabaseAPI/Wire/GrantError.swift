// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// A refusal in the form of OAuth (RFC 6749, section 5.2), which the platform keeps for a few grants: status 400, and
/// no `error_code`.
struct GrantError: Error {
    /// As the platform spells it, a blank included.
    var name: String
    var message: String
    /// What people are told of it; `nil` for what ``name`` means to them.
    var told: AuthErrorCode?

    func response(in language: MessageLanguage) -> Response {
        var error = OAuthError(.badRequest, name, message)
        error.told = told.map { AuthError($0) }
        var body: JSONObject = ["error": .string(name), "error_description": .string(message)]
        error.tell(in: language, &body)
        return Answer.object(body, status: .badRequest)
    }
}
