// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// `/v1/terms`, `/v1/account/consents*`, and what administrators do with them.
extension OpenAPIDocument {
    static let termsPaths: JSONObject = [
        "/v1/terms": [
            "get": operation(
                "listTerms", "What users are asked to agree to, now and later", "TermsCatalog", nil,
                failures: ["404"])
        ],
        "/v1/account/consents": [
            "get": operation("getConsents", "What the user has agreed and consented to", "Consents", user),
            "patch": operation(
                "changeConsents", "Agrees, consents, or withdraws consent; what is not named stays as it is",
                "Consents", user, body: "ConsentChange", failures: ["400", "403", "413", "429"]),
        ],
        "/v1/account/consents/history": [
            "get": operation(
                "listConsentHistory", "Every word of the user's, the newest first", "ConsentHistory", user,
                parameters: paging, failures: ["400"])
        ],
        "/v1/admin/terms": [
            "get": operation(
                "adminListTerms", "Every version that was published", "TermsList", administrator, failures: ["403"]),
            "post": operation(
                "adminPublishTerms",
                "Publishes a version, or several, all or none; one that is there in the same words is left as it is",
                "TermsList", administrator, body: "TermsPublication", isMade: true,
                failures: ["400", "403", "409", "413"]),
        ],
        "/v1/admin/terms/{name}/{version}": [
            "patch": operation(
                "adminDemandTerms", "Sets whether a sign-in demands it", "Terms", administrator,
                parameters: [path("name", 64), path("version", 64)], body: "TermsDemand",
                failures: ["400", "403", "404", "413"]),
            "delete": operation(
                "adminWithdrawTerms", "Takes back a version that has not taken effect", "TermsWithdrawn",
                administrator, parameters: [path("name", 64), path("version", 64)], failures: ["403", "404", "409"]),
        ],
    ]

    static let termsSchemas: JSONObject = [
        "Terms": object(
            ["name", "version", "kind", "demanded", "effectiveAt", "texts"],
            [
                "name": word, "version": word, "kind": kind, "demanded": flag, "effectiveAt": time, "texts": texts,
            ]),
        "TermsList": object(["terms"], ["terms": terms]),
        "TermsCatalog": object(["terms", "upcoming"], ["terms": terms, "upcoming": terms]),
        "TermsDraft": [
            "type": "object", "additionalProperties": false, "required": ["name", "version", "texts"],
            "properties": [
                "name": word, "version": word, "kind": kind, "demanded": flag, "effectiveAt": timeOrNull,
                "texts": texts,
            ],
        ],
        "TermsPublication": [
            "anyOf": [
                ["$ref": "#/components/schemas/TermsDraft"],
                [
                    "type": "object", "additionalProperties": false, "required": ["terms"],
                    "properties": [
                        "terms": [
                            "type": "array", "maxItems": 200, "items": ["$ref": "#/components/schemas/TermsDraft"],
                        ]
                    ],
                ],
            ]
        ],
        "TermsDemand": [
            "type": "object", "additionalProperties": false, "required": ["demanded"],
            "properties": ["demanded": flag],
        ],
        "TermsWithdrawn": object(["withdrawn"], ["withdrawn": word]),
        "Consent": object(
            [
                "name", "version", "title", "url", "demanded", "given", "answered", "saidVersion", "saidAt",
            ],
            [
                "name": word, "version": word, "title": textOrNull, "url": textOrNull, "demanded": flag,
                "given": flag, "answered": flag, "saidVersion": textOrNull, "saidAt": timeOrNull,
            ]),
        "Consents": object(
            ["consents", "purposes", "documents"],
            [
                "consents": [
                    "type": "object", "required": ["version"], "properties": ["version": ["const": 1]],
                    "additionalProperties": flag,
                ],
                "purposes": ["type": "array", "items": ["$ref": "#/components/schemas/Consent"]],
                "documents": ["type": "array", "items": ["$ref": "#/components/schemas/Consent"]],
            ]),
        "ConsentChange": [
            "type": "object", "properties": ["version": ["const": 1]],
            "additionalProperties": [
                "anyOf": [
                    flag,
                    [
                        "type": "object", "additionalProperties": false, "required": ["given"],
                        "properties": ["given": flag, "version": word],
                    ],
                ]
            ],
        ],
        "ConsentHistory": object(
            ["history", "nextCursor"],
            [
                "history": [
                    "type": "array",
                    "items": object(
                        ["name", "version", "given", "occasion", "dialect", "client", "at"],
                        [
                            "name": word, "version": word, "given": flag,
                            "occasion": ["enum": ["sign_up", "sign_in", "account"]], "dialect": textOrNull,
                            "client": textOrNull, "at": time,
                        ]),
                ],
                "nextCursor": textOrNull,
            ]),
    ]

    private static let word: JSONValue = ["type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$"]
    private static let kind: JSONValue = ["enum": ["document", "purpose"]]
    private static let flag: JSONValue = ["type": "boolean"]
    private static let time: JSONValue = ["type": "string", "format": "date-time"]
    private static let timeOrNull: JSONValue = ["type": ["string", "null"], "format": "date-time"]
    private static let textOrNull: JSONValue = ["type": ["string", "null"]]
    private static let terms: JSONValue = ["type": "array", "items": ["$ref": "#/components/schemas/Terms"]]
    /// By language.
    private static let texts: JSONValue = [
        "type": "object",
        "additionalProperties": object(
            ["title"], ["title": ["type": "string", "maxLength": 200], "url": ["type": ["string", "null"]]]),
    ]
    private static let user: JSONValue = [["bearer": []]]
    private static let administrator: JSONValue = [["bearer": []], ["apiKey": []]]
    private static let paging = [
        query("limit", ["type": "integer", "minimum": 1, "maximum": 100, "default": 20]),
        query("cursor", ["type": "string", "maxLength": 256]),
    ]

    private static func path(_ name: String, _ length: Int64) -> JSONValue {
        [
            "name": .string(name), "in": "path", "required": true,
            "schema": ["type": "string", "maxLength": .integer(length)],
        ]
    }

    private static func operation(
        _ id: String, _ summary: String, _ schema: String, _ security: JSONValue?, parameters: [JSONValue] = [],
        body: String? = nil, isMade: Bool = false, failures: [String] = []
    ) -> JSONValue {
        var responses: JSONObject = ["200": answer(summary, schema)]
        if isMade { responses["201"] = answer(summary, schema) }
        for status in failures + (security == nil ? ["503"] : ["401", "503"]) { responses[status] = failure }
        var operation: JSONObject = ["operationId": .string(id), "summary": .string(summary)]
        operation["security"] = security
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        operation["requestBody"] = body.map { ["required": true, "content": json($0)] }
        operation["responses"] = .object(responses)
        return .object(operation)
    }
}
