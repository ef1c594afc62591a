// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The domain's password violations in the one code that every client of this dialect knows.
struct WeakPassword {
    let message: String

    init(violations: [PasswordViolation]) {
        var sentences: [String] = []
        for violation in violations {
            let sentence =
                switch violation {
                case .minimumLength: "Password is too short"
                case .maximumLength: "Password is too long"
                case .common, .context: "Password is known or easy to guess"
                case .uppercase, .lowercase, .number, .symbol, .characters:
                    "Password should contain characters of each required kind"
                }
            if !sentences.contains(sentence) { sentences.append(sentence) }
        }
        message = "WEAK_PASSWORD : " + (sentences.isEmpty ? "Password is too weak" : sentences.joined(separator: ". "))
    }
}
