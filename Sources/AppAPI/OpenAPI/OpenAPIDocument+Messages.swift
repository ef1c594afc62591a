// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// `/v1/admin/message-templates`.
extension OpenAPIDocument {
    static let messagePaths: JSONObject = [
        "/v1/admin/message-templates": [
            "get": operation(
                "adminListMessageTemplates", "The Directory's own words for mails and text messages",
                "AdminMessageTemplates")
        ],
        "/v1/admin/message-templates/{id}": [
            "get": operation(
                "adminGetMessageTemplate", "The words for one kind", "AdminMessageTemplate", parameters: [name],
                failures: ["404"]),
            "put": operation(
                "adminPutMessageTemplate", "Sets the words for one kind; a part that is left out is the built-in one",
                "AdminMessageTemplate", parameters: [name], body: "AdminMessageTemplateChange",
                failures: ["400", "413"]),
            "delete": operation(
                "adminDeleteMessageTemplate", "The built-in words again", "AdminDeletedMessageTemplate",
                parameters: [name], failures: ["404"]),
        ],
    ]

    static let messageSchemas: JSONObject = [
        "AdminMessageTemplate": object(
            ["name"], .object((["name": ["type": "string"]] as JSONObject).merging(parts("string")))),
        "AdminMessageTemplates": object(
            ["templates"],
            ["templates": ["type": "array", "items": ["$ref": "#/components/schemas/AdminMessageTemplate"]]]),
        "AdminMessageTemplateChange": [
            "type": "object", "additionalProperties": false, "properties": .object(parts(["string", "null"])),
        ],
        "AdminDeletedMessageTemplate": object(["deleted"], ["deleted": ["const": true]]),
    ]

    private static func parts(_ type: JSONValue) -> JSONObject {
        [
            "subject": ["type": type, "maxLength": 2048], "html": ["type": type, "maxLength": 65_536],
            "text": ["type": type, "maxLength": 1000], "appLink": ["type": type, "maxLength": 512],
        ]
    }

    private static let name: JSONValue = [
        "name": "id", "in": "path", "required": true,
        "description": "A kind, such as recovery, or a kind and a language, such as recovery.de",
        "schema": ["type": "string", "maxLength": 64],
    ]

    private static func operation(
        _ id: String, _ summary: String, _ schema: String, parameters: [JSONValue] = [], body: String? = nil,
        failures: [String] = []
    ) -> JSONValue {
        var responses: JSONObject = ["200": answer(summary, schema)]
        for status in failures + ["401", "403", "503"] { responses[status] = failure }
        var operation: JSONObject = [
            "operationId": .string(id), "summary": .string(summary), "security": [["bearer": []], ["apiKey": []]],
            "responses": .object(responses),
        ]
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        operation["requestBody"] = body.map { ["required": true, "content": json($0)] }
        return .object(operation)
    }
}
