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

    /// `GET /{poolId}/.well-known/openid-configuration` (OpenID Connect Discovery 1.0, section 4): what there is. There
    /// are no endpoints of a hosted page, so none is named. The keys are at this server however issuers are spelled.
    static func configuration(
        of directory: Directory, dialect: CognitoDialect, at _: Instant
    ) async throws -> Response {
        let base = dialect.settings.url.text + "/" + dialect.poolID(of: directory)
        return document([
            "issuer": .string(dialect.issuer(of: directory)),
            "jwks_uri": .string(base + "/.well-known/jwks.json"),
            "id_token_signing_alg_values_supported": ["RS256"],
            "response_types_supported": ["code", "token"],
            "scopes_supported": ["openid", "email", "phone", "profile"],
            "subject_types_supported": ["public"],
        ])
    }

    private static func document(_ json: JSONObject) -> Response {
        var headers = HTTPFields()
        headers[.contentType] = "application/json"
        headers[.cacheControl] = "public, max-age=600"
        return Response(
            status: .ok, headers: headers,
            body: .init(byteBuffer: ByteBuffer(bytes: JSONValue.object(json).serialized())))
    }
}
