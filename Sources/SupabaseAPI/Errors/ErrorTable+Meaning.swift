// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes

extension ErrorTable {
    /// What an error that this dialect makes by itself means to people: by the words that go out, and else by its
    /// `error_code`, so that nothing is told beside the platform's words that they do not say.
    static func meaning(of error: WireError) -> AuthErrorCode {
        if let (code, entry) = entries.first(where: {
            $1.code == error.code && $1.message == error.message && $1.status == error.status
        }) {
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
        "unexpected_failure": .internalFailure, "request_timeout": .overloaded,
        "over_request_rate_limit": .rateLimited, "user_already_exists": .emailExists,
        "provider_disabled": .identityProviderDisabled, "bad_oauth_callback": .identityProviderRefused,
        "bad_oauth_state": .flowStateNotFound, "manual_linking_disabled": .unsupported,
        "web3_provider_disabled": .flowNotAllowed, "saml_provider_disabled": .identityProviderNotFound,
        "sso_provider_not_found": .identityProviderNotFound, "passkey_disabled": .flowNotAllowed,
        "too_many_passkeys": .tooManyFactors, "webauthn_credential_exists": .factorExists,
        "mfa_totp_enroll_not_enabled": .factorDisabled, "mfa_totp_verify_not_enabled": .factorDisabled,
        "mfa_phone_enroll_not_enabled": .factorDisabled, "mfa_phone_verify_not_enabled": .factorDisabled,
        "mfa_webauthn_enroll_not_enabled": .factorDisabled, "mfa_webauthn_verify_not_enabled": .factorDisabled,
        "mfa_recovery_codes_enroll_not_enabled": .factorDisabled,
        "mfa_recovery_codes_verify_not_enabled": .factorDisabled, "insufficient_scope": .forbidden,
        "unauthorized": .forbidden, "oauth_client_not_found": .clientNotFound,
        "email_conflict_identity_not_deletable": .unsupported,
    ]
}
