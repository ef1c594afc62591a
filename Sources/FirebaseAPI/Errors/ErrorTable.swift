// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes

/// How this dialect says each of the domain's errors. Clients branch on the code before the colon, and make an internal
/// error of one they don't know: only codes that the platform's SDKs have are used here.
struct ErrorTable {
    struct Entry: Sendable {
        var status: HTTPResponse.Status
        var message: String
        var reason: String
        var statusName: String?
        /// Which error people are told of, where others are said in the same words; `nil` for the one itself.
        var told: AuthErrorCode?

        /// One of this API's own codes.
        init(_ code: String, _ explanation: String? = nil, told: AuthErrorCode? = nil) {
            status = .badRequest
            message = explanation.map { "\(code) : \($0)" } ?? code
            reason = "invalid"
            self.told = told
        }

        init(
            _ status: HTTPResponse.Status, _ message: String, _ reason: String, _ statusName: String,
            told: AuthErrorCode? = nil
        ) {
            self.status = status
            self.message = message
            self.reason = reason
            self.statusName = statusName
            self.told = told
        }

        /// What clients branch on.
        var code: String { message.components(before: " : ") }
    }

    static func entry(for code: AuthErrorCode) -> Entry { entries[code] ?? internalError }

    private static let internalError = Entry(
        .internalServerError, "Internal error encountered.", "backendError", "INTERNAL")
    private static let tooOld = Entry("CREDENTIAL_TOO_OLD_LOGIN_AGAIN", told: .reauthenticationNeeded)
    private static let tokenExpired = Entry("TOKEN_EXPIRED", told: .tokensRevoked)
    private static let codeInvalid = Entry("INVALID_OOB_CODE", told: .oneTimeTokenInvalid)
    private static let tooManyAttempts = Entry(
        "TOO_MANY_ATTEMPTS_TRY_LATER",
        "Access to this account has been temporarily disabled due to many failed login attempts. You can immediately "
            + "restore it by resetting your password or you can try again later.", told: .accountLocked)

