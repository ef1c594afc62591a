// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The text of `InvalidPasswordException`: the first rule that a password breaks, as the service says it.
enum PasswordPolicyText {
    static func message(violations: [PasswordViolation]) -> String {
        "Password did not conform with policy: "
            + (violations.lazy.compactMap(rule).first ?? "Password not strong enough")
    }

    private static func rule(_ violation: PasswordViolation) -> String? {
        switch violation {
        case .minimumLength: "Password not long enough"
        case .maximumLength: "Password too long"
        case .uppercase: "Password must have uppercase characters"
        case .lowercase: "Password must have lowercase characters"
        case .number: "Password must have numeric characters"
        case .symbol: "Password must have symbol characters"
        // The service has no words for these rules of ours.
        case .common: "Password is one of those that are guessed first"
        case .context: "Password must not repeat the user's own name"
        case .characters: nil
        }
    }
}
