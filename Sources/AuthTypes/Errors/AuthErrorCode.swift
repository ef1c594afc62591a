// SPDX-License-Identifier: Apache-2.0

/// The domain's error codes: what an app or a dialect branches on. The set is open, since a service may have codes of
/// its own. A table in each dialect maps every one of ``allKnown``; a test walks it.
public struct AuthErrorCode: RawRepresentable, Sendable, Hashable {
    /// As it is written, in snake case.
    public let rawValue: String

    /// Any code, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    private init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    // Input
    /// What was sent can't be read, or breaks a rule: the error's field names what.
    public static let invalidRequest = Self("invalid_request")
    /// The body is not JSON of the form that is expected.
    public static let invalidJSON = Self("invalid_json")
    /// Not an email address.
    public static let invalidEmail = Self("invalid_email")
    /// Not a phone number in international form (E.164).
    public static let invalidPhone = Self("invalid_phone")
    /// The password breaks a rule of the Directory's: ``AuthError/violations`` says which.
    public static let weakPassword = Self("weak_password")
    /// The new password is the one that the user has.
    public static let samePassword = Self("same_password")
    /// The body is longer than the operation takes.
    public static let requestTooLarge = Self("request_too_large")
    /// More is to be kept of a user than the Directory allows.
    public static let metadataTooLarge = Self("metadata_too_large")
    /// There is nothing at that address, or nothing of that name.
    public static let notFound = Self("not_found")
    /// The address takes other methods.
    public static let methodNotAllowed = Self("method_not_allowed")
    /// The server or the service does not have what was asked for.
    public static let unsupported = Self("unsupported")
    /// Something of that name is there already, or it was changed meanwhile.
    public static let conflict = Self("conflict")

    // Sign-in and accounts
    /// Wrong name or wrong password; which of them is told to nobody.
    public static let invalidCredentials = Self("invalid_credentials")
    /// Too many wrong passwords for what somebody signs in as: none is judged for a while, whoever it is about. Said
    /// only where the Directory says it; the error's `retryAfter` is the time left.
    public static let accountLocked = Self("account_locked")
    /// The proof was right; the account's address must be confirmed first.
    public static let emailNotVerified = Self("email_not_verified")
    /// The proof was right; the account's number must be confirmed first.
    public static let phoneNotVerified = Self("phone_not_verified")
    /// An administrator has banned or disabled the user.
    public static let userBanned = Self("user_banned")
    /// There is no such user, or no longer.
    public static let userNotFound = Self("user_not_found")
    /// Another account has the address. Told only where that may be known.
    public static let emailExists = Self("email_exists")
    /// Another account has the number. Told only where that may be known.
    public static let phoneExists = Self("phone_exists")
    /// The Directory takes no new users by themselves.
    public static let signUpDisabled = Self("sign_up_disabled")
    /// The Directory takes no users without anything that they are known by.
    public static let anonymousDisabled = Self("anonymous_disabled")
    /// The Directory signs nobody in by an email address.
    public static let emailSignInDisabled = Self("email_sign_in_disabled")
    /// The Directory signs nobody in by a phone number.
    public static let phoneSignInDisabled = Self("phone_sign_in_disabled")
    /// Another account has the user name.
    public static let usernameExists = Self("username_exists")
    /// The password was right, but an administrator set it: the user must choose their own first.
    public static let passwordChangeRequired = Self("password_change_required")
    /// The password that an administrator set was not replaced in time.
    public static let temporaryPasswordExpired = Self("temporary_password_expired")

    // One-time tokens
    /// The link or code is wrong, used, replaced by a later one, or too old.
    public static let oneTimeTokenInvalid = Self("one_time_token_invalid")
    /// The Directory, or the client, signs nobody in by mailed or texted codes.
    public static let oneTimeCodesDisabled = Self("one_time_codes_disabled")
    /// What the call goes on with was never begun, or was begun elsewhere.
    public static let flowStateNotFound = Self("flow_state_not_found")
    /// What the call goes on with is too old, or was finished already.
    public static let flowStateExpired = Self("flow_state_expired")
    /// The code verifier does not fit the challenge that the flow began with (RFC 7636, section 4.6).
    public static let codeVerifierMismatch = Self("code_verifier_mismatch")
    /// The sign-in is too long ago for this: the user proves once more who they are.
    public static let reauthenticationNeeded = Self("reauthentication_needed")
    /// The code by which the user was to prove once more who they are is wrong or too old.
    public static let reauthenticationInvalid = Self("reauthentication_invalid")
    /// The change needs the password that the user has.
    public static let currentPasswordRequired = Self("current_password_required")
    /// What was shown as the user's present password is not.
    public static let currentPasswordInvalid = Self("current_password_invalid")

