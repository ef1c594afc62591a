// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `POST /token?grant_type=password|refresh_token|pkce`.
enum TokenEndpoint {
    static func post(_ call: DialectCall) async throws -> Response {
        switch call.query["grant_type"] {
        case "password": return try await password(call)
        case "refresh_token": return try await refresh(call)
        case "pkce": return try await exchange(call)
        case "id_token", "web3":
            throw WireError(
                .badRequest, "provider_disabled", "This way of signing in is not supported by this server")
        default: throw WireError(.badRequest, "invalid_credentials", "unsupported_grant_type")
        }
    }

    private static func password(_ call: DialectCall) async throws -> Response {
        let identifier = try call.identifier(
            exclusive: "Only an email address or phone number should be provided on login.",
            missing: "missing email or phone")
        let password = try call.body.secret("password") ?? Secret("")
        return try await call.answer(call.accounts.passwordSignIn(identifier, password: password, call: call.flow))
    }

    private static func refresh(_ call: DialectCall) async throws -> Response {
        guard let token = try call.body.text("refresh_token") else {
            throw WireError.validation("refresh_token required")
        }
        return try await call.answer(call.accounts.refreshSession(token, call: call.flow))
    }

    private static func exchange(_ call: DialectCall) async throws -> Response {
        guard let code = try call.body.text("auth_code"), let verifier = try call.body.text("code_verifier") else {
            throw WireError.validation("invalid request: both auth code and code verifier should be non-empty")
        }
        return try await call.answer(call.accounts.exchangeCode(code: code, verifier: verifier, call: call.flow))
    }
}
