// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// `/v1/sessions` and `/v1/account`.
extension OpenAPIDocument {
    static let accountPaths: JSONObject = [
        "/v1/sessions": [
            "get": operation(
                "listSessions", "Where the user is signed in, the last sign-in first", ["200": "SessionPage"],
                parameters: [
                    query("limit", ["type": "integer", "minimum": 1, "maximum": 100, "default": 20]),
                    query("cursor", ["type": "string", "maxLength": 256]),
                ], failures: ["400"]),
            "delete": operation(
                "endOtherSessions", "Ends every session of the user but this one", ["200": "Ended"],
                parameters: [
                    [
                        "name": "others", "in": "query", "required": true,
                        "schema": ["type": "string", "enum": ["true"]],
                    ]
                ], failures: ["400"]),
        ],
        "/v1/sessions/{id}": [
            "delete": operation(
                "endSession", "Ends one of the user's sessions", ["200": "Ended"],
                parameters: [
                    ["name": "id", "in": "path", "required": true, "schema": ["type": "string", "maxLength": 128]]
                ], failures: ["404"])
        ],
        "/v1/account/deletion": [
            "get": operation(
                "explainDeletion", "What deleting the account means", ["200": "DeletionExplanation"])
        ],
        "/v1/account": [
            "delete": operation(
                "deleteAccount",
                "Deletes the account: at once, or once a time of grace is over in which signing in undoes it. Needs a sign-in "
                    + "of the last five minutes, and a second factor of whoever has one",
                ["200": "Deletion", "202": "Deletion"])
        ],
        "/v1/account/factor-recovery": [
            "get": operation(
                "showFactorRecovery",
                "Whether second factors that are lost may be removed after a wait, and how one that was begun stands",
                ["200": "FactorRecoveryStanding"]),
            "post": operation(
                "beginFactorRecovery",
                "Begins the wait after which a sign-in removes the user's second factors. The user is told everywhere, and "
                    + "stops it by the link in the mail or by any factor",
                ["202": "FactorRecovery"], failures: ["400", "404", "429"]),
        ],
    ]

    static let accountSchemas: JSONObject = [
        "Session": object(
            [
                "id", "device", "operatingSystem", "appVersion", "app", "address", "createdAt", "lastActiveAt",
                "current", "remembered",
            ],
            [
                "id": text, "device": textOrNull, "operatingSystem": textOrNull, "appVersion": textOrNull,
                "app": textOrNull, "address": textOrNull, "createdAt": time, "lastActiveAt": time,
                "current": ["type": "boolean"], "remembered": ["type": "boolean"],
            ]),
        "SessionPage": object(
            ["sessions", "nextCursor"],
            [
                "sessions": ["type": "array", "items": ["$ref": "#/components/schemas/Session"]],
                "nextCursor": textOrNull,
            ]),
        "Ended": object(["ended"], ["ended": count]),
        "DeletionExplanation": object(
            [
                "graceSeconds", "needsRecentSignIn", "needsSecondFactor", "explanation", "erased", "kept", "sessions",
                "providers", "factors",
            ],
            [
                "graceSeconds": count, "needsRecentSignIn": ["type": "boolean"],
                "needsSecondFactor": ["type": "boolean"], "explanation": text, "erased": texts, "kept": texts,
                "sessions": count, "providers": texts, "factors": count,
            ]),
        "Deletion": object(
            ["deleted", "deletionDueAt"],
            ["deleted": ["type": "boolean"], "deletionDueAt": ["type": ["string", "null"], "format": "date-time"]]),
        "FactorRecovery": object(
            ["requestedAt", "dueAt", "endsAt", "ready"],
            ["requestedAt": time, "dueAt": time, "endsAt": time, "ready": ["type": "boolean"]]),
        "FactorRecoveryStanding": object(
            ["offered", "waitSeconds", "recovery"],
            [
                "offered": ["type": "boolean"], "waitSeconds": count,
                "recovery": ["oneOf": [["$ref": "#/components/schemas/FactorRecovery"], ["type": "null"]]],
            ]),
    ]

    private static let text: JSONValue = ["type": "string"]
    private static let textOrNull: JSONValue = ["type": ["string", "null"]]
    private static let time: JSONValue = ["type": "string", "format": "date-time"]
    private static let count: JSONValue = ["type": "integer", "minimum": 0]
    private static let texts: JSONValue = ["type": "array", "items": ["type": "string"]]

    private static func operation(
        _ id: String, _ summary: String, _ answers: [String: String], parameters: [JSONValue] = [],
        failures: [String] = []
    ) -> JSONValue {
        var responses: JSONObject = [:]
        for (status, schema) in answers.sorted(by: { $0.key < $1.key }) { responses[status] = answer(summary, schema) }
        for status in failures + ["401", "403", "503"] { responses[status] = failure }
        return [
            "operationId": .string(id), "summary": .string(summary), "security": [["bearer": []]],
            "parameters": .array(parameters), "responses": .object(responses),
        ]
    }
}