    // Sessions and tokens
    /// The call needs an access token, and has none.
    public static let tokenMissing = Self("token_missing")
    /// The access token is not one of this server's, or not for this.
    public static let tokenInvalid = Self("token_invalid")
    /// The access token's time is over.
    public static let tokenExpired = Self("token_expired")
    /// The session has ended, or never was.
    public static let sessionNotFound = Self("session_not_found")
    /// The session's time is over.
    public static let sessionExpired = Self("session_expired")
    /// The refresh token is of no session that lives, or not this client's.
    public static let refreshTokenNotFound = Self("refresh_token_not_found")
    /// The refresh token was replaced long ago: its session was ended, since a thief may have it.
    public static let refreshTokenReused = Self("refresh_token_reused")
    /// Whoever calls may not do this.
    public static let forbidden = Self("forbidden")
    /// The API key is missing, unknown, expired or revoked, or may not do this.
    public static let apiKeyInvalid = Self("api_key_invalid")
    /// This needs a session in which a second factor was shown.
    public static let insufficientAssurance = Self("insufficient_assurance")
    /// Everything issued to the user before a certain moment was taken back.
    public static let tokensRevoked = Self("tokens_revoked")
    /// There is no such client.
    public static let clientNotFound = Self("client_not_found")
    /// The client has not proved that it is the one that it names.
    public static let clientSecretInvalid = Self("client_secret_invalid")
    /// The client may not sign users in this way.
    public static let flowNotAllowed = Self("flow_not_allowed")

    // Other people's identity providers
    /// The Directory has no such provider.
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
    /// The user has no such identity.
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
    /// The user has no such factor, or it can't be used for this.
    public static let factorNotFound = Self("factor_not_found")
    /// The Directory takes no factors of this kind: the error's field names it.
    public static let factorDisabled = Self("factor_disabled")
    /// The user has another factor of this name.
    public static let factorNameExists = Self("factor_name_exists")
    /// The user has proved the same number or address, or the same authenticator, already.
    public static let factorExists = Self("factor_exists")
    /// The user has as many factors as anybody may have.
    public static let tooManyFactors = Self("too_many_factors")
    /// Nothing was asked of this factor in this sign-in or session.
    public static let factorChallengeNotFound = Self("factor_challenge_not_found")
    /// What was asked of the factor was answered too late.
    public static let factorChallengeExpired = Self("factor_challenge_expired")
    /// The factor's code, or its answer, is wrong.
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
    /// An app's foreign key or trigger there does not let the account be made, changed or deleted: the error's field
    /// says which, `create`, `change` or `delete`.
    public static let changeRefused = Self("change_refused")

    // Limits and faults
    /// Too many calls or attempts; the error's `retryAfter` says how long to wait.
    public static let rateLimited = Self("rate_limited")
    /// Too many mails were sent to the address, or in the Directory.
    public static let mailRateLimited = Self("mail_rate_limited")
    /// Too many text messages were sent to the number, or in the Directory.
    public static let messageRateLimited = Self("message_rate_limited")
    /// A code was to go to a number, and the operator has configured nothing that carries it there.
    public static let textMessagesUnavailable = Self("text_messages_unavailable")
    /// The server has no room for it now, such as for another password to hash; it may be tried again.
    public static let overloaded = Self("overloaded")
    /// Something that the server needs, such as its database, does not answer now.
    public static let unavailable = Self("unavailable")
    /// A fault of the server's own; the log has its reason.
    public static let internalFailure = Self("internal_failure")

    /// Every code above, for the tests that walk the dialects' tables.
    public static let allKnown: [AuthErrorCode] = [
        invalidRequest, invalidJSON, invalidEmail, invalidPhone, weakPassword, samePassword, requestTooLarge,
        metadataTooLarge, notFound, methodNotAllowed, unsupported, conflict, invalidCredentials, accountLocked,
        emailNotVerified, phoneNotVerified, userBanned, userNotFound, emailExists, phoneExists, signUpDisabled,
        anonymousDisabled, emailSignInDisabled, phoneSignInDisabled, usernameExists, passwordChangeRequired,
        temporaryPasswordExpired, oneTimeTokenInvalid, oneTimeCodesDisabled, flowStateNotFound,
        flowStateExpired, codeVerifierMismatch, reauthenticationNeeded, reauthenticationInvalid,
        currentPasswordRequired, currentPasswordInvalid, tokenMissing, tokenInvalid, tokenExpired,
        sessionNotFound, sessionExpired, refreshTokenNotFound, refreshTokenReused, forbidden, apiKeyInvalid,
        insufficientAssurance, tokensRevoked, clientNotFound, clientSecretInvalid, flowNotAllowed,
        identityProviderNotFound, identityProviderDisabled, identityProviderUnavailable,
        identityProviderRefused, identityTokenInvalid, identityEmailMissing, identityAttributesMissing,
        identityNotFound, identityAlreadyLinked, needsConfirmation, lastWayIn, secondFactorRequired,
        factorEnrolmentRequired, factorNotFound, factorDisabled, factorNameExists, factorExists, tooManyFactors,
        factorChallengeNotFound, factorChallengeExpired, factorCodeInvalid, factorCodeUsed, factorLocked,
        noOtherFactor, rateLimited, mailRateLimited, messageRateLimited, textMessagesUnavailable, overloaded,
        unavailable, internalFailure, deviceNotFound, hookRefused, hookFailed, termsNotAgreed, passkeyRefused,
        changeRefused,
    ]
}
