// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// `/v1/user-sync*`.
extension OpenAPIDocument {
    static let userSyncPaths: JSONObject = [
        "/v1/user-sync": [
            "post": [
                "operationId": "syncUser",
                "summary": "Lets a user follow what an identity provider says of them; nobody is signed in",
                "requestBody": ["required": true, "content": json("UserSync")],
                "responses": [
                    "200": answer("The user, who was known", "UserSyncStanding"),
                    "201": answer("The user, who is new", "UserSyncStanding"),
                    "202": answer("It waits: `Location` says where to ask", "UserSyncStanding"), "400": failure,
                    "403": failure, "404": failure, "409": failure, "413": failure, "429": failure, "503": failure,
                ],
            ]
        ],
        "/v1/user-sync/{id}": [
            "get": [
                "operationId": "getUserSync", "summary": "What has become of one that had to wait",
                "parameters": [
                    ["name": "id", "in": "path", "required": true, "schema": ["type": "string", "maxLength": 64]]
                ],
                "responses": [
                    "200": answer("How it stands", "UserSyncStanding"), "404": failure, "429": failure, "503": failure,
                ],
            ]
        ],
    ]

    static let userSyncSchemas: JSONObject = [
        "UserSync": [
            "type": "object", "additionalProperties": false, "required": ["provider"],
            "properties": [
                "provider": ["type": "string", "maxLength": 32], "idToken": token, "accessToken": token,
                "nonce": ["type": "string", "minLength": 1, "maxLength": 512],
            ],
            "oneOf": [["required": ["idToken"]], ["required": ["accessToken"]]],
        ],
        "UserSyncStanding": object(
            ["status"],
            [
                "status": ["enum": ["done", "waiting", "failed"]], "created": ["type": "boolean"],
                "id": ["type": "string"], "attempts": ["type": "integer", "minimum": 0],
                "nextTryAt": ["type": ["string", "null"], "format": "date-time"], "error": textOrNull,
                "user": ["anyOf": [["$ref": "#/components/schemas/SyncedUser"], ["type": "null"]]],
            ]),
        "SyncedUser": object(
            [
                "sub", "id", "email", "emailVerified", "phone", "name", "picture", "locale", "attributes", "identities",
                "createdAt", "updatedAt",
            ],
            [
                "sub": ["type": "string"], "id": ["type": "string", "format": "uuid"], "email": textOrNull,
                "emailVerified": ["type": "boolean"], "phone": textOrNull, "name": textOrNull, "picture": textOrNull,
                "locale": textOrNull, "attributes": ["type": "object"],
                "identities": [
                    "type": "array",
                    "items": object(
                        ["provider", "subject"],
                        ["provider": ["type": "string"], "subject": ["type": "string"]]),
                ],
                "createdAt": ["type": "string", "format": "date-time"],
                "updatedAt": ["type": "string", "format": "date-time"],
            ]),
    ]

    private static let token: JSONValue = ["type": "string", "minLength": 1, "maxLength": 8192]
    private static let textOrNull: JSONValue = ["type": ["string", "null"]]
}
