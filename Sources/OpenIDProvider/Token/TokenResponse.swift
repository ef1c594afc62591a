// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import JOSE

/// What the token endpoint gives (RFC 6749, section 5.1; OpenID Connect Core, section 3.1.3.3).
struct TokenResponse: Sendable {
    var access: AccessToken
    var refreshToken: Secret<String>?
    /// The session that an ID token is about, with the nonce that it repeats; `nil` where none was asked for.
    var identity: (issued: IssuedSession, nonce: String?)?
    /// What kind of token an exchange has given (RFC 8693, section 2.2.1).
    var issuedType: String?

    func answer(_ call: ProviderCall) async throws -> Response {
        let issuer = call.issuer
        let keys = call.provider.tokenKeys
        let id = Base64URL.encode(call.accounts.random.bytes(16))
        let token = try JWS.sign(
            access.claims(issuer: issuer, id: id, key: call.key, at: call.now), type: AccessToken.type,
            with: try await keys.accessTokenKey(of: call.directory, at: call.now).key)
        var json: JSONObject = [
            "access_token": .string(token), "token_type": .string(AccessToken.tokenType(key: call.key)),
            "expires_in": .integer(max(0, access.expiresAt.seconds - call.now.seconds)),
        ]
        if !access.scopes.isEmpty { json["scope"] = .string(access.scopes.joined(separator: " ")) }
        json["issued_token_type"] = issuedType.map { .string($0) }
        json["refresh_token"] = refreshToken.map { .string($0.reveal()) }
        if let identity {
            json["id_token"] = .string(
                try await idToken(identity.issued, nonce: identity.nonce, accessToken: token, call))
        }
        return Answer.object(json)
    }

    private func idToken(
        _ issued: IssuedSession, nonce: String?, accessToken: String, _ call: ProviderCall
    ) async throws -> String {
        let client = try call.client()
        let names = UserClaims.allowed(
            ClaimsRequest(issued.session.grant?.claims ?? [:]).names(in: .idToken), of: access.scopes, to: client)
        let requested = names.isEmpty ? [:] : try await call.userClaims(of: issued.user).claims(of: [], and: names)
        let token = IDToken(
            issued: issued, client: client.id, nonce: nonce, accessToken: accessToken, requested: requested)
        let key = try await call.provider.tokenKeys.idTokenKey(
            client.settings.authorization.idTokenAlgorithm, of: call.directory, at: call.now)
        return try JWS.sign(token.claims(issuer: call.issuer, at: call.now), with: key)
    }
}
