// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// `/v1/admin/clients*`.
extension OpenAPIDocument {
    static let clientPaths: JSONObject = [
        "/v1/admin/clients": [
            "get": operation("adminListClients", "The Directory's clients, the oldest first", "AdminClients"),
            "post": operation(
                "adminCreateClient", "Registers a client; its secret is in this answer alone", "AdminNewClient",
                status: "201", body: "AdminClientRegistration", failures: ["400", "413"]),
        ],
        "/v1/admin/clients/{id}": [
            "get": operation(
                "adminGetClient", "One client", "AdminClient", parameters: [clientID], failures: ["404"]),
            "patch": operation(
                "adminUpdateClient", "Changes what is given; a list takes the place of the one before", "AdminClient",
                parameters: [clientID], body: "AdminClientChange", failures: ["400", "404", "409", "413"]),
            "delete": operation(
                "adminDeleteClient", "Deletes the client", "AdminDeleted", parameters: [clientID], failures: ["404"]),
        ],
        "/v1/admin/registration-tokens": [
            "get": operation(
                "adminListRegistrationTokens", "What lets programs register themselves as clients, the oldest first",
                "AdminRegistrationTokens"),
            "post": operation(
                "adminCreateRegistrationToken", "Makes a token; its text is in this answer alone",
                "AdminNewRegistrationToken", status: "201", body: "AdminRegistrationTokenCreation",
                failures: ["400", "413"]),
        ],
        "/v1/admin/registration-tokens/{id}": [
            "delete": operation(
                "adminRevokeRegistrationToken", "Revokes the token; clients that were registered by it stay",
                "AdminRevoked", parameters: [clientID], failures: ["404"])
        ],
        "/v1/admin/clients/{id}/secrets": [
            "post": operation(
                "adminAddClientSecret", "Gives the client a second secret", "AdminNewClient", status: "201",
                parameters: [clientID], failures: ["404", "409"])
        ],
        "/v1/admin/clients/{id}/secrets/rotate": [
            "post": operation(
                "adminRotateClientSecret", "Gives the client a new secret in place of all it has", "AdminNewClient",
                status: "201", parameters: [clientID], failures: ["404", "409"])
        ],
        "/v1/admin/clients/{id}/secrets/{secret}": [
            "delete": operation(
                "adminRemoveClientSecret", "Takes one of two secrets away", "AdminClient",
                parameters: [clientID, secretID], failures: ["404", "409"])
        ],
    ]

    static let clientSchemas: JSONObject = [
        "AdminClient": object(shown.names, .object(shown)),
        "AdminNewClient": [
            "allOf": [
                ["$ref": "#/components/schemas/AdminClient"],
                ["type": "object", "properties": ["clientSecret": text]],
            ]
        ],
        "AdminClients": object(
            ["clients"],
            ["clients": ["type": "array", "items": ["$ref": "#/components/schemas/AdminClient"]]]),
        "AdminClientRegistration": change(required: ["name"]),
        "AdminClientChange": change(required: []),
        "AdminRegistrationToken": object(registrationToken.names, .object(registrationToken)),
        "AdminNewRegistrationToken": [
            "allOf": [
                ["$ref": "#/components/schemas/AdminRegistrationToken"],
                ["type": "object", "properties": ["token": text]],
            ]
        ],
        "AdminRegistrationTokens": object(
            ["tokens"],
            ["tokens": ["type": "array", "items": ["$ref": "#/components/schemas/AdminRegistrationToken"]]]),
        "AdminRegistrationTokenCreation": [
            "type": "object", "additionalProperties": false, "required": ["name"],
            "properties": [
                "name": ["type": "string", "minLength": 1, "maxLength": 128], "grants": grants, "scopes": texts,
                "redirectHosts": texts, "uses": seconds, "expiresIn": seconds,
            ],
        ],
        "AdminRevoked": object(["revoked"], ["revoked": text]),
        "AdminDeleted": object(["deleted"], ["deleted": text]),
    ]

    /// What is shown and can be changed.
    private static let common: JSONObject = [
        "name": ["type": "string", "minLength": 1, "maxLength": 128],
        "grants": grants,
        "scopes": texts, "resources": texts, "redirectUris": texts, "postLogoutUris": texts,
        "backchannelLogoutUri": ["type": ["string", "null"], "maxLength": 1024],
        "homeUri": ["type": ["string", "null"], "maxLength": 1024],
        "jwks": ["type": ["object", "null"]], "consent": choice(ClientAuthorization.Consent.allCases),
        "idTokenAlgorithm": choice(ClientAuthorization.IDTokenAlgorithm.allCases), "requiresPkce": flag,
        "requiresPushedRequests": flag, "requiresSignedRequests": flag,
        "requestObjectAlgorithm": [
            "enum": .array(ClientAuthorization.RequestAlgorithm.allCases.map { .string($0.rawValue) } + [.null])
        ],
        "dpopBoundAccessTokens": flag,
        "profile": ["enum": .array(ClientAuthorization.Profile.allCases.map { .string($0.rawValue) } + [.null])],
        "passkeyOrigins": texts, "rotatesRefreshTokens": flag,
        "accessTokenLifetime": seconds, "idTokenLifetime": seconds, "refreshTokenLifetime": seconds,
    ]

    private static let grants: JSONValue = [
        "type": "array", "items": choice(ClientAuthorization.Grant.allCases.filter { $0 != .implicit }),
    ]

    private static let registrationToken: JSONObject = [
        "id": text, "name": text, "grants": grants, "scopes": texts, "redirectHosts": texts,
        "usesLeft": ["type": ["integer", "null"]], "createdAt": time,
        "expiresAt": ["type": ["string", "null"], "format": "date-time"],
        "revokedAt": ["type": ["string", "null"], "format": "date-time"],
    ]

