// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import JOSE
import TokenVerifier

/// `POST /oauth2/introspect` (RFC 7662): whether a token is good, asked by a client that has proved itself. Of what is not,
/// whatever the reason, nothing else is said (section 2.2).
///
/// Access tokens of its Directory are shown to every such client, since whoever takes them is one: they are signed, and say
/// the same to whoever reads them. A refresh token is shown to the client that it was given to.
enum IntrospectionEndpoint {
    static func post(_ call: ProviderCall) async throws -> Response {
        try call.parameters.requireSingle()
        let (_, call) = try await call.authenticatedConfidential()
        let token = try call.parameters.required("token")
        if let found = try await accessToken(token, call) { return Answer.json(found) }
        return Answer.object(try await refreshToken(token, call) ?? ["active": false])
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

    private static func accessToken(_ text: String, _ call: ProviderCall) async throws -> [UInt8]? {
        guard let token = try await call.verifiedAccessToken(text), try await call.isLive(token) else { return nil }
        let claims = token.claims
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
