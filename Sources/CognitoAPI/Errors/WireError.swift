// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// An error as it goes over the wire: the exception of the service's model, and the text that clients know it by.
struct WireError: Error, Sendable, Equatable {
    var exception: String
    var message: String
    /// What people are told of it; `nil` for what ``exception`` and ``message`` mean to them.
    var told: AuthError?

    init(_ exception: String, _ message: String) {
        self.exception = exception
        self.message = message
    }

    init(_ error: AuthError) {
        self = ErrorTable.entry(for: error.code)
        told = told.map { AuthError($0.code, retryAfter: error.retryAfter) } ?? error
        switch error.code {
        case .weakPassword: message = PasswordPolicyText.message(violations: error.violations)
        case .invalidRequest:
            // Fields and reasons are the domain's own words, never what the client sent.
            if let reason = error.reason { message = error.field.map { "\($0): \(reason)" } ?? reason }
        case .hookRefused:
            if let said = error.message { message = TriggerError.message(said, at: error.field) }
        case .termsNotAgreed:
            if let page = error.page { message = "The current terms must be agreed to first: \(page)" }
        default: break
        }
    }

    /// The same, of which people are told as of another error: one that goes out in the same words.
    func told(as code: AuthErrorCode) -> WireError {
        var error = self
        error.told = AuthError(code)
        return error
    }

    /// What people are told of it. The model of the service has no such member: SDKs read past it.
    func localized(in language: MessageLanguage) -> LocalizedMessage {
        LocalizedMessage(told ?? AuthError(ErrorTable.meaning(of: self)), in: language)
    }

    /// By what goes out in the service's words.
    static func == (one: WireError, other: WireError) -> Bool {
        one.exception == other.exception && one.message == other.message
    }

    /// Every exception of the model goes out with 400, but for the server's own fault.
    var isServerFault: Bool { exception == "InternalErrorException" }

    static func parameter(_ message: String) -> WireError { WireError("InvalidParameterException", message) }
    static func notAuthorized(_ message: String) -> WireError { WireError("NotAuthorizedException", message) }
    static func notFound(_ message: String) -> WireError { WireError("ResourceNotFoundException", message) }

    static let unknownOperation = WireError("UnknownOperationException", "Unknown operation")
    static let userNotFound = WireError("UserNotFoundException", "User does not exist.")
    static let attemptLimit = WireError(
        "LimitExceededException", "Attempt limit exceeded, please try after some time.")
    static let codeMismatch = WireError(
        "CodeMismatchException", "Invalid verification code provided, please try again.")

    static func noPool(_ id: String) -> WireError { notFound("User pool \(id) does not exist.") }
    static func noClient(_ id: String) -> WireError { notFound("User pool client \(id) does not exist.") }
}
