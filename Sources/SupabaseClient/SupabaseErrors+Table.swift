// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension SupabaseErrors {
    /// Every code that the service has.
    static let table: [String: AuthErrorCode] = [
        // Input
        "validation_failed": .invalidRequest, "bad_json": .invalidJSON, "email_address_invalid": .invalidEmail,
        "email_address_not_authorized": .forbidden, "email_address_not_provided": .identityEmailMissing,
        "request_entity_too_large": .requestTooLarge, "weak_password": .weakPassword, "same_password": .samePassword,
        "captcha_failed": .forbidden, "conflict": .conflict, "feature_disabled": .unsupported, "not_found": .notFound,
        "method_not_allowed": .methodNotAllowed, "invalid request": .identityTokenInvalid,
        "invalid nonce": .identityTokenInvalid, "invalid_request": .invalidRequest,

        // Sign-in and accounts
        "invalid_credentials": .invalidCredentials, "invalid_grant": .invalidCredentials,
        "email_not_confirmed": .emailNotVerified, "phone_not_confirmed": .phoneNotVerified,
        "email_exists": .emailExists, "phone_exists": .phoneExists, "user_already_exists": .emailExists,
        "user_not_found": .userNotFound, "user_banned": .userBanned, "signup_disabled": .signUpDisabled,
        "anonymous_provider_disabled": .anonymousDisabled, "email_provider_disabled": .emailSignInDisabled,
        "phone_provider_disabled": .phoneSignInDisabled, "user_sso_managed": .flowNotAllowed,
        "password_change_required": .passwordChangeRequired,
        "temporary_password_expired": .temporaryPasswordExpired, "terms_not_agreed": .termsNotAgreed,

        // One-time tokens
        "otp_expired": .oneTimeTokenInvalid, "otp_disabled": .oneTimeCodesDisabled,
        "invite_not_found": .oneTimeTokenInvalid, "flow_state_not_found": .flowStateNotFound,
        "flow_state_expired": .flowStateExpired, "flow_state_already_used": .flowStateNotFound,
        "bad_code_verifier": .codeVerifierMismatch, "reauthentication_needed": .reauthenticationNeeded,
        "reauthentication_not_valid": .reauthenticationInvalid,
        "current_password_required": .currentPasswordRequired,
        "current_password_invalid": .currentPasswordInvalid,

        // Sessions and tokens
        "no_authorization": .tokenMissing, "bad_jwt": .tokenInvalid, "not_admin": .forbidden,
        "unexpected_audience": .forbidden, "session_not_found": .sessionNotFound, "session_expired": .sessionExpired,
        "refresh_token_not_found": .refreshTokenNotFound, "refresh_token_already_used": .refreshTokenReused,
        "insufficient_aal": .insufficientAssurance,

        // Other people's identity providers
        "provider_disabled": .identityProviderDisabled, "oauth_provider_not_supported": .identityProviderNotFound,
        "bad_oauth_state": .flowStateNotFound, "bad_oauth_callback": .identityProviderRefused,
        "provider_email_needs_verification": .emailNotVerified, "identity_not_found": .identityNotFound,
        "identity_already_exists": .identityAlreadyLinked, "single_identity_not_deletable": .lastWayIn,
        "email_conflict_identity_not_deletable": .conflict, "manual_linking_disabled": .flowNotAllowed,
        "sso_provider_not_found": .identityProviderNotFound, "sso_provider_disabled": .identityProviderDisabled,
        "sso_domain_already_exists": .conflict, "saml_provider_disabled": .identityProviderDisabled,
        "saml_idp_not_found": .identityProviderNotFound, "saml_idp_already_exists": .conflict,
        "saml_metadata_fetch_failed": .identityProviderUnavailable,
        "saml_assertion_no_user_id": .identityProviderRefused, "saml_assertion_no_email": .identityEmailMissing,
        "saml_relay_state_not_found": .flowStateNotFound, "saml_relay_state_expired": .flowStateExpired,
        "saml_entity_id_mismatch": .identityProviderRefused, "web3_provider_disabled": .identityProviderDisabled,
        "web3_unsupported_chain": .unsupported, "custom_provider_not_found": .identityProviderNotFound,
        "over_custom_provider_quota": .conflict, "oauth_client_not_found": .clientNotFound,
        "oauth_authorization_not_found": .notFound, "oauth_consent_not_found": .notFound,
        "oauth_dynamic_client_registration_disabled": .unsupported,

        // Second factors and passkeys
        "mfa_verification_failed": .factorCodeInvalid, "mfa_verification_rejected": .forbidden,
        "mfa_challenge_expired": .factorChallengeExpired, "mfa_ip_address_mismatch": .factorChallengeExpired,
        "mfa_factor_not_found": .factorNotFound, "mfa_factor_name_conflict": .factorNameExists,
        "mfa_verified_factor_exists": .factorExists, "too_many_enrolled_mfa_factors": .tooManyFactors,
        "mfa_totp_enroll_not_enabled": .factorDisabled, "mfa_totp_verify_not_enabled": .factorDisabled,
        "mfa_phone_enroll_not_enabled": .factorDisabled, "mfa_phone_verify_not_enabled": .factorDisabled,
        "mfa_webauthn_enroll_not_enabled": .factorDisabled, "mfa_webauthn_verify_not_enabled": .factorDisabled,
        "mfa_recovery_codes_enroll_not_enabled": .factorDisabled,
        "mfa_recovery_codes_verify_not_enabled": .factorDisabled,
        "mfa_recovery_codes_sole_factor": .noOtherFactor, "mfa_recovery_codes_locked": .factorLocked,
        "passkey_disabled": .unsupported, "too_many_passkeys": .tooManyFactors,
        "webauthn_credential_not_found": .factorNotFound,
        "webauthn_credential_exists": .factorExists, "webauthn_challenge_not_found": .factorChallengeNotFound,
        "webauthn_challenge_expired": .factorChallengeExpired, "webauthn_verification_failed": .passkeyRefused,

        // Limits and faults
        "over_request_rate_limit": .rateLimited, "over_email_send_rate_limit": .mailRateLimited,
        "over_sms_send_rate_limit": .messageRateLimited, "sms_send_failed": .textMessagesUnavailable,
        "request_timeout": .unavailable, "hook_timeout": .unavailable, "hook_timeout_after_retry": .unavailable,
        "hook_payload_over_size_limit": .internalFailure, "hook_payload_invalid_content_type": .internalFailure,
        "unexpected_failure": .internalFailure, "unknown": .internalFailure,
    ]
}
