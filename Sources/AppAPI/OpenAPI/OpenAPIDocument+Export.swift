// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// `/v1/account/export`
extension OpenAPIDocument {
    static let exportPaths: JSONObject = [
        "/v1/account/export": [
            "post": [
                "operationId": "requestExport",
                "summary": .string(
                    "Mails the user a link, good once, to a ZIP file of everything that is held about them. Needs a second "
                        + "factor of whoever has one, and else a sign-in of the last five minutes"),
                "security": [["bearer": []]],
                "responses": [
                    "202": answer("The link is on its way", "Export"), "400": failure, "401": failure, "429": failure,
                    "503": failure,
                ],
            ]
        ]
    ]

    static let exportSchemas: JSONObject = [
        "Export": object(["expiresAt"], ["expiresAt": ["type": "string", "format": "date-time"]])
    ]
}
