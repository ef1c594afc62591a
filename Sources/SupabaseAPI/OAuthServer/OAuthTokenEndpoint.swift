// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `POST /oauth/token`: a code, or a refresh token, for tokens of a client (RFC 6749, sections 4.1.3 and 6).
enum OAuthTokenEndpoint {
    static func post(_ call: DialectCall) async throws -> Response {
        do {
            var response = try await answer(call)
            response.headers[.cacheControl] = "no-store"
            return response
        } catch let error as WireError {
            throw standard(error)
        } catch let error as AuthError where ErrorTable.entry(for: error.code).status.code < 500 {
            throw standard(WireError(error))
        }
    }

    private static func answer(_ call: DialectCall) async throws -> Response {
        var flow = call.flow
        let client = try await client(of: call)
        flow.client = client
        guard let name = try call.body.text("grant_type") else {
            throw GrantError(name: "invalid_request", message: "grant_type is required")
        }
        guard let grant = ClientAuthorization.Grant(rawValue: name),
            client.settings.authorization.grants.contains(grant)
        else {
            throw GrantError(
                name: "unsupported_grant_type", message: "Client is not allowed to use this grant type")
        }
        switch grant {
        case .code: return try await exchange(call, client, flow)
        case .refreshToken: return try await refresh(call, client, flow)
        default: throw GrantError(name: "unsupported_grant_type", message: "Unsupported grant type")
        }
    }

    /// Whoever the call says it is of. One that proves itself by a secret is not counted.
    private static func client(of call: DialectCall) async throws -> Client {
        do {
            let shown = try OAuthClientProof(call.headers, call.body)
            let client = try await call.accounts.clientAuthentication(
                shown.clientID, shown.proof, issuer: call.dialect.issuer(of: call.directory), call: call.flow)
            guard OAuthClient(client) != nil, client.settings.authorization.isEnabled else {
                throw OAuthClientProof.refusal
            }
            if client.isPublic { try call.count() }
            return client
        } catch let error as WireError {
            try call.count()
            throw error
        } catch let error as AuthError where error.code == .clientSecretInvalid {
            try call.count()
            throw OAuthClientProof.refusal
        }
    }

    private static func exchange(_ call: DialectCall, _ client: Client, _ flow: CallContext) async throws -> Response {
        guard let code = try call.body.text("code") else {
            throw GrantError(name: "invalid_request", message: "code is required for authorization_code grant")
        }
        // The session goes on when the user signs out of the site, as there: the user ends it by taking the consent
        // back.
        let terms = ExchangeCode.Terms(
            isOffline: true, mayOmitRedirectURI: true, resources: try call.body.text("resource").map { [$0] } ?? [],
            bindsResources: true)
        let issued: IssuedSession
        do {
            issued = try await call.accounts.exchangeCode(
                code: code, verifier: call.body.text("code_verifier"), redirectURI: call.body.text("redirect_uri"),
                terms: terms, call: flow
            ).session()
        } catch let error as AuthError {
            switch error.code {
            case .flowStateNotFound: throw invalidGrant("Invalid authorization code")
            case .flowStateExpired: throw invalidGrant("Authorization code has expired")
            case .codeVerifierMismatch: throw invalidGrant("PKCE verification failed")
            case .userNotFound, .sessionNotFound: throw invalidGrant("User not found for authorization code")
            case .userBanned: throw GrantError(name: "access_denied", message: "User is banned", told: .userBanned)
            default: throw error
            }
        }
        return try await tokens(issued, nonce: issued.request?.nonce, call, client)
    }

    private static func refresh(_ call: DialectCall, _ client: Client, _ flow: CallContext) async throws -> Response {
        guard let token = try call.body.text("refresh_token") else {
            throw GrantError(
                name: "invalid_request", message: "refresh_token is required for refresh_token grant")
        }
        do {
            // As there, `scope` is not read here: it is all that was granted, and that the user still agrees to.
            let issued = try await call.accounts.refreshSession(token, scopes: nil, call: flow)
            return try await tokens(issued, nonce: nil, call, client)
        } catch let refusal as AuthorizationRefusal {
            throw GrantError(name: refusal.code.rawValue, message: refusal.description)
        } catch let error as AuthError where error.code == .userBanned {
            throw WireError(.badRequest, "user_banned", "Invalid Refresh Token: User Banned")
        }
    }

    private static func invalidGrant(_ message: String) -> GrantError {
        GrantError(name: "invalid_grant", message: message)
    }

    private static func tokens(
        _ issued: IssuedSession, nonce: String?, _ call: DialectCall, _ client: Client
    ) async throws -> Response {
        let session = try await call.sessionResponse(issued)
        var json: JSONObject = [
            "access_token": .string(session.accessToken), "token_type": "bearer",
            "expires_in": .integer(session.expiresIn),
        ]
        if client.settings.authorization.grants.contains(.refreshToken) {
            json["refresh_token"] = .string(session.refreshToken)
        }
        // With a code alone, as there: a refresh proves nothing anew.
        if issued.request != nil, issued.session.grant?.scopes.contains(OAuthScope.openID) == true {
            json["id_token"] = .string(
                try await OAuthIDToken(issued: issued, client: client.id, nonce: nonce).signed(for: call))
        }
        return Answer.object(json)
    }

    /// The platform says some of what is wrong in its own form alone. Clients of the standard find its words beside
    /// that.
    private static func standard(_ error: WireError) -> WireError {
        var error = error
        switch error.code {
        case "invalid_credentials": error.grantError = "invalid_client"
        case "bad_json", "validation_failed", "request_entity_too_large": error.grantError = "invalid_request"
        case _ where error.status == .badRequest: error.grantError = "invalid_grant"
        default: break
        }
        return error
    }
}
