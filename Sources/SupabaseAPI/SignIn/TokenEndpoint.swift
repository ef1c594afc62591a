// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `POST /token?grant_type=password|refresh_token|pkce|id_token|web3`.
enum TokenEndpoint {
    static func post(_ call: DialectCall) async throws -> Response {
        switch call.query["grant_type"] {
        case "password": return try await password(call)
        case "refresh_token": return try await refresh(call)
        case "pkce": return try await exchange(call)
        case "id_token": return try await IDTokenGrant.post(call)
        case "web3": throw WireError(.unprocessableContent, "web3_provider_disabled", "Web3 provider is disabled")
        default: throw WireError(.badRequest, "invalid_credentials", "unsupported_grant_type", told: .unsupported)
        }
    }

    private static func password(_ call: DialectCall) async throws -> Response {
        guard
            let given = try GivenIdentifier(
                call.body, exclusive: "Only an email address or phone number should be provided on login.")
        else { throw WireError.validation("missing email or phone") }
        let password = try call.body.secret("password") ?? Secret("")
        try given.requireOpen(call.flow.settings.signUp, else: .signIn)
        // What is no address is nobody's, and is not worth another answer than that.
        guard let identifier = try? given.parsed() else { throw AuthError(.invalidCredentials) }
        let issued = try await banned("User is banned") {
            try await call.accounts.passwordSignIn(identifier, password: password, call: call.flow).session()
        }
        // A password that was good enough when it was chosen still opens the account; its owner is told.
        let weaknesses = call.flow.violations(of: password, email: issued.user.email)
        return try await call.answer(
            issued, weakPassword: WeakPassword(weaknesses, settings: call.flow.settings.password))
    }

    private static func refresh(_ call: DialectCall) async throws -> Response {
        guard let token = try call.body.text("refresh_token") else {
            throw WireError.validation("Refresh token is not valid")
        }
        return try await banned("Invalid Refresh Token: User Banned") {
            try await call.answer(call.accounts.refreshSession(token, call: call.flow))
        }
    }

    private static func exchange(_ call: DialectCall) async throws -> Response {
        guard let code = try call.body.text("auth_code"), let verifier = try call.body.text("code_verifier") else {
            throw WireError.validation("invalid request: both auth code and code verifier should be non-empty")
        }
        return try await call.answer(call.accounts.exchangeCode(code: code, verifier: verifier, call: call.flow))
    }

    /// Of a ban these two grants say 400, and everything else 403.
    private static func banned<Value>(
        _ message: String, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as AuthError where error.code == .userBanned {
            throw WireError(.badRequest, "user_banned", message)
        }
    }
}