    private static let shown: JSONObject = common.merging([
        // A client of another dialect may have one that the provider does not take.
        "grants": ["type": "array", "items": choice(ClientAuthorization.Grant.allCases)],
        "clientId": text, "public": flag,
        "authMethods": ["type": "array", "items": choice(ClientAuthenticationMethod.allCases)],
        "secrets": ["type": "array", "items": object(["id", "createdAt"], ["id": text, "createdAt": time])],
        "createdAt": time, "updatedAt": time,
    ])

    private static func change(required: [String]) -> JSONValue {
        [
            "type": "object", "additionalProperties": false, "required": .array(required.map { .string($0) }),
            "properties": .object(common.merging(["authMethod": choice(ClientAuthenticationMethod.allCases)])),
        ]
    }

    private static let text: JSONValue = ["type": "string"]
    private static let flag: JSONValue = ["type": "boolean"]
    private static let time: JSONValue = ["type": "string", "format": "date-time"]
    private static let seconds: JSONValue = ["type": ["integer", "null"], "minimum": 1]
    private static let texts: JSONValue = [
        "type": "array", "maxItems": 100, "items": ["type": "string", "maxLength": 1024],
    ]

    private static func choice(_ values: [some RawRepresentable<String>]) -> JSONValue {
        ["type": "string", "enum": .array(values.map { .string($0.rawValue) })]
    }

    private static let clientID = path("id")
    private static let secretID = path("secret")

    private static func path(_ name: String) -> JSONValue {
        ["name": .string(name), "in": "path", "required": true, "schema": ["type": "string", "maxLength": 128]]
    }

    private static func operation(
        _ id: String, _ summary: String, _ schema: String, status: String = "200", parameters: [JSONValue] = [],
        body: String? = nil, failures: [String] = []
    ) -> JSONValue {
        var responses: JSONObject = [status: answer(summary, schema)]
        for status in failures + ["401", "403", "503"] { responses[status] = failure }
        var json: JSONObject = [
            "operationId": .string(id), "summary": .string(summary), "security": [["bearer": []], ["apiKey": []]],
            "parameters": .array(parameters), "responses": .object(responses),
        ]
        if let body { json["requestBody"] = ["required": true, "content": self.json(body)] }
        return .object(json)
    }
}

/// `/v1/admin/identity-providers*`.
extension OpenAPIDocument {
    static let identityProviderPaths: JSONObject = [
        "/v1/admin/identity-providers": [
            "get": operation(
                "adminListIdentityProviders", "The Directory's identity providers, by name", "AdminIdentityProviders"),
            "post": operation(
                "adminCreateIdentityProvider", "Configures an identity provider", "AdminIdentityProvider",
                status: "201", body: "AdminIdentityProviderCreation", failures: ["400", "409", "413"]),
        ],
        "/v1/admin/identity-providers/{id}": [
            "get": operation(
                "adminGetIdentityProvider", "One identity provider, never its secret", "AdminIdentityProvider",
                parameters: [clientID], failures: ["404"]),
            "patch": operation(
                "adminUpdateIdentityProvider", "Changes what is given; a list takes the place of the one before",
                "AdminIdentityProvider", parameters: [clientID], body: "AdminIdentityProviderChange",
                failures: ["400", "404", "409", "413"]),
            "delete": operation(
                "adminDeleteIdentityProvider", "Deletes the provider; identities of it stay", "AdminDeleted",
                parameters: [clientID], failures: ["404"]),
        ],
    ]

    static let identityProviderSchemas: JSONObject = [
        "AdminIdentityProvider": object(providerShown.names, .object(providerShown)),
        "AdminIdentityProviders": object(
            ["identityProviders"],
            ["identityProviders": ["type": "array", "items": ["$ref": "#/components/schemas/AdminIdentityProvider"]]]),
        "AdminIdentityProviderCreation": providerChange(
            required: ["name", "kind"],
            ["name": ["type": "string", "pattern": "^[a-z0-9_.:-]{1,32}$"], "kind": providerKind]),
        "AdminIdentityProviderChange": providerChange(required: [], [:]),
    ]

    private static let providerKind: JSONValue = choice(IdentityProvider.Kind.allCases)
    private static let nullableText: JSONValue = ["type": ["string", "null"]]

    private static let providerCommon: JSONObject = [
        "displayName": nullableText, "issuer": nullableText, "clientIds": texts, "appleTeamId": nullableText,
        "appleKeyId": nullableText, "scopes": texts, "authorizationEndpoint": nullableText,
        "tokenEndpoint": nullableText, "userInfoEndpoint": nullableText, "jwksUri": nullableText,
        "revocationEndpoint": nullableText, "organizations": texts, "enabled": flag, "signUpAllowed": flag,
        "emailOptional": flag, "skipsNonceCheck": flag,
        "grantCheckHours": ["type": "integer", "minimum": 0, "maximum": 8760],
        "attributeMapping": ["type": "object", "additionalProperties": ["type": "string"]],
    ]

    private static let providerShown: JSONObject = providerCommon.merging([
        "name": text, "kind": providerKind, "hasSecret": flag, "createdAt": time, "updatedAt": time,
    ])

    private static func providerChange(required: [String], _ more: JSONObject) -> JSONValue {
        [
            "type": "object", "additionalProperties": false, "required": .array(required.map { .string($0) }),
            "properties": .object(
                providerCommon.merging(["secret": ["type": ["string", "null"], "maxLength": 8192]]).merging(more)),
        ]
    }
}
