// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import JOSE
import ServerKit
import TokenVerifier

/// `GET` and `POST /oauth2/userInfo`, with an access token that the token endpoint gave ("UserInfo endpoint"). Every
/// value is a text, flags too.
struct HostedUserInfo: Sendable {
    let dialect: CognitoDialect
    let call: ClientCall

    func answer() async throws -> Response {
        guard call.headers[values: .authorization].count == 1, let text = call.headers.bearerToken else {
            throw Self.error(.badRequest, "invalid_request", "Bad OAuth2 request at UserInfo Endpoint")
        }
        guard let token = try await token(text) else { throw Self.dead }
        let scopes = (token.claims["scope"]?.stringValue ?? "").split(separator: " ").map(String.init)
        guard scopes.contains(HostedScope.openID) else {
            throw Self.error(.unauthorized, "invalid_token", "Access token does not contain openid scope")
        }
        let authenticated = try await user(of: token)
        let user = authenticated.user
        let view = AttributeView(pool: PoolSettings(call.flow.directory.settings), client: call.client)
        let readable = call.client.settings.attributeNames("ReadAttributes").map { Set($0) }
        var json: JSONObject = ["sub": .string(user.sub)]
        for (name, value) in UserAttributeList.pairs(user, in: view)
        where name != "sub" && !name.hasPrefix("dev:") && readable?.contains(name) ?? true {
            if HostedScope.covers(name, scopes) { json[name] = .string(value) }
        }
        if HostedScope.covers(UserIdentities.name, scopes) {
            json[UserIdentities.name] = UserIdentities(user, authenticated.identities).attribute.map { .string($0) }
        }
        json["username"] = .string(UserWire.username(of: user))
        return HostedAnswer.object(json)
    }

    /// An access token of the call's client; `nil` for what is none.
    private func token(_ text: String) async throws -> VerifiedToken? {
        let (dialect, client, now) = (dialect, call.client, call.flow.now)
        do {
            let (token, issuer) = try await dialect.tokens.verify(text, at: now) {
                try await dialect.claimedIssuer(of: $0, at: now)
            }
            guard issuer.directory.id == client.directoryID, issuer.audience == client.id.rawValue else { return nil }
            return token
        } catch let error as TokenError where error.code != .keysUnavailable {
            return nil
        }
    }

    private func user(of token: VerifiedToken) async throws -> AuthenticatedUser {
        guard let subject = token.claims.subject, let session = token.claims["origin_jti"]?.stringValue else {
            throw Self.dead
        }
        do {
            return try await dialect.accounts.sessionAuthentication(
                user: UserID(subject), session: SessionID(session), call: call.flow)
        } catch let error as AuthError where Self.endings.contains(error.code) {
            throw Self.dead
        }
    }

    /// What makes a token worth nothing that was good once.
    private static let endings: Set<AuthErrorCode> = [.userNotFound, .userBanned, .sessionNotFound, .sessionExpired]

    private static let dead = error(
        .unauthorized, "invalid_token",
        "Access token is expired, disabled, or deleted, or the user has globally signed out.")

    private static func error(_ status: HTTPResponse.Status, _ code: String, _ description: String) -> OAuthError {
        OAuthError(
            status, code, description,
            challenge: #"Bearer realm="latchkey", error="\#(code)", error_description="\#(description)""#)
    }
}
