// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension FactorKind {
    /// Of a word of the service's, for a second factor or for a way to sign in.
    init?(pool word: String) {
        switch word {
        case "SOFTWARE_TOKEN_MFA": self = .authenticator
        case "SMS_MFA", "SMS_OTP": self = .phone
        case "EMAIL_OTP", "EMAIL_MFA": self = .email
        case "WEB_AUTHN": self = .passkey
        case "PASSWORD", "PASSWORD_SRP": self = .password
        default: return nil
        }
    }

    /// The member of `SetUserMFAPreference` that is about it, and the word that lists have for it.
    static let preferences: [(kind: FactorKind, member: String, word: String)] = [
        (.authenticator, "SoftwareTokenMfaSettings", "SOFTWARE_TOKEN_MFA"), (.phone, "SMSMfaSettings", "SMS_MFA"),
        (.email, "EmailMfaSettings", "EMAIL_OTP"),
    ]
}
