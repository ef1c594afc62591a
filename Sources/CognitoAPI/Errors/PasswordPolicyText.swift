// SPDX-License-Identifier: Apache-2.0

/// The text of `InvalidPasswordException`: the first rule that a password breaks, as the service says it.
enum PasswordPolicyText {
    static func message(violations: [String]) -> String {
        "Password did not conform with policy: "
            + (violations.lazy.compactMap(rule).first ?? "Password not strong enough")
    }

    private static func rule(_ violation: String) -> String? {
        switch violation {
        case "auth.error_password_min_length": "Password not long enough"
        case "auth.error_password_max_length": "Password too long"
        case "auth.error_password_uppercase": "Password must have uppercase characters"
        case "auth.error_password_lowercase": "Password must have lowercase characters"
        case "auth.error_password_number": "Password must have numeric characters"
        case "auth.error_password_symbol": "Password must have symbol characters"
        // The service has no words for these rules of ours.
        case "auth.error_password_common": "Password is one of those that are guessed first"
        case "auth.error_password_context": "Password must not repeat the user's own name"
        default: nil
        }
    }
}
