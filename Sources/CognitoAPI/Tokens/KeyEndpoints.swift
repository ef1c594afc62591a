// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import JOSE
import ServerKit

/// The public documents of a pool, by which its tokens are verified.
enum KeyEndpoints {
    /// `GET /{poolId}/.well-known/jwks.json`: the keys that sign, and those about to.
    static func keys(of directory: Directory, dialect: CognitoDialect, at now: Instant) async throws -> Response {
        let set = try await dialect.keys.publishedKeys(of: directory, purpose: .compatibility, at: now)
        return document(set.publicObject)
    }

    /// `GET /{poolId}/.well-known/openid-configuration` (OpenID Connect Discovery 1.0, section 4): what there is. Keys
    /// and endpoints are at this server however issuers are spelled.
    static func configuration(
        of directory: Directory, dialect: CognitoDialect, at _: Instant
    ) async throws -> Response {
        let url = dialect.settings.url.text
        var json: JSONObject = [
            "issuer": .string(dialect.issuer(of: directory)),
            "jwks_uri": .string(url + "/" + dialect.poolID(of: directory) + "/.well-known/jwks.json"),
            "id_token_signing_alg_values_supported": ["RS256"],
            "response_types_supported": ["code"],
            "scopes_supported": ["openid", "email", "phone", "profile"],
            "subject_types_supported": ["public"],
        ]
        if dialect.settings.hasHostedUI { json = json.merging(endpoints(url)) }
        return document(json)
    }

    /// Of the hosted UI, which serves every pool.
    private static func endpoints(_ url: String) -> JSONObject {
        [
            "authorization_endpoint": .string(url + "/oauth2/authorize"),
            "token_endpoint": .string(url + "/oauth2/token"),
            "userinfo_endpoint": .string(url + "/oauth2/userInfo"),
            "revocation_endpoint": .string(url + "/oauth2/revoke"),
            "end_session_endpoint": .string(url + "/logout"),
            "grant_types_supported": ["authorization_code", "refresh_token", "client_credentials"],
            "response_modes_supported": ["query"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
            "revocation_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
            "code_challenge_methods_supported": ["S256"],
            "prompt_values_supported": ["none", "login", "consent", "select_account"],
            "authorization_response_iss_parameter_supported": true,
            "request_uri_parameter_supported": false,
        ]
    }

    static func document(_ json: JSONObject) -> Response {
        var headers = HTTPFields()
        headers[.contentType] = "application/json"
        headers[.cacheControl] = "public, max-age=600"
        return Response(
            status: .ok, headers: headers,
            body: .init(byteBuffer: ByteBuffer(bytes: JSONValue.object(json).serialized())))
    }
}
