// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import JOSE
import ServerKit
import TokenVerifier

/// `POST /oauth2/introspect` (RFC 7662): whether a token is good, asked by a client that has proved itself. Of what is
/// not, whatever the reason, nothing else is said (section 2.2).
///
/// Access tokens of its Directory are shown to every such client, since whoever takes them is one: they are signed, and
/// say the same to whoever reads them. A refresh token is shown to the client that it was given to.
enum IntrospectionEndpoint {
    static func post(_ call: ProviderCall) async throws -> Response {
        try call.parameters.requireSingle()
        // Of a token that was judged before, the store is asked about its session along with the client.
        let token = call.parameters["token"].flatMap { try? call.provider.tokens.presented($0, at: call.now) }
        let known = token.flatMap { token in
            token.remembered.map { call.provider.shown.token(token.digest, saying: $0.claims) }
        }
        let isSessionLive = try await call.authenticateConfidential(
            asking: known.flatMap { call.sessionQuestion(of: $0.statement) })
        let text = try call.parameters.required("token")
        if let token, let found = try await accessToken(token, known, isSessionLive, call) { return Answer.json(found) }
        return Answer.object(try await refreshToken(text, call) ?? ["active": false])
    }

    private static func refreshToken(_ text: String, _ call: ProviderCall) async throws -> JSONObject? {
        guard let holder = try await call.accounts.inspectRefreshToken(text, call: call.flow), holder.isGood,
            let session = holder.session, let user = holder.user, let client = session.clientID
        else { return nil }
        var json: JSONObject = [
            "active": true, "iss": .string(call.issuer), "sub": .string(user.identifier(in: OpenIDProvider.name)),
            "client_id": .string(client.rawValue),
            "scope": .string((session.grant?.scopes ?? []).joined(separator: " ")),
        ]
        // What a client without credentials was given (RFC 9449, section 5).
        json["cnf"] = session.grant?.dpopKey.map { ["jkt": .string($0)] }
        return json
    }

    private static func accessToken(
        _ presented: PresentedToken, _ known: ShownToken?, _ isSessionLive: Bool?, _ call: ProviderCall
    ) async throws -> [UInt8]? {
        guard let token = try await call.verifiedAccessToken(presented, known: known?.statement) else { return nil }
        let shown = known ?? call.provider.shown.token(presented.digest, saying: token.claims)
        return try await call.isLive(shown.statement, session: isSessionLive) ? shown.text : nil
    }

    /// What is said of a good access token.
    static func text(of claims: JWTClaims) -> [UInt8] {
        var json = JSONMemberWriter()
        json.add("active", true)
        json.add("token_type", AccessToken.tokenType(key: claims["cnf"]?.objectValue?["jkt"]?.stringValue))
        for name in shown {
            if let value = claims.text(of: name) { json.add(name, text: value) }
        }
        return json.finish()
    }

    /// The claims that are shown of an access token.
    private static let shown: [StaticString] = [
        "iss", "sub", "aud", "exp", "iat", "jti", "client_id", "scope", "auth_time", "acr", "amr", "sid", "cnf", "act",
    ]
}
