// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// `/v1/admin/*`.
extension OpenAPIDocument {
    static let adminPaths: JSONObject = [
        "/v1/admin/users": [
            "get": operation(
                "adminListUsers", "The Directory's users, in the order of their identifiers", "AdminUserPage",
                parameters: paging, failures: ["400"])
        ],
        "/v1/admin/users/{id}": [
            "get": operation("adminGetUser", "One user", "AdminUser", parameters: [userID], failures: ["404"])
        ],
        "/v1/admin/users/{id}/sessions": [
            "get": operation(
                "adminListSessions", "The user's live sessions, the last active first", "AdminSessions",
                parameters: [userID], failures: ["404"]),
            "delete": operation(
                "adminEndSessions", "Ends every session of the user", "AdminEnded", parameters: [userID],
                failures: ["404"]),
        ],
        "/v1/admin/users/{id}/consents": [
            "get": operation(
                "adminListConsentHistory", "Every word of the user's to terms and purposes, the newest first",
                "ConsentHistory", parameters: [userID] + paging, failures: ["400", "404"])
        ],
        "/v1/admin/groups": [
            "get": operation("adminListGroups", "The Directory's groups", "AdminGroups", parameters: [])
        ],
        "/v1/admin/audit": [
            "get": operation(
                "adminListAuditEvents", "The audit log, newest first", "AuditPage",
                parameters: paging + [
                    query("action", ["type": "string", "maxLength": 100]),
                    query("user", ["type": "string", "maxLength": 128]),
                ], failures: ["400"])
        ],
        "/v1/admin/lockouts": [
            "get": operation(
                "adminListLockouts", "What wrong passwords have locked, the newest first", "AdminLockoutPage",
                parameters: paging + [query("user", ["type": "string", "maxLength": 128])], failures: ["400", "404"])
        ],
        "/v1/admin/lockouts/{id}": [
            "delete": operation(
                "adminLiftLockout", "Lifts the lock", "AdminLifted", parameters: [userID], failures: ["404"])
        ],
    ]

    static let adminSchemas: JSONObject = [
        "AdminUser": object(
            [
                "id", "email", "emailVerified", "phone", "phoneVerified", "anonymous", "banned", "damaged",
                "deleted", "deletionDueAt", "lastSignInAt", "createdAt",
            ],
            [
                "id": text, "email": textOrNull, "emailVerified": flag, "phone": textOrNull, "phoneVerified": flag,
                "anonymous": flag, "banned": flag, "damaged": flag, "deleted": flag, "deletionDueAt": timeOrNull,
                "lastSignInAt": timeOrNull,
                "createdAt": time,
                "providers": ["type": "array", "items": text], "groups": ["type": "array", "items": text],
            ]),
        "AdminUserPage": object(
            ["users", "nextCursor"], ["users": list(of: "AdminUser"), "nextCursor": textOrNull]),
        "AdminSession": object(
            [
                "id", "device", "operatingSystem", "appVersion", "userAgent", "address", "assuranceLevel", "methods",
                "createdAt", "lastActiveAt", "expiresAt",
            ],
            [
                "id": text, "device": textOrNull, "operatingSystem": textOrNull, "appVersion": textOrNull,
                "userAgent": textOrNull, "address": textOrNull,
                "assuranceLevel": ["type": "integer", "minimum": 1, "maximum": 3],
                "methods": ["type": "array", "items": text], "createdAt": time, "lastActiveAt": time,
                "expiresAt": timeOrNull,
            ]),
        "AdminSessions": object(["sessions"], ["sessions": list(of: "AdminSession")]),
        "AdminEnded": object(["ended"], ["ended": ["type": "integer", "minimum": 0]]),
        "AdminGroup": object(
            ["name", "description", "precedence", "createdAt"],
            [
                "name": text, "description": textOrNull, "precedence": ["type": ["integer", "null"]],
                "createdAt": time,
            ]),
        "AdminGroups": object(["groups"], ["groups": list(of: "AdminGroup")]),
        "AuditEvent": object(
            ["id", "action", "actor", "userId", "address", "userAgent", "details", "at"],
            [
                "id": text, "action": text, "actor": text, "userId": textOrNull, "address": textOrNull,
                "userAgent": textOrNull, "details": ["type": "object"], "at": time,
            ]),
        "AdminLockout": object(
            ["id", "userId", "address", "lockedAt", "lockedUntil"],
            [
                "id": text, "userId": textOrNull, "address": textOrNull, "lockedAt": time, "lockedUntil": time,
            ]),
        "AdminLockoutPage": object(
            ["lockouts", "nextCursor"], ["lockouts": list(of: "AdminLockout"), "nextCursor": textOrNull]),
        "AdminLifted": object(["lifted"], ["lifted": text]),
        "AuditPage": object(
            ["events", "nextCursor"], ["events": list(of: "AuditEvent"), "nextCursor": textOrNull]),
    ]

    private static let text: JSONValue = ["type": "string"]
    private static let textOrNull: JSONValue = ["type": ["string", "null"]]
    private static let flag: JSONValue = ["type": "boolean"]
    private static let time: JSONValue = ["type": "string", "format": "date-time"]
    private static let timeOrNull: JSONValue = ["type": ["string", "null"], "format": "date-time"]

    private static let paging: [JSONValue] = [
        query("limit", ["type": "integer", "minimum": 1, "maximum": 100, "default": 20]),
        query("cursor", ["type": "string", "maxLength": 256]),
    ]

    private static let userID: JSONValue = [
        "name": "id", "in": "path", "required": true, "schema": ["type": "string", "maxLength": 128],
    ]

    private static func list(of schema: String) -> JSONValue {
        ["type": "array", "items": ["$ref": .string("#/components/schemas/" + schema)]]
    }

    private static func operation(
        _ id: String, _ summary: String, _ schema: String, parameters: [JSONValue], failures: [String] = []
    ) -> JSONValue {
        var responses: JSONObject = ["200": answer(summary, schema)]
        for status in failures + ["401", "403", "503"] { responses[status] = failure }
        return [
            "operationId": .string(id), "summary": .string(summary), "security": [["bearer": []], ["apiKey": []]],
            "parameters": .array(parameters), "responses": .object(responses),
        ]
    }
}
