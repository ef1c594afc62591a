// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The description of this API that it serves at `/openapi.json` (OpenAPI 3.1). A test holds it against the server.
enum OpenAPIDocument {
    static func make(serverURL: String) -> JSONObject {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "Latchkey App API", "version": "1",
                "description": .string(description),
                "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
            ],
            "servers": [["url": .string(serverURL)]],
            "paths": .object(
                paths.merging(accountPaths).merging(exportPaths).merging(termsPaths).merging(userSyncPaths).merging(
                    adminPaths
                ).merging(
                    clientPaths
                ).merging(
                    identityProviderPaths
                )
                .merging(pagePaths).merging(messagePaths)),
            "components": [
                "securitySchemes": [
                    "bearer": ["type": "http", "scheme": "bearer", "bearerFormat": "JWT"],
                    "apiKey": ["type": "apiKey", "in": "header", "name": "X-API-Key"],
                ],
                "schemas": .object(
                    schemas.merging(accountSchemas).merging(exportSchemas).merging(termsSchemas).merging(adminSchemas)
                        .merging(clientSchemas)
                        .merging(
                            identityProviderSchemas
                        )
                        .merging(pageSchemas).merging(userSyncSchemas).merging(messageSchemas)),
            ],
        ]
    }

    private static let description =
        "The signed-in user's profile and activities, and administration: for members of the administrators' groups, and for "
        + "programs with an API key that has no scopes or `admin:users`, for clients and pages `admin:clients`. A request that "
        + "has a key is judged by it alone."

    private static let paths: JSONObject = [
        "/v1/me": [
            "get": [
                "operationId": "getMe", "summary": "The signed-in user", "security": [["bearer": []]],
                "responses": ["200": answer("The user", "Me"), "401": failure, "503": failure],
            ]
        ],
        "/v1/activities": [
            "get": [
                "operationId": "listActivities", "summary": "The user's activities, newest first",
                "security": [["bearer": []]],
                "parameters": [
                    query("limit", ["type": "integer", "minimum": 1, "maximum": 100, "default": 20]),
                    query("cursor", ["type": "string", "maxLength": 1024]),
                    query("type", ["type": "string", "minLength": 1, "maxLength": 100]),
                    query("from", ["type": "string", "format": "date-time"]),
                    query("until", ["type": "string", "format": "date-time"]),
                ],
                "responses": [
                    "200": answer("A page", "ActivityPage"), "400": failure, "401": failure, "503": failure,
                ],
            ]
        ],
        "/v1/users/register": [
            "post": [
                "operationId": "registerProfile", "summary": "Creates or changes the user's profile",
                "security": [["bearer": []]],
                "requestBody": ["required": true, "content": json("Registration")],
                "responses": [
                    "200": answer("The user", "Me"), "400": failure, "401": failure, "409": failure, "413": failure,
                    "429": failure, "503": failure,
                ],
            ]
        ],
        "/health/live": [
            "get": [
                "operationId": "getLiveness", "summary": "Whether the process runs",
                "responses": ["200": ["description": "It runs"]],
            ]
        ],
        "/health/ready": [
            "get": [
                "operationId": "getReadiness", "summary": "Whether requests are served",
                "responses": ["200": ["description": "They are"], "503": ["description": "Not now"]],
            ]
        ],
    ]

    private static let schemas: JSONObject = [
        "Me": object(
            ["sub", "id", "email", "emailVerified", "phone", "name", "picture", "locale", "anonymous", "createdAt"],
            [
                "sub": ["type": "string"], "id": ["type": "string", "format": "uuid"],
                "email": ["type": ["string", "null"]],
                "emailVerified": ["type": "boolean"], "phone": ["type": ["string", "null"]],
                "name": ["type": ["string", "null"]], "picture": ["type": ["string", "null"]],
                "locale": ["type": ["string", "null"]], "anonymous": ["type": "boolean"],
                "createdAt": ["type": "string", "format": "date-time"],
            ]),
        "Activity": object(
            ["id", "type", "description", "durationSeconds", "timestamp"],
            [
                "id": ["type": "string"], "type": ["type": "string"], "description": ["type": "string"],
                "durationSeconds": ["type": "integer", "minimum": 0],
                "timestamp": ["type": "string", "format": "date-time"],
            ]),
        "ActivityPage": object(
            ["activities", "nextCursor"],
            [
                "activities": ["type": "array", "items": ["$ref": "#/components/schemas/Activity"]],
                "nextCursor": ["type": ["string", "null"]],
            ]),
        "Registration": [
            "type": "object", "additionalProperties": false,
            "properties": [
                "name": ["type": ["string", "null"], "minLength": 1, "maxLength": 200],
                "picture": ["type": ["string", "null"], "format": "uri", "maxLength": 2048],
                "avatar": ["type": ["string", "null"], "format": "uri", "maxLength": 2048],
                "locale": ["type": ["string", "null"], "maxLength": 35],
                "email": ["type": "string", "format": "email", "maxLength": 254],
            ],
        ],
        "Error": [
            "type": "object", "required": ["error", "code", "error_description", "message", "message_key"],
            "properties": [
                "error": ["type": "string"], "code": ["type": "string"], "error_description": ["type": "string"],
                "message": ["type": "string"], "message_key": ["type": "string"], "field": ["type": "string"],
            ],
        ],
    ]

    static let failure = answer("Refused", "Error")

    static func answer(_ description: String, _ schema: String) -> JSONValue {
        ["description": .string(description), "content": json(schema)]
    }

    static func json(_ schema: String) -> JSONValue {
        ["application/json": ["schema": ["$ref": .string("#/components/schemas/" + schema)]]]
    }

    static func query(_ name: String, _ schema: JSONValue) -> JSONValue {
        ["name": .string(name), "in": "query", "required": false, "schema": schema]
    }

    static func object(_ required: [String], _ properties: JSONValue) -> JSONValue {
        ["type": "object", "required": .array(required.map { .string($0) }), "properties": properties]
    }
}
