// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `POST /v1/token` of the token host: a form in snake case, or JSON in camel case. The answer is in snake case.
enum RefreshEndpoint {
    static func post(_ call: DialectCall) async throws -> Response {
        guard let grant = try call.body.given("grantType") else { throw WireError("MISSING_GRANT_TYPE") }
        guard grant == "refresh_token" else { throw WireError("INVALID_GRANT_TYPE") }
        guard let text = try call.body.given("refreshToken") else { throw WireError("MISSING_REFRESH_TOKEN") }
        let refresh = RefreshTokenText(text)
        var call = call
        call.flow.directory = try await directory(of: refresh, call)
        let tokens = try await call.tokens(try await renew(refresh.token, call))
        return Answer.object([
            "access_token": .string(tokens.idToken.reveal()), "expires_in": .string(String(tokens.expiresIn)),
            "token_type": "Bearer", "refresh_token": .string(tokens.refreshToken.reveal()),
            "id_token": .string(tokens.idToken.reveal()),
            "user_id": .string(tokens.localID), "project_id": .string(call.directory.projectID),
        ])
    }

    private static func directory(of refresh: RefreshTokenText, _ call: DialectCall) async throws -> Directory {
        guard let tenant = refresh.tenant, tenant != call.directory.tenantID else {
            // A tenant's key with a token of the project itself: no session of the tenant's.
            return call.directory
        }
        guard call.directory.tenantID == nil,
            let directory = try await call.dialect.directories.directory(named: tenant, at: call.now),
            directory.settings.partOf == call.directory.name
        else { throw WireError("INVALID_REFRESH_TOKEN") }
        return directory
    }

    private static func renew(_ text: String, _ call: DialectCall) async throws -> IssuedSession {
        do {
            return try await call.accounts.refreshSession(text, call: call.flow)
        } catch let error as AuthError where error.code == .refreshTokenNotFound {
            // Only to whoever holds a token that was good once is it told why it no longer is.
            guard let holder = try await call.accounts.inspectRefreshToken(text, call: call.flow) else { throw error }
            let isThere = holder.user.map { $0.deletedAt == nil } ?? false
            throw WireError(AuthError(isThere ? .sessionNotFound : .userNotFound))
        }
    }
}
