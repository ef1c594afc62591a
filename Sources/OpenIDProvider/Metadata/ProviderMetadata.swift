// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import TokenVerifier

/// The provider's metadata, and what its endpoints take: they are held to the lists here, so that neither says more
/// than the other.
struct ProviderMetadata: Sendable {
    /// The `iss` of the Directory.
    var issuer: String
    /// The server's own URL: its endpoints serve every Directory.
    var url: String
    var idTokenAlgorithms: [JWSAlgorithm]
    /// Whether the Directory has a token that a client could be registered by.
    var registersClients = false

    var json: JSONObject {
        var json = fixed
        if registersClients { json["registration_endpoint"] = .string(url + Route.registrationPath) }
        return json
    }

    private var fixed: JSONObject {
        [
            "issuer": .string(issuer),
            "authorization_endpoint": .string(url + Route.authorizePath),
            "token_endpoint": .string(url + Route.tokenPath),
            "userinfo_endpoint": .string(url + Route.userInfoPath),
            "jwks_uri": .string(issuer + Route.keysPath),
            "pushed_authorization_request_endpoint": .string(url + Route.pushedRequestPath),
            "device_authorization_endpoint": .string(url + Route.deviceAuthorizationPath),
            "revocation_endpoint": .string(url + Route.revocationPath),
            "introspection_endpoint": .string(url + Route.introspectionPath),
            "end_session_endpoint": .string(url + Route.logoutPath),
            "scopes_supported": Self.list(Scope.all),
            "claims_supported": Self.list(Self.claims),
            "claims_parameter_supported": true,
            "response_types_supported": [.string(Self.responseType)],
            "response_modes_supported": Self.list(AuthorizationParameters.ResponseMode.allCases.map(\.rawValue)),
            "grant_types_supported": Self.list(GrantType.allCases.map(\.rawValue)),
            "subject_types_supported": ["public"],
            "acr_values_supported": Self.list(AssuranceLevel.reachable.map(\.acr)),
            "id_token_signing_alg_values_supported": Self.list(idTokenAlgorithms.map(\.rawValue)),
            "token_endpoint_auth_methods_supported": Self.list(Self.authenticationMethods),
            "token_endpoint_auth_signing_alg_values_supported": Self.list(Self.assertionAlgorithms),
            "revocation_endpoint_auth_methods_supported": Self.list(Self.authenticationMethods),
            "revocation_endpoint_auth_signing_alg_values_supported": Self.list(Self.assertionAlgorithms),
            // A name alone is not enough there (RFC 7662, section 2.1).
            "introspection_endpoint_auth_methods_supported": Self.list(
                Self.authenticationMethods.filter { $0 != ClientAuthenticationMethod.publicClient.rawValue }),
            "introspection_endpoint_auth_signing_alg_values_supported": Self.list(Self.assertionAlgorithms),
            "code_challenge_methods_supported": [.string(Self.challengeMethod)],
            "dpop_signing_alg_values_supported": Self.list(DPoPProof.algorithms.map(\.rawValue)),
            "prompt_values_supported": Self.list(AuthorizationParameters.Prompt.allCases.map(\.rawValue)),
            "ui_locales_supported": Self.list(MessageLanguage.allCases.map(\.rawValue)),
            "authorization_response_iss_parameter_supported": true,
            "backchannel_logout_supported": true,
            "backchannel_logout_session_supported": true,
            "request_parameter_supported": true,
            "request_object_signing_alg_values_supported": Self.list(Self.assertionAlgorithms),
            // A client that asks for it is held to it (RFC 9101, section 10.5); the others are not.
            "require_signed_request_object": false,
            // It is taken for supported where nothing is said (OpenID Connect Discovery, section 3).
            "request_uri_parameter_supported": false,
        ]
    }

    static let responseType = "code"
    static let challengeMethod = "S256"
    /// What clients sign by: those by which whoever can verify can't sign; `none` is no algorithm here.
    static let clientAlgorithms = JWSAlgorithm.allKnown.filter { !$0.isSymmetric }
    private static let authenticationMethods = ClientAuthenticationMethod.allCases.map(\.rawValue)
    /// RFC 8414, section 2: to be named where `private_key_jwt` is.
    private static let assertionAlgorithms = clientAlgorithms.map(\.rawValue)
    private static let claims =
        ["iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "sid"] + UserClaims.all

    private static func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}
