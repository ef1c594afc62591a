// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes

/// How this dialect says each of the domain's errors: status, `error_code` and English text as the platform's own
/// server answers them. Clients branch on `error_code` (and older ones on the text).
struct ErrorTable {
    struct Entry: Sendable {
        var status: HTTPResponse.Status
        var code: String
        var message: String
        /// Which error people are told of, where others are said in the same words; `nil` for the one itself.
        var told: AuthErrorCode?

        init(
            _ status: HTTPResponse.Status, _ code: String, _ message: String, told: AuthErrorCode? = nil
        ) {
            self.status = status
            self.code = code
            self.message = message
            self.told = told
        }
    }

    static func entry(for code: AuthErrorCode) -> Entry {
        entries[code]
            ?? Entry(.internalServerError, "unexpected_failure", "Unexpected failure, please check server logs")
    }

    static let entries: [AuthErrorCode: Entry] = [
        // Input
        .invalidRequest: Entry(.badRequest, "validation_failed", "The request is not valid"),
        .invalidJSON: Entry(.badRequest, "bad_json", "Could not parse request body as JSON"),
        .invalidEmail: Entry(.badRequest, "validation_failed", "Unable to validate email address: invalid format"),
        .invalidPhone: Entry(.badRequest, "validation_failed", "Invalid phone number format (E.164 required)"),
        .weakPassword: Entry(.unprocessableContent, "weak_password", "Password is too weak"),
        .samePassword: Entry(
            .unprocessableContent, "same_password", "New password should be different from the old password."),
        .requestTooLarge: Entry(.contentTooLarge, "request_entity_too_large", "Request body is too large"),
        .metadataTooLarge: Entry(.unprocessableContent, "validation_failed", "The user's metadata would be too large"),
        .notFound: Entry(.notFound, "not_found", "Not found"),
        .methodNotAllowed: Entry(.methodNotAllowed, "method_not_allowed", "Method not allowed"),
        .unsupported: Entry(.badRequest, "feature_disabled", "This operation is not supported"),
        .conflict: Entry(.conflict, "conflict", "The request conflicts with another one"),

        // Sign-in and accounts
        .invalidCredentials: Entry(.badRequest, "invalid_credentials", "Invalid login credentials"),
        // The nearest that the platform has: apps wait for as long as the answer says.
        .accountLocked: Entry(
            .tooManyRequests, "over_request_rate_limit", "Too many failed attempts, please try again later"),
        .emailNotVerified: Entry(.badRequest, "email_not_confirmed", "Email not confirmed"),
        .phoneNotVerified: Entry(.badRequest, "phone_not_confirmed", "Phone not confirmed"),
        .userBanned: Entry(.forbidden, "user_banned", "User is banned"),
        .userNotFound: Entry(.notFound, "user_not_found", "User not found"),
        .emailExists: Entry(
            .unprocessableContent, "email_exists", "A user with this email address has already been registered"),
        .phoneExists: Entry(
            .unprocessableContent, "phone_exists", "A user with this phone number has already been registered"),
        .signUpDisabled: Entry(.unprocessableContent, "signup_disabled", "Signups not allowed for this instance"),
        .anonymousDisabled: Entry(
            .unprocessableContent, "anonymous_provider_disabled", "Anonymous sign-ins are disabled"),
        .emailSignInDisabled: Entry(.unprocessableContent, "email_provider_disabled", "Email logins are disabled"),
        .phoneSignInDisabled: Entry(.unprocessableContent, "phone_provider_disabled", "Phone logins are disabled"),
        .usernameExists: Entry(.unprocessableContent, "user_already_exists", "User already registered"),
        .passwordChangeRequired: Entry(
            .badRequest, "password_change_required", "A new password must be chosen before signing in"),
        .temporaryPasswordExpired: Entry(
            .badRequest, "temporary_password_expired", "The temporary password has expired"),

        // One-time tokens
        .oneTimeTokenInvalid: Entry(.forbidden, "otp_expired", "Token has expired or is invalid"),
        .oneTimeCodesDisabled: Entry(.unprocessableContent, "otp_disabled", "Signups not allowed for otp"),
        .flowStateNotFound: Entry(.notFound, "flow_state_not_found", "invalid flow state, no valid flow state found"),
        .flowStateExpired: Entry(
            .unprocessableContent, "flow_state_expired", "invalid flow state, flow state has expired"),
        .codeVerifierMismatch: Entry(
            .badRequest, "bad_code_verifier", "code challenge does not match previously saved code verifier"),
        .reauthenticationNeeded: Entry(
            .badRequest, "reauthentication_needed", "Password update requires reauthentication"),
        .reauthenticationInvalid: Entry(
            .unprocessableContent, "reauthentication_not_valid", "Nonce has expired or is invalid"),
        .currentPasswordRequired: Entry(
            .badRequest, "current_password_required", "Current password required when setting new password."),
        .currentPasswordInvalid: Entry(
            .badRequest, "current_password_invalid", "Current password required when setting new password."),

        // Sessions and tokens
        .tokenMissing: Entry(.unauthorized, "no_authorization", "This endpoint requires a valid Bearer token"),
        .tokenInvalid: Entry(.forbidden, "bad_jwt", "invalid JWT: unable to parse or verify signature"),
        .tokenExpired: Entry(.forbidden, "bad_jwt", "invalid JWT: token is expired"),
        .sessionNotFound: Entry(
            .forbidden, "session_not_found", "Session from session_id claim in JWT does not exist"),
        .sessionExpired: Entry(.badRequest, "session_expired", "Invalid Refresh Token: Session Expired"),
        .refreshTokenNotFound: Entry(
            .badRequest, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found"),
        .refreshTokenReused: Entry(
            .badRequest, "refresh_token_already_used", "Invalid Refresh Token: Already Used"),
        .forbidden: Entry(.forbidden, "not_admin", "User not allowed"),
        .apiKeyInvalid: Entry(.unauthorized, "no_authorization", "Invalid API key"),
        .insufficientAssurance: Entry(
            .forbidden, "insufficient_aal", "AAL2 required to update this user or session"),
        .tokensRevoked: Entry(
            .forbidden, "session_not_found", "Session from session_id claim in JWT does not exist",
            told: .sessionNotFound),
        .clientNotFound: Entry(.badRequest, "oauth_client_not_found", "OAuth client not found"),
        .clientSecretInvalid: Entry(.badRequest, "validation_failed", "Invalid client credentials"),
        .flowNotAllowed: Entry(.unprocessableContent, "provider_disabled", "This way of signing in is disabled"),

        // Other people's identity providers
        .identityProviderNotFound: Entry(
            .badRequest, "validation_failed", "Unsupported provider: Provider could not be found"),
        .identityProviderDisabled: Entry(
            .badRequest, "validation_failed", "Unsupported provider: provider is not enabled"),
        .identityProviderUnavailable: Entry(
            .serviceUnavailable, "unexpected_failure", "Unable to exchange external code"),
        .identityProviderRefused: Entry(.badRequest, "bad_oauth_callback", "OAuth provider refused the sign-in"),
        .identityTokenInvalid: Entry(.badRequest, "bad_jwt", "Bad ID token"),
        .identityEmailMissing: Entry(
            .unprocessableContent, "provider_email_needs_verification",
            "Error getting user email from external provider"),
        .identityAttributesMissing: Entry(
            .unprocessableContent, "validation_failed", "Error getting user profile from external provider"),
        .identityNotFound: Entry(.notFound, "identity_not_found", "Identity not found"),
        .identityAlreadyLinked: Entry(
            .unprocessableContent, "identity_already_exists", "Identity is already linked to another user"),
        .needsConfirmation: Entry(
            .unprocessableContent, "email_exists", "A user with this email address has already been registered",
            told: .emailExists),
        .lastWayIn: Entry(
            .unprocessableContent, "single_identity_not_deletable",
            "User must have at least 1 identity after unlinking"),

        // Second factors
        .secondFactorRequired: Entry(.forbidden, "insufficient_aal", "A second factor is required to sign in"),
        .factorEnrolmentRequired: Entry(.forbidden, "insufficient_aal", "A second factor must be enrolled to sign in"),
        .factorNotFound: Entry(.notFound, "mfa_factor_not_found", "Factor not found"),
        .factorDisabled: Entry(
            .unprocessableContent, "mfa_verify_not_enabled", "MFA is disabled for this type of factor"),
        .factorNameExists: Entry(
            .unprocessableContent, "mfa_factor_name_conflict",
            "A factor with the friendly name for this user already exists"),
        .factorExists: Entry(
            .unprocessableContent, "mfa_verified_factor_exists",
            "A verified factor of this type already exists, unenroll it to continue."),
        .tooManyFactors: Entry(
            .unprocessableContent, "too_many_enrolled_mfa_factors",
            "Maximum number of verified factors reached, unenroll to continue"),
        .factorChallengeNotFound: Entry(
            .unprocessableContent, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found"),
        .factorChallengeExpired: Entry(
            .unprocessableContent, "mfa_challenge_expired", "MFA challenge has expired, verify against another one"),
        .factorCodeInvalid: Entry(.unprocessableContent, "mfa_verification_failed", "Invalid code entered"),
        .factorCodeUsed: Entry(.unprocessableContent, "mfa_verification_failed", "Invalid TOTP code entered"),
        .factorLocked: Entry(
            .tooManyRequests, "over_request_rate_limit", "Too many wrong codes, please try again later"),
        .noOtherFactor: Entry(
            .unprocessableContent, "mfa_recovery_codes_sole_factor",
            "Recovery codes need another verified factor beside them"),
        .passkeyRefused: Entry(.badRequest, "webauthn_verification_failed", "Credential verification failed"),
        .deviceNotFound: Entry(.notFound, "validation_failed", "Device not found"),

        // Programs of the operator's
        .hookRefused: Entry(.forbidden, "unknown", "The request was refused by a hook"),
        .hookFailed: Entry(
            .unprocessableContent, "hook_timeout_after_retry", "Failed to reach hook after maximum retries"),

        // Limits and faults
        .rateLimited: Entry(.tooManyRequests, "over_request_rate_limit", "Request rate limit reached"),
        .mailRateLimited: Entry(.tooManyRequests, "over_email_send_rate_limit", "email rate limit exceeded"),
        .messageRateLimited: Entry(.tooManyRequests, "over_sms_send_rate_limit", "SMS rate limit exceeded"),
        // Apps know it by its text.
        .textMessagesUnavailable: Entry(.internalServerError, "unexpected_failure", "Unable to get SMS provider"),
        .overloaded: Entry(.serviceUnavailable, "request_timeout", "The server is busy, please try again shortly"),
        .unavailable: Entry(.serviceUnavailable, "unexpected_failure", "The service is temporarily unavailable"),
        .internalFailure: Entry(
            .internalServerError, "unexpected_failure", "Unexpected failure, please check server logs"),

        // Terms
        .termsNotAgreed: Entry(.forbidden, "terms_not_agreed", "The current terms must be agreed to before signing in"),

        // What else stands in the database
        .changeRefused: Entry(.internalServerError, "unexpected_failure", "Database error updating user"),
    ]
}
