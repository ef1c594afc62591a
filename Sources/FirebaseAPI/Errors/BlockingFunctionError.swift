// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// How the platform says that a blocking function said no: SDKs read the code before the first colon, and show the rest
/// ("Extend Firebase Authentication with blocking functions", Firebase documentation).
enum BlockingFunctionError {
    static let code = "BLOCKING_FUNCTION_ERROR_RESPONSE"

    static func message(_ said: String, _ error: AuthError) -> String {
        let status = error.messageStatus ?? 403
        let body: JSONObject = ["error": ["message": .string(said)]]
        return "\(code) : HTTP Cloud Function returned an error. Code: \(status), Status: \"\(name(of: status))\", "
            + "Message: \"\(JSONValue.object(body).text)\""
    }

    private static func name(of status: Int) -> String {
        switch status {
        case 400: "INVALID_ARGUMENT"
        case 401: "UNAUTHENTICATED"
        case 404: "NOT_FOUND"
        case 409: "ALREADY_EXISTS"
        case 429: "RESOURCE_EXHAUSTED"
        default: "PERMISSION_DENIED"
        }
    }
}