    static let entries: [AuthErrorCode: Entry] = [
        // Input
        .invalidRequest: Entry(
            .badRequest, "Request contains an invalid argument.", "badRequest", "INVALID_ARGUMENT"),
        .invalidJSON: Entry(
            .badRequest, "Invalid JSON payload received. Unexpected token.", "parseError", "INVALID_ARGUMENT"),
        .invalidEmail: Entry("INVALID_EMAIL"),
        .invalidPhone: Entry("INVALID_PHONE_NUMBER", "Invalid format."),
        .weakPassword: Entry("WEAK_PASSWORD", "Password is too weak"),
        .samePassword: Entry("WEAK_PASSWORD", "New password should be different from the old password"),
        .requestTooLarge: Entry(
            .contentTooLarge, "Request payload size exceeds the limit: 1048576 bytes.", "uploadTooLarge",
            "INVALID_ARGUMENT"),
        .metadataTooLarge: Entry(
            .badRequest, "The user's data exceeds the maximum size.", "badRequest", "INVALID_ARGUMENT"),
        .notFound: Entry(.notFound, "Not Found", "notFound", "NOT_FOUND"),
        .methodNotAllowed: Entry(.methodNotAllowed, "Method Not Allowed", "httpMethodNotAllowed", "UNIMPLEMENTED"),
        .unsupported: Entry("OPERATION_NOT_ALLOWED", "Operation is not supported, or not enabled."),
        .conflict: Entry(.conflict, "The operation was aborted.", "aborted", "ABORTED"),

        // Sign-in and accounts
        .invalidCredentials: Entry("INVALID_LOGIN_CREDENTIALS"),
        .accountLocked: tooManyAttempts,
        .emailNotVerified: Entry(
            "UNVERIFIED_EMAIL", "The email address must be verified first. A message has been sent to it."),
        .phoneNotVerified: Entry("OPERATION_NOT_ALLOWED", "The phone number must be verified first."),
        .userBanned: Entry("USER_DISABLED"),
        .userNotFound: Entry("USER_NOT_FOUND"),
        .emailExists: Entry("EMAIL_EXISTS"),
        .phoneExists: Entry("PHONE_NUMBER_EXISTS"),
        .usernameExists: Entry("DUPLICATE_LOCAL_ID"),
        .signUpDisabled: Entry("ADMIN_ONLY_OPERATION"),
        .anonymousDisabled: Entry("ADMIN_ONLY_OPERATION", "Anonymous sign-in is not enabled."),
        .emailSignInDisabled: Entry("OPERATION_NOT_ALLOWED", "Sign-in with an email address is not enabled."),
        .phoneSignInDisabled: Entry("OPERATION_NOT_ALLOWED", "Sign-in with a phone number is not enabled."),
        .passwordChangeRequired: Entry(
            "PASSWORD_DOES_NOT_MEET_REQUIREMENTS", "The temporary password must be replaced first."),
        .temporaryPasswordExpired: Entry(
            "PASSWORD_DOES_NOT_MEET_REQUIREMENTS", "The temporary password has expired."),

        // One-time tokens
        .oneTimeTokenInvalid: codeInvalid,
        .oneTimeCodesDisabled: Entry("OPERATION_NOT_ALLOWED", "Sign-in with a code or a link is not enabled."),
        .flowStateNotFound: codeInvalid,
        .flowStateExpired: Entry("EXPIRED_OOB_CODE"),
        .codeVerifierMismatch: codeInvalid,
        .reauthenticationNeeded: tooOld,
        .reauthenticationInvalid: tooOld,
        .currentPasswordRequired: tooOld,
        .currentPasswordInvalid: tooOld,

        // Sessions and tokens
        .tokenMissing: Entry("MISSING_ID_TOKEN"),
        .tokenInvalid: Entry("INVALID_ID_TOKEN"),
        .tokenExpired: tokenExpired,
        .tokensRevoked: tokenExpired,
        .sessionNotFound: tokenExpired,
        .sessionExpired: tokenExpired,
        .refreshTokenNotFound: Entry("INVALID_REFRESH_TOKEN"),
        .refreshTokenReused: tokenExpired,
        .insufficientAssurance: Entry(
            "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "The user must sign in with a second factor."),
        .forbidden: Entry(
            .forbidden, "INSUFFICIENT_PERMISSION : The caller does not have permission", "forbidden",
            "PERMISSION_DENIED"),
        .apiKeyInvalid: Entry(
            .badRequest, "API key not valid. Please pass a valid API key.", "keyInvalid", "INVALID_ARGUMENT"),
        .clientNotFound: Entry(
            .badRequest, "API key not valid. Please pass a valid API key.", "keyInvalid", "INVALID_ARGUMENT",
            told: .apiKeyInvalid),
        .clientSecretInvalid: Entry("INVALID_REFRESH_TOKEN", told: .refreshTokenNotFound),
        .flowNotAllowed: Entry("OPERATION_NOT_ALLOWED", "This way of signing in is not enabled."),

        // Other people's identity providers
        .identityProviderNotFound: Entry(
            "OPERATION_NOT_ALLOWED", "The identity provider configuration is not found."),
        .identityProviderDisabled: Entry(
            "OPERATION_NOT_ALLOWED", "The identity provider configuration is not enabled."),
        .identityProviderUnavailable: Entry(
            .serviceUnavailable, "The identity provider is currently unavailable.", "backendError", "UNAVAILABLE"),
        .identityProviderRefused: Entry("USER_CANCELLED"),
        .identityTokenInvalid: Entry(
            "INVALID_IDP_RESPONSE", "The supplied auth credential is malformed or has expired."),
        .identityAttributesMissing: Entry(
            "INVALID_IDP_RESPONSE", "The identity provider gave not all that an account needs."),
        .identityEmailMissing: Entry("INVALID_IDP_RESPONSE", "The identity provider gave no email address."),
        .identityNotFound: Entry("FEDERATED_USER_ID_NOT_FOUND"),
        .identityAlreadyLinked: Entry("FEDERATED_USER_ID_ALREADY_LINKED"),
        .needsConfirmation: Entry("EMAIL_EXISTS", told: .emailExists),
        .lastWayIn: Entry("OPERATION_NOT_ALLOWED", "The user could not sign in any more."),

        // Second factors
        .secondFactorRequired: Entry("UNSUPPORTED_FIRST_FACTOR", "The user has a second factor."),
        .factorEnrolmentRequired: Entry("OPERATION_NOT_ALLOWED", "A second factor must be enrolled first."),
        .factorNotFound: Entry("MFA_ENROLLMENT_NOT_FOUND"),
        .factorDisabled: Entry("OPERATION_NOT_ALLOWED", "This second factor is not enabled."),
        .factorNameExists: Entry("SECOND_FACTOR_EXISTS", "Another second factor of the user has this display name."),
        .factorExists: Entry(
            "SECOND_FACTOR_EXISTS", "Phone number already enrolled as second factor for this account."),
        .tooManyFactors: Entry("SECOND_FACTOR_LIMIT_EXCEEDED"),
        .factorChallengeNotFound: Entry("INVALID_SESSION_INFO"),
        .factorChallengeExpired: Entry("SESSION_EXPIRED"),
        .factorCodeInvalid: Entry("INVALID_CODE"),
        .factorCodeUsed: Entry("INVALID_CODE", "The code was used already."),
        .factorLocked: tooManyAttempts,
        .noOtherFactor: Entry("OPERATION_NOT_ALLOWED", "There is no other second factor."),
        .passkeyRefused: Entry("INVALID_LOGIN_CREDENTIALS", "The passkey is refused."),
        .deviceNotFound: Entry("OPERATION_NOT_ALLOWED", "The device is not remembered."),

        // Programs of the operator's
        .hookRefused: Entry("BLOCKING_FUNCTION_ERROR_RESPONSE", "The request was refused."),
        .hookFailed: Entry("BLOCKING_FUNCTION_ERROR_RESPONSE", "The function gave no answer."),

        // Limits and faults. The platform says its limits with 400.
        .rateLimited: Entry(
            "TOO_MANY_ATTEMPTS_TRY_LATER",
            "We have blocked all requests from this device due to unusual activity. Try again later."),
        .mailRateLimited: Entry("TOO_MANY_ATTEMPTS_TRY_LATER", "Too many messages have been sent."),
        .messageRateLimited: Entry("QUOTA_EXCEEDED", "Too many messages have been sent."),
        .textMessagesUnavailable: Entry("OPERATION_NOT_ALLOWED", "Text messages can't be sent."),
        .overloaded: Entry(.serviceUnavailable, "The service is currently unavailable.", "backendError", "UNAVAILABLE"),
        .unavailable: Entry(
            .serviceUnavailable, "The service is currently unavailable.", "backendError", "UNAVAILABLE"),
        .internalFailure: internalError,

        // Terms. The code by which the platform says that a rule of the operator's stands against a sign-in.
        .termsNotAgreed: Entry(
            "BLOCKING_FUNCTION_ERROR_RESPONSE", "The current terms must be agreed to first."),

        // What else stands in the database
        .changeRefused: Entry("OPERATION_NOT_ALLOWED"),
    ]
}

extension String {
    /// What stands before the first `separator`; all of it where there is none.
    fileprivate func components(before separator: String) -> String {
        firstRange(of: separator).map { String(self[..<$0.lowerBound]) } ?? self
    }
}
