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
    /// Too many wrong passwords for what somebody signs in as: none is judged for a while, whoever it is about. Said only
    /// where the Directory says it; the error's `retryAfter` is the time left.
    public static let accountLocked = Self("account_locked")
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

    // Other people's identity providers
    public static let identityProviderNotFound = Self("identity_provider_not_found")
    /// It is configured, but is not to be used, or not in this way.
    public static let identityProviderDisabled = Self("identity_provider_disabled")
    /// The provider is down, slow, or answers what is no answer.
    public static let identityProviderUnavailable = Self("identity_provider_unavailable")
    /// The provider, or the user there, said no.
    public static let identityProviderRefused = Self("identity_provider_refused")
    /// What is to prove the identity does not: forged, expired, somebody else's, or used before.
    public static let identityTokenInvalid = Self("identity_token_invalid")
    /// The provider gave no address, and the Directory wants one of everybody who comes from there.
    public static let identityEmailMissing = Self("identity_email_missing")
    /// The provider does not say what no account of the Directory may be without: the error's field names it.
    public static let identityAttributesMissing = Self("identity_attributes_missing")
    public static let identityNotFound = Self("identity_not_found")
    /// The identity is another user's.
    public static let identityAlreadyLinked = Self("identity_already_linked")
    /// There is an account with the address, and nobody has shown that it is the same person's.
    public static let needsConfirmation = Self("needs_confirmation")
    /// Without it the user could not sign in any more.
    public static let lastWayIn = Self("last_way_in")

    // Second factors
    /// The proof was right; the user's second factor is asked for before there is a session.
    public static let secondFactorRequired = Self("second_factor_required")
    /// The proof was right; the Directory wants a second factor of the user, who has none.
    public static let factorEnrolmentRequired = Self("factor_enrolment_required")
    public static let factorNotFound = Self("factor_not_found")
    /// The Directory takes no factors of this kind: the error's field names it.
    public static let factorDisabled = Self("factor_disabled")
    /// The user has another factor of this name.
    public static let factorNameExists = Self("factor_name_exists")
    /// The user has proved the same number or address, or the same authenticator, already.
    public static let factorExists = Self("factor_exists")
    public static let tooManyFactors = Self("too_many_factors")
    public static let factorChallengeNotFound = Self("factor_challenge_not_found")
    public static let factorChallengeExpired = Self("factor_challenge_expired")
    public static let factorCodeInvalid = Self("factor_code_invalid")
    /// The code was right, and somebody has used it.
    public static let factorCodeUsed = Self("factor_code_used")
    /// There were too many wrong codes: none is heard for a while.
    public static let factorLocked = Self("factor_locked")
    /// Backup codes are for who has another factor.
    public static let noOtherFactor = Self("no_other_factor")
    /// What an authenticator answered is no passkey of anybody's here, or does not hold.
    public static let passkeyRefused = Self("passkey_refused")
    /// The user has no such remembered device.
    public static let deviceNotFound = Self("device_not_found")

    // Programs of the operator's that are asked
    /// It has said no, and perhaps why: ``AuthError/message``.
    public static let hookRefused = Self("hook_refused")
    /// It gave no answer that is one, where there must be one.
    public static let hookFailed = Self("hook_failed")

    // Terms
    /// The proof was right; there are terms that the user must agree to before there is a session.
    public static let termsNotAgreed = Self("terms_not_agreed")

    // What else stands in the database
    /// An app's foreign key or trigger there does not let the account be made, changed or deleted: the error's field says
    /// which, ``DatabaseAct``.
    public static let changeRefused = Self("change_refused")

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
        methodNotAllowed, unsupported, conflict, invalidCredentials, accountLocked, emailNotVerified, phoneNotVerified,
        userBanned,
        userNotFound, emailExists, phoneExists, signUpDisabled, anonymousDisabled, emailSignInDisabled,
        phoneSignInDisabled, usernameExists, passwordChangeRequired, temporaryPasswordExpired, oneTimeTokenInvalid,
        oneTimeCodesDisabled, flowStateNotFound, flowStateExpired,
        codeVerifierMismatch, reauthenticationNeeded, reauthenticationInvalid, currentPasswordRequired,
        currentPasswordInvalid, tokenMissing, tokenInvalid, tokenExpired, sessionNotFound, sessionExpired,
        refreshTokenNotFound, refreshTokenReused, forbidden, apiKeyInvalid, insufficientAssurance, tokensRevoked,
        clientNotFound, clientSecretInvalid, flowNotAllowed, identityProviderNotFound, identityProviderDisabled,
        identityProviderUnavailable, identityProviderRefused, identityTokenInvalid, identityEmailMissing,
        identityAttributesMissing,
        identityNotFound, identityAlreadyLinked, needsConfirmation, lastWayIn, secondFactorRequired,
        factorEnrolmentRequired, factorNotFound, factorDisabled, factorNameExists, factorExists, tooManyFactors,
        factorChallengeNotFound, factorChallengeExpired, factorCodeInvalid, factorCodeUsed, factorLocked, noOtherFactor,
        rateLimited, mailRateLimited,
        messageRateLimited,
        textMessagesUnavailable,
        overloaded, unavailable, internalFailure, deviceNotFound, hookRefused, hookFailed, termsNotAgreed,
        passkeyRefused,
        changeRefused,
    ]
}
