// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import JOSE

/// `GET /.well-known/openid-configuration`: who issues tokens here, and where their keys are. The platform answers it
/// whether or not its OAuth server, whose endpoints the document must name (OpenID Connect Discovery 1.0, section 3),
/// is switched on; as `/.well-known/oauth-authorization-server` (RFC 8414) only where it is.
enum DiscoveryEndpoint {
    static func get(_ call: DialectCall) async throws -> Response {
        let issuer = call.dialect.issuer(of: call.directory)
        let base = call.dialect.baseURL(of: call.directory)
        let algorithm = await call.idTokenAlgorithm()
        let scopes = OAuthScope.all.filter { $0 != OAuthScope.openID || algorithm != nil }
        var json: JSONObject = [
            "issuer": .string(issuer), "authorization_endpoint": .string(base + "/oauth/authorize"),
            "token_endpoint": .string(base + "/oauth/token"),
            "jwks_uri": .string(base + "/.well-known/jwks.json"),
            "userinfo_endpoint": .string(base + "/oauth/userinfo"), "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": .array(algorithm.map { [.string($0.rawValue)] } ?? []),
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
            "code_challenge_methods_supported": ["S256", "plain"],
            "scopes_supported": .array(scopes.map { .string($0) }),
            "claims_supported": .array(claims.map { .string($0) }),
        ]
        let settings = call.flow.settings.oauthServer
        if settings.enabled, settings.dynamicRegistration {
            json["registration_endpoint"] = .string(base + "/oauth/clients/register")
        }
        var response = Answer.object(json)
        response.headers[.cacheControl] = "public, max-age=600"
        return response
    }

    private static let claims = [
        "sub", "aud", "iss", "exp", "iat", "auth_time", "nonce", "email", "email_verified", "phone_number",
        "phone_number_verified", "name", "picture", "preferred_username", "updated_at",
    ]
}
