// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import ServerKit

/// An error as it goes over the wire, in either of the two forms that clients of this dialect know.
struct WireError: Error, Sendable {
    var status: HTTPResponse.Status
    var code: String
    var message: String
    var weakPasswordReasons: [String] = []
    var retryAfter: TimeSpan?
    /// By what the operator finds the request in the log: said of the server's own faults, in the older form.
    var requestID: String?
    /// What the standard calls it (RFC 6749, section 5.2), beside the platform's own word.
    var grantError: String?
    /// What people are told of it; `nil` for what ``code`` means to them.
    var told: AuthError?

    init(
        _ status: HTTPResponse.Status, _ code: String, _ message: String, weakPasswordReasons: [String] = [],
        retryAfter: TimeSpan? = nil, told: AuthErrorCode? = nil
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.weakPasswordReasons = weakPasswordReasons
        self.retryAfter = retryAfter
        self.told = told.map { AuthError($0) }
    }

    /// A request that is not of the form the operation takes.
    static func validation(_ message: String) -> WireError { WireError(.badRequest, "validation_failed", message) }

    /// - Parameter settings: of the Directory, for what is said of a weak password.
    init(_ error: AuthError, settings: DirectorySettings.Password = .init()) {
        let entry = ErrorTable.entry(for: error.code)
        self.init(entry.status, entry.code, entry.message, retryAfter: error.retryAfter)
        told = entry.told.map { AuthError($0, retryAfter: error.retryAfter) } ?? error
        // Apps show the text, and their libraries hand nothing else on.
        if let page = error.page { message += ": \(page)" }
        if error.code == .weakPassword, let weak = WeakPassword(error.violations, settings: settings) {
            weakPasswordReasons = weak.reasons
            message = weak.message
        }
        HookError.apply(error, to: &self)
        DatabaseRefusal.apply(error, to: &self)
    }

    /// As it is said to one request.
    func with(_ context: LatchkeyRequestContext) -> WireError {
        var error = self
        error.requestID = context.requestID
        return error
    }

    /// The body: the newer form when the client asked for its version, else the older one. In both stands what people
    /// are told, in their language, which the platform has no word for: its SDKs read past members that they don't
    /// know.
    func body(version: APIVersion, in language: MessageLanguage) -> JSONObject {
        var json = JSONObject()
        switch version {
        case .initial:
            json["code"] = .integer(Int64(status.code))
            json["error_code"] = .string(code)
            json["msg"] = .string(message)
            if status.code >= 500 { json["error_id"] = requestID.map { .string($0) } }
        case .of20240101:
            json["code"] = .string(code)
            json["message"] = .string(message)
        }
        if let grantError {
            json["error"] = .string(grantError)
            json["error_description"] = .string(message)
        }
        if !weakPasswordReasons.isEmpty {
            json["weak_password"] = ["reasons": .array(weakPasswordReasons.map { .string($0) })]
        }
        let message = LocalizedMessage(told ?? AuthError(ErrorTable.meaning(of: self)), in: language)
        json["message_key"] = .string(message.key.rawValue)
        json["localized_message"] = .string(message.text)
        return json
    }
}

/// The version of the API that a client asks for by the `X-Supabase-Api-Version` header.
enum APIVersion: Sendable {
    case initial
    case of20240101

    static let headerName = "X-Supabase-Api-Version"

    /// A date on or after 2024-01-01 asks for that version; anything else for the initial one.
    init(header: String?) {
        let digits = header.map { Array($0.utf8) } ?? []
        let isDate =
            digits.count == 10
            && digits.enumerated().allSatisfy { $0 == 4 || $0 == 7 ? $1 == 45 : (48...57).contains($1) }
        self = isDate && (header ?? "") >= "2024-01-01" ? .of20240101 : .initial
    }
}
