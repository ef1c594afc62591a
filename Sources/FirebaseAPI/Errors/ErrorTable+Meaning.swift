// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes

extension ErrorTable {
    /// What an error that this dialect makes by itself means to people: by the words that go out, and else by its code,
    /// so that nothing is told beside the platform's words that they do not say.
    static func meaning(of error: WireError) -> AuthErrorCode {
        if let (code, entry) = entries.first(where: { $1.message == error.message && $1.status == error.status }) {
            return entry.told ?? code
        }
        return meanings[error.code] ?? (error.status.code >= 500 ? .internalFailure : .invalidRequest)
    }

    private static let meanings: [String: AuthErrorCode] = {
        let domain = AuthErrorCode.allKnown.map { (entry(for: $0).code, $0) }
        return Dictionary(domain) { first, _ in first }.merging(own) { $1 }
    }()

    /// Where several of the domain's errors have one code, and for codes that none of them has.
    private static let own: [String: AuthErrorCode] = [
        "OPERATION_NOT_ALLOWED": .unsupported, "TOKEN_EXPIRED": .tokensRevoked,
        "TOO_MANY_ATTEMPTS_TRY_LATER": .rateLimited, "RESET_PASSWORD_EXCEED_LIMIT": .mailRateLimited,
        "EMAIL_NOT_FOUND": .userNotFound, "MISSING_EMAIL": .invalidEmail, "MISSING_NEW_EMAIL": .invalidEmail,
        "INVALID_IDENTIFIER": .invalidEmail, "MISSING_IDENTIFIER": .invalidEmail, "MISSING_PHONE_NUMBER": .invalidPhone,
        "MISSING_PASSWORD": .invalidCredentials, "PASSWORD_LOGIN_DISABLED": .emailSignInDisabled,
        "INVALID_CODE": .reauthenticationInvalid, "MISSING_CODE": .reauthenticationInvalid,
        "SESSION_EXPIRED": .factorChallengeExpired, "INVALID_SESSION_INFO": .factorChallengeNotFound,
        "MISSING_SESSION_INFO": .factorChallengeNotFound, "TOTP_CHALLENGE_TIMEOUT": .factorChallengeExpired,
        "INVALID_MFA_PENDING_CREDENTIAL": .tokenInvalid, "UNSUPPORTED_FIRST_FACTOR": .flowNotAllowed,
        "INVALID_CREDENTIAL_OR_PROVIDER_ID": .identityProviderNotFound,
        "MISSING_OR_INVALID_NONCE": .identityTokenInvalid,
        "INVALID_PENDING_TOKEN": .identityTokenInvalid, "CREDENTIAL_MISMATCH": .clientNotFound,
        "INVALID_APP_CREDENTIAL": .apiKeyInvalid, "MISSING_APP_CREDENTIAL": .apiKeyInvalid,
        "CAPTCHA_CHECK_FAILED": .apiKeyInvalid, "INVALID_CUSTOM_TOKEN": .clientNotFound,
        "MISSING_CUSTOM_TOKEN": .clientNotFound, "TENANT_NOT_FOUND": .notFound, "PROJECT_NOT_FOUND": .notFound,
        "MISSING_REFRESH_TOKEN": .tokenMissing, "INVALID_TEMPORARY_PROOF": .oneTimeTokenInvalid,
        "MISSING_OOB_CODE": .oneTimeTokenInvalid, "CLAIMS_TOO_LARGE": .metadataTooLarge,
        "FORBIDDEN_CLAIM": .forbidden,
    ]
}
