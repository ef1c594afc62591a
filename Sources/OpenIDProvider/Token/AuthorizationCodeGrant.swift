// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `grant_type=authorization_code` (RFC 6749, section 4.1.3; OpenID Connect Core, section 3.1.3).
enum AuthorizationCodeGrant {
    static func answer(_ call: ProviderCall, _ client: Client) async throws -> Response {
        let code = try call.parameters.required("code")
        let redirectURI = try call.parameters.required("redirect_uri")
        return try await call.accounts.exchangeCode(
            code: code, verifier: call.parameters["code_verifier"], redirectURI: redirectURI, dpopKey: call.key,
            call: call.flow
        ) { issued in try await call.answer(issued, nonce: issued.request?.nonce, client) }
    }
}
