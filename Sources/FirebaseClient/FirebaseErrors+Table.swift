// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension FirebaseErrors {
    /// Every code that the service has.
    static let table: [String: AuthErrorCode] = [
        // Input
        "MISSING_EMAIL": .invalidEmail, "INVALID_EMAIL": .invalidEmail, "MISSING_NEW_EMAIL": .invalidEmail,
        "INVALID_RECIPIENT_EMAIL": .invalidEmail, "INVALID_IDENTIFIER": .invalidEmail,
        "MISSING_IDENTIFIER": .invalidRequest, "MISSING_PASSWORD": .invalidRequest,
        "WEAK_PASSWORD": .weakPassword, "PASSWORD_DOES_NOT_MEET_REQUIREMENTS": .weakPassword,
        "INVALID_PHONE_NUMBER": .invalidPhone, "MISSING_PHONE_NUMBER": .invalidPhone,
        "INVALID_MFA_PHONE_NUMBER": .invalidPhone, "UNEXPECTED_PARAMETER": .invalidRequest,
        "INVALID_REQ_TYPE": .invalidRequest, "MISSING_REQ_TYPE": .invalidRequest,
        "MISSING_REQUEST_URI": .invalidRequest, "INVALID_REQUEST_URI": .invalidRequest,
        "MISSING_CONTINUE_URI": .invalidRequest, "INVALID_CONTINUE_URI": .invalidRequest,
        "UNAUTHORIZED_DOMAIN": .invalidRequest, "MISSING_IOS_BUNDLE_ID": .invalidRequest,
        "MISSING_ANDROID_PACKAGE_NAME": .invalidRequest, "INVALID_HOSTING_LINK_DOMAIN": .invalidRequest,
        "INVALID_DYNAMIC_LINK_DOMAIN": .invalidRequest, "DYNAMIC_LINK_NOT_ACTIVATED": .invalidRequest,
        "INVALID_SENDER": .invalidRequest, "INVALID_MESSAGE_PAYLOAD": .invalidRequest,
        "MISSING_LOCAL_ID": .invalidRequest, "MISSING_PROVIDER_ID": .invalidRequest, "MISSING_RAW_ID": .invalidRequest,
        "INVALID_PROVIDER_ID": .identityProviderNotFound, "MISSING_GRANT_TYPE": .invalidRequest,
        "INVALID_GRANT_TYPE": .invalidRequest, "CLAIMS_TOO_LARGE": .metadataTooLarge, "INVALID_CLAIMS": .invalidRequest,
        "FORBIDDEN_CLAIM": .invalidRequest, "DUPLICATE_LOCAL_ID": .conflict, "DUPLICATE_EMAIL": .conflict,
        "DUPLICATE_RAW_ID": .conflict, "INVALID_HASH_ALGORITHM": .invalidRequest, "NOT_DISABLED": .conflict,
        "MISSING_USER_ACCOUNT": .invalidRequest, "LOCAL_ID_LIST_EXCEEDS_LIMIT": .requestTooLarge,
        "NOT_IMPLEMENTED": .unsupported, "PERMISSION_DENIED": .forbidden, "INVALID_DURATION": .invalidRequest,
        "INVALID_ARGUMENT": .invalidRequest,

        // Sign-in and accounts
        "INVALID_LOGIN_CREDENTIALS": .invalidCredentials, "INVALID_PASSWORD": .invalidCredentials,
        "EMAIL_NOT_FOUND": .invalidCredentials, "USER_DISABLED": .userBanned, "USER_NOT_FOUND": .userNotFound,
        "EMAIL_EXISTS": .emailExists, "PHONE_NUMBER_EXISTS": .phoneExists,
        "OPERATION_NOT_ALLOWED": .flowNotAllowed, "PASSWORD_LOGIN_DISABLED": .emailSignInDisabled,
        "ADMIN_ONLY_OPERATION": .signUpDisabled, "UNVERIFIED_EMAIL": .emailNotVerified,
        "EMAIL_CHANGE_NEEDS_VERIFICATION": .emailNotVerified, "INSUFFICIENT_PERMISSION": .forbidden,
        "PROJECT_DISABLED": .unavailable, "CONFIGURATION_NOT_FOUND": .clientNotFound,
        "BLOCKING_FUNCTION_ERROR_RESPONSE": .forbidden, "PROJECT_NUMBER_MISMATCH": .clientNotFound,
        "INVALID_PROJECT_ID": .clientNotFound, "INVALID_OAUTH_CLIENT_ID": .clientNotFound,
        "TENANT_ID_MISMATCH": .clientNotFound, "INVALID_TENANT_ID": .clientNotFound,
        "TENANT_NOT_FOUND": .clientNotFound, "UNSUPPORTED_TENANT_OPERATION": .unsupported,
        "MISSING_CUSTOM_TOKEN": .invalidRequest, "INVALID_CUSTOM_TOKEN": .invalidCredentials,
        "CREDENTIAL_MISMATCH": .invalidCredentials,

        // Codes that are mailed or sent
        "INVALID_OOB_CODE": .oneTimeTokenInvalid, "EXPIRED_OOB_CODE": .oneTimeTokenInvalid,
        "MISSING_OOB_CODE": .oneTimeTokenInvalid, "INVALID_CODE": .factorCodeInvalid,
        "MISSING_CODE": .factorCodeInvalid, "SESSION_EXPIRED": .flowStateExpired,
        "MISSING_SESSION_INFO": .flowStateNotFound, "INVALID_SESSION_INFO": .flowStateNotFound,
        "INVALID_TEMPORARY_PROOF": .oneTimeTokenInvalid, "MISSING_APP_CREDENTIAL": .forbidden,
        "INVALID_APP_CREDENTIAL": .forbidden, "APP_NOT_VERIFIED": .forbidden, "CAPTCHA_CHECK_FAILED": .forbidden,
        "MISSING_RECAPTCHA_TOKEN": .forbidden, "INVALID_RECAPTCHA_TOKEN": .forbidden,
        "INVALID_RECAPTCHA_ACTION": .forbidden, "RECAPTCHA_NOT_ENABLED": .forbidden,
        "MISSING_RECAPTCHA_VERSION": .forbidden, "INVALID_RECAPTCHA_VERSION": .forbidden,
        "MISSING_CLIENT_TYPE": .invalidRequest, "MISSING_CLIENT_IDENTIFIER": .forbidden,
        "MISSING_IOS_APP_TOKEN": .forbidden, "INVALID_APP_ID": .forbidden, "INVALID_CERT_HASH": .forbidden,

        // Sessions and tokens
        "MISSING_ID_TOKEN": .tokenMissing, "INVALID_ID_TOKEN": .tokenInvalid, "TOKEN_EXPIRED": .tokenExpired,
        "INVALID_REFRESH_TOKEN": .refreshTokenNotFound, "MISSING_REFRESH_TOKEN": .refreshTokenNotFound,
        "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": .reauthenticationNeeded,

        // Other people's identity providers
        "INVALID_IDP_RESPONSE": .identityTokenInvalid, "INVALID_CREDENTIAL_OR_PROVIDER_ID": .identityTokenInvalid,
        "MISSING_OR_INVALID_NONCE": .identityTokenInvalid, "REJECTED_CREDENTIAL": .identityTokenInvalid,
        "USER_CANCELLED": .identityProviderRefused,
        "FEDERATED_USER_ID_ALREADY_LINKED": .identityAlreadyLinked, "INVALID_PENDING_TOKEN": .flowStateExpired,
        "PROVIDER_ALREADY_LINKED": .identityAlreadyLinked, "NO_SUCH_PROVIDER": .identityNotFound,

        // Second factors and passkeys
        "MFA_ENROLLMENT_NOT_FOUND": .factorNotFound, "MISSING_MFA_ENROLLMENT_ID": .invalidRequest,
        "INVALID_MFA_ENROLLMENT_ID": .invalidRequest, "DUPLICATE_MFA_ENROLLMENT_ID": .conflict,
        "MISSING_MFA_PENDING_CREDENTIAL": .flowStateNotFound, "INVALID_MFA_PENDING_CREDENTIAL": .flowStateExpired,
        "MISSING_CREDENTIAL": .flowStateNotFound, "SECOND_FACTOR_EXISTS": .factorExists,
        "SECOND_FACTOR_LIMIT_EXCEEDED": .tooManyFactors, "UNSUPPORTED_FIRST_FACTOR": .unsupported,
        "MISSING_AUTHENTICATOR_RESPONSE": .invalidRequest, "INVALID_CREDENTIAL_ID": .invalidCredentials,
        "CREDENTIAL_ALREADY_IN_USE": .identityAlreadyLinked, "PASSKEY_CREDENTIAL_NOT_FOUND": .factorNotFound,
        "TOTP_CHALLENGE_TIMEOUT": .flowStateExpired, "UNSUPPORTED_SECOND_FACTOR": .factorDisabled,

        // Limits
        "TOO_MANY_ATTEMPTS_TRY_LATER": .rateLimited, "QUOTA_EXCEEDED": .rateLimited,
        "RESET_PASSWORD_EXCEED_LIMIT": .mailRateLimited,
    ]
}
