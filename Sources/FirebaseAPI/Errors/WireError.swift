// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes

/// An error as it goes over the wire. Clients take the code from the beginning of `message` up to the first colon,
/// which stands between blanks.
struct WireError: Error, Sendable {
    var status: HTTPResponse.Status
    /// `CODE`, or `CODE : explanation`; for errors that the platform's gateway makes, a sentence.
    var message: String
    var reason: String
    /// The name of the status in Google's APIs, where they say it: not with the codes of this one.
    var statusName: String?
    var retryAfter: TimeSpan?
    /// What people are told of it; `nil` for what ``code`` means to them.
    var told: AuthError?

    init(
        _ status: HTTPResponse.Status, _ message: String, reason: String, statusName: String? = nil,
        retryAfter: TimeSpan? = nil
    ) {
        self.status = status
        self.message = message
        self.reason = reason
        self.statusName = statusName
        self.retryAfter = retryAfter
    }

    /// One of this API's own codes: nearly all of them are 400.
    init(_ code: String, _ explanation: String? = nil) {
        self.init(.badRequest, explanation.map { "\(code) : \($0)" } ?? code, reason: "invalid")
    }

    init(_ error: AuthError) {
        let entry = ErrorTable.entry(for: error.code)
        var message = entry.message
        if error.code == .weakPassword { message = WeakPassword(violations: error.violations).message }
        if error.code == .hookRefused, let said = error.message { message = BlockingFunctionError.message(said, error) }
        if let page = error.page { message = Self.blocked(entry.message, page) }
        self.init(
            entry.status, message, reason: entry.reason, statusName: entry.statusName, retryAfter: error.retryAfter)
        told = entry.told.map { AuthError($0, retryAfter: error.retryAfter) } ?? error
    }

    /// As the platform hands on what a blocking function has answered: apps look for the object in the text.
    private static func blocked(_ message: String, _ page: String) -> String {
        let code = message.firstRange(of: " : ").map { String(message[..<$0.lowerBound]) } ?? message
        let text = message.firstRange(of: " : ").map { String(message[$0.upperBound...]) } ?? ""
        let answer: JSONObject = [
            "error": [
                "details": ["code": "terms_not_agreed", "page": .string(page)], "message": .string(text),
                "status": "PERMISSION_DENIED",
            ]
        ]
        return "\(code) : HTTP Cloud Function returned an error: \(JSONValue.object(answer).text)"
    }

    /// A body that can't be read as what the operation takes.
    static func unreadable(_ message: String) -> WireError {
        WireError(.badRequest, message, reason: "parseError", statusName: "INVALID_ARGUMENT")
    }

    static let keyMissing = WireError(
        .forbidden, "The request is missing a valid API key.", reason: "forbidden", statusName: "PERMISSION_DENIED")
    static let unauthenticated = WireError(
        .unauthorized,
        "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid "
            + "authentication credential.", reason: "authError", statusName: "UNAUTHENTICATED")
    /// A member of a request that this server does nothing about, as an operation that is switched off.
    static func notAllowed(_ member: String) -> WireError {
        WireError("OPERATION_NOT_ALLOWED", "\(member) is not supported by this server.")
    }

    /// What clients branch on.
    var code: String { message.firstRange(of: " : ").map { String(message[..<$0.lowerBound]) } ?? message }

    /// In `details` stands what people are told, in their language, and its key, by the platform's own types for both
    /// (Google AIP-193, "Errors"): `message` is for developers, and in English.
    func body(in language: MessageLanguage) -> JSONObject {
        let told = LocalizedMessage(told ?? AuthError(ErrorTable.meaning(of: self)), in: language)
        var error = JSONObject()
        error["code"] = .integer(Int64(status.code))
        error["message"] = .string(message)
        error["errors"] = [
            ["message": .string(message), "reason": .string(reason), "domain": "global"]
        ]
        error["status"] = statusName.map { .string($0) }
        error["details"] = [
            [
                "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": .string(Self.reason(told.key)),
                "domain": "latchkey", "metadata": ["messageKey": .string(told.key.rawValue)],
            ],
            [
                "@type": "type.googleapis.com/google.rpc.LocalizedMessage", "locale": .string(told.language.rawValue),
                "message": .string(told.text),
            ],
        ]
        return ["error": .object(error)]
    }

    /// `google.rpc.ErrorInfo` has reasons in capitals.
    private static func reason(_ key: MessageKey) -> String {
        String(key.rawValue.drop { $0 != "." }.dropFirst()).uppercased()
    }
}
