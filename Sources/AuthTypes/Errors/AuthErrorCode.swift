// SPDX-License-Identifier: Apache-2.0

/// The domain's error codes. A table in each dialect maps every one of ``allKnown``; a test walks it.
public struct AuthErrorCode: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    private init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    // Input
    public static let invalidRequest = Self("invalid_request")
    public static let invalidJSON = Self("invalid_json")
    public static let invalidEmail = Self("invalid_email")
    public static let invalidPhone = Self("invalid_phone")
    public static let weakPassword = Self("weak_password")
    public static let samePassword = Self("same_password")
    public static let requestTooLarge = Self("request_too_large")
    /// More is to be kept of a user than the Directory allows.
    public static let metadataTooLarge = Self("metadata_too_large")
    public static let notFound = Self("not_found")
    public static let methodNotAllowed = Self("method_not_allowed")
    public static let unsupported = Self("unsupported")
    public static let conflict = Self("conflict")

    // Sign-in and accounts
    public static let invalidCredentials = Self("invalid_credentials")
    public static let emailNotVerified = Self("email_not_verified")
    public static let phoneNotVerified = Self("phone_not_verified")
    public static let userBanned = Self("user_banned")
    public static let userNotFound = Self("user_not_found")
    public static let emailExists = Self("email_exists")
    public static let phoneExists = Self("phone_exists")
    public static let signUpDisabled = Self("sign_up_disabled")
    public static let anonymousDisabled = Self("anonymous_disabled")
    public static let emailSignInDisabled = Self("email_sign_in_disabled")
    public static let phoneSignInDisabled = Self("phone_sign_in_disabled")
    public static let usernameExists = Self("username_exists")
    /// The password was right, but an administrator set it: the user must choose their own first.
    public static let passwordChangeRequired = Self("password_change_required")
    public static let temporaryPasswordExpired = Self("temporary_password_expired")

    // One-time tokens
    public static let oneTimeTokenInvalid = Self("one_time_token_invalid")
    public static let oneTimeCodesDisabled = Self("one_time_codes_disabled")
    public static let flowStateNotFound = Self("flow_state_not_found")
    public static let flowStateExpired = Self("flow_state_expired")
    public static let codeVerifierMismatch = Self("code_verifier_mismatch")
    public static let reauthenticationNeeded = Self("reauthentication_needed")
    public static let reauthenticationInvalid = Self("reauthentication_invalid")
    public static let currentPasswordRequired = Self("current_password_required")
    public static let currentPasswordInvalid = Self("current_password_invalid")

    // Sessions and tokens
    public static let tokenMissing = Self("token_missing")
    public static let tokenInvalid = Self("token_invalid")
    public static let tokenExpired = Self("token_expired")
    public static let sessionNotFound = Self("session_not_found")
    public static let sessionExpired = Self("session_expired")
    public static let refreshTokenNotFound = Self("refresh_token_not_found")
    public static let refreshTokenReused = Self("refresh_token_reused")
    public static let forbidden = Self("forbidden")
    public static let apiKeyInvalid = Self("api_key_invalid")
    public static let insufficientAssurance = Self("insufficient_assurance")
    /// Everything issued to the user before a certain moment was taken back.
    public static let tokensRevoked = Self("tokens_revoked")
    public static let clientNotFound = Self("client_not_found")
    public static let clientSecretInvalid = Self("client_secret_invalid")
    /// The client may not sign users in this way.
    public static let flowNotAllowed = Self("flow_not_allowed")

    // Limits and faults
    public static let rateLimited = Self("rate_limited")
    public static let mailRateLimited = Self("mail_rate_limited")
    public static let messageRateLimited = Self("message_rate_limited")
    /// A code was to go to a number, and the operator has configured nothing that carries it there.
    public static let textMessagesUnavailable = Self("text_messages_unavailable")
    public static let overloaded = Self("overloaded")
    public static let unavailable = Self("unavailable")
    public static let internalFailure = Self("internal_failure")

    /// Every code above, for the tests that walk the dialects' tables.
    public static let allKnown: [AuthErrorCode] = [
        invalidRequest, invalidJSON, invalidEmail, invalidPhone, weakPassword, samePassword, requestTooLarge,
        metadataTooLarge,
        notFound,
        methodNotAllowed, unsupported, conflict, invalidCredentials, emailNotVerified, phoneNotVerified, userBanned,
        userNotFound, emailExists, phoneExists, signUpDisabled, anonymousDisabled, emailSignInDisabled,
        phoneSignInDisabled, usernameExists, passwordChangeRequired, temporaryPasswordExpired, oneTimeTokenInvalid,
        oneTimeCodesDisabled, flowStateNotFound, flowStateExpired,
        codeVerifierMismatch, reauthenticationNeeded, reauthenticationInvalid, currentPasswordRequired,
        currentPasswordInvalid, tokenMissing, tokenInvalid, tokenExpired, sessionNotFound, sessionExpired,
        refreshTokenNotFound, refreshTokenReused, forbidden, apiKeyInvalid, insufficientAssurance, tokensRevoked,
        clientNotFound, clientSecretInvalid, flowNotAllowed, rateLimited, mailRateLimited, messageRateLimited,
        textMessagesUnavailable,
        overloaded, unavailable, internalFailure,
    ]
}
