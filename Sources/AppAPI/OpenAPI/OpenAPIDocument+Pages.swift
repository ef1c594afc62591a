// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// `/v1/admin/pages`.
extension OpenAPIDocument {
    static let pagePaths: JSONObject = [
        "/v1/admin/pages": [
            "get": operation("adminGetPages", "How the pages look on which users sign in"),
            "patch": operation(
                "adminUpdatePages", "Changes what is given; null takes a value away", body: "AdminPagesChange",
                failures: ["400", "413"]),
        ]
    ]

    static let pageSchemas: JSONObject = [
        "AdminPages": object(members.names, .object(members)),
        "AdminPagesChange": ["type": "object", "additionalProperties": false, "properties": .object(members)],
    ]

    private static let members: JSONObject = [
        "siteName": ["type": "string", "maxLength": 256], "logo": textOrNull, "accent": colour, "accentDark": colour,
        "background": colour, "backgroundDark": colour, "privacyUrl": textOrNull, "termsUrl": textOrNull,
        "supportUrl": textOrNull, "texts": ["type": "object", "additionalProperties": ["type": "string"]],
    ]
    private static let textOrNull: JSONValue = ["type": ["string", "null"]]
    private static let colour: JSONValue = ["type": ["string", "null"], "pattern": "^#[0-9A-Fa-f]{6}$"]

    private static func operation(
        _ id: String, _ summary: String, body: String? = nil, failures: [String] = []
    ) -> JSONValue {
        var responses: JSONObject = ["200": answer("The settings", "AdminPages")]
        for status in failures + ["401", "403", "503"] { responses[status] = failure }
        var operation: JSONObject = [
            "operationId": .string(id), "summary": .string(summary), "security": [["bearer": []], ["apiKey": []]],
            "responses": .object(responses),
        ]
        operation["requestBody"] = body.map { ["required": true, "content": json($0)] }
        return .object(operation)
    }
}
