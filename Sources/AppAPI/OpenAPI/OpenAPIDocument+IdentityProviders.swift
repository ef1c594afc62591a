// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

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

    private static let providerKind: JSONValue = [
        "type": "string", "enum": .array(IdentityProvider.Kind.allCases.map { .string($0.rawValue) }),
    ]
    private static let text: JSONValue = ["type": "string"]
    private static let flag: JSONValue = ["type": "boolean"]
    private static let time: JSONValue = ["type": "string", "format": "date-time"]
    private static let texts: JSONValue = [
        "type": "array", "maxItems": 100, "items": ["type": "string", "maxLength": 255],
    ]
    private static let nullableText: JSONValue = ["type": ["string", "null"]]

    private static let providerCommon: JSONObject = [
        "displayName": nullableText, "issuer": nullableText, "clientIds": texts, "appleTeamId": nullableText,
        "appleKeyId": nullableText, "scopes": texts, "authorizationEndpoint": nullableText,
        "tokenEndpoint": nullableText, "userInfoEndpoint": nullableText, "jwksUri": nullableText,
        "revocationEndpoint": nullableText, "organizations": texts, "enabled": flag, "signUpAllowed": flag,
        "emailOptional": flag, "skipsNonceCheck": flag,
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
