// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `POST /oauth2/token`, of a client that has proved itself ("Token endpoint").
struct HostedTokens: Sendable {
    private let dialect: CognitoDialect
    private let call: ClientCall

    private var client: Client { call.client }
    private var registered: ClientAuthorization { call.client.settings.authorization }

    init(dialect: CognitoDialect, call: ClientCall) {
        self.dialect = dialect
        var call = call
        // As with every other sign-in of the pool's: the SDKs of clients without a secret keep the token that they
        // have.
        call.flow.rotates = call.client.settings.rotatesRefreshTokens
        self.call = call
    }

    /// - Throws: ``OAuthError``, and ``AuthError`` by which a code or a refresh token is refused.
    func answer() async throws -> Response {
        guard registered.isEnabled else { throw OAuthError.client("The app client is not enabled for OAuth") }
        switch try call.required("grant_type") {
        case "authorization_code": return try await code()
        case "refresh_token": return try await refresh()
        case "client_credentials": return try await ownToken()
        default:
            throw OAuthError(.badRequest, "unsupported_grant_type", "This grant is not taken here")
        }
    }

    private func code() async throws -> Response {
        guard registered.grants.contains(.code) else { throw Self.notRegistered }
        let issued = try await dialect.accounts.exchangeCode(
            code: try call.required("code"), verifier: call["code_verifier"],
            redirectURI: try call.required("redirect_uri"), call: call.flow
        ).session()
        return try await answer(issued, nonce: issued.request?.nonce)
    }

    /// Whatever way the user has signed in by. A token that stays is not said again.
    private func refresh() async throws -> Response {
        guard registered.grants.contains(.code) else { throw Self.notRegistered }
        let scopes = call.words("scope")
        let issued = try await dialect.accounts.refreshSession(
            try call.required("refresh_token"), scopes: scopes.isEmpty ? nil : scopes, call: call.flow)
        return try await answer(issued, scopes: scopes.isEmpty ? nil : scopes)
    }

    /// A client that acts for itself: by scopes of resource servers, and no others.
    private func ownToken() async throws -> Response {
        guard registered.grants.contains(.clientCredentials), !client.isPublic else { throw Self.notRegistered }
        let custom = registered.scopes.filter(HostedScope.isCustom)
        let asked = call.words("scope")
        let scopes = asked.isEmpty ? custom : asked
        guard !scopes.isEmpty, scopes.allSatisfy(custom.contains) else {
            throw OAuthError.scope("A scope is not a resource server's, or the app client is not registered for it")
        }
        let lifetime =
            client.settings.accessTokenLifetime ?? call.flow.settings.sessions.accessTokenLifetime
        let token = try await mint.token(
            of: client, scopes: scopes, issuer: dialect.issuer(of: call.flow.directory), in: call.flow.directory,
            until: call.flow.now + .seconds(lifetime), at: call.flow.now)
        return HostedAnswer.object([
            "access_token": .string(token.reveal()), "expires_in": .integer(lifetime), "token_type": "Bearer",
        ])
    }

    private func answer(_ issued: IssuedSession, nonce: String? = nil, scopes: [String]? = nil) async throws -> Response
    {
        let (directory, now) = (call.flow.directory, call.flow.now)
        let tokens = try await mint.tokens(
            for: issued, issuer: dialect.issuer(of: directory), client: client, call: call.flow, nonce: nonce,
            scopes: scopes, trigger: issued.renewal == .signedIn ? .page : nil)
        var json = JSONObject()
        json["id_token"] = tokens.id.map { .string($0.reveal()) }
        json["access_token"] = .string(tokens.access.reveal())
        if issued.renewal != .kept { json["refresh_token"] = .string(issued.refreshToken.reveal()) }
        json["expires_in"] = .integer(max(0, (issued.accessExpiresAt - now).seconds))
        json["token_type"] = "Bearer"
        // RFC 6749, section 5.1: what was left out of what was asked for.
        if let granted = scopes ?? issued.session.grant?.scopes {
            json["scope"] = .string(granted.joined(separator: " "))
        }
        return HostedAnswer.object(json)
    }

    private var mint: TokenMint {
        TokenMint(
            keys: dialect.keys, random: dialect.accounts.random, region: dialect.region,
            customize: dialect.accounts.customizeToken)
    }

    private static let notRegistered = OAuthError.client("The app client is not registered for this grant")
}
