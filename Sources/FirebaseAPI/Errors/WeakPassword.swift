// SPDX-License-Identifier: Apache-2.0

/// The domain's password violations in the one code that every client of this dialect knows.
struct WeakPassword {
    let message: String

    init(violations: [String]) {
        var sentences: [String] = []
        for violation in violations {
            let sentence =
                switch violation {
                case "auth.error_password_min_length": "Password is too short"
                case "auth.error_password_max_length": "Password is too long"
                case "auth.error_password_common", "auth.error_password_context":
                    "Password is known or easy to guess"
                default: "Password should contain characters of each required kind"
                }
            if !sentences.contains(sentence) { sentences.append(sentence) }
        }
        message = "WEAK_PASSWORD : " + (sentences.isEmpty ? "Password is too weak" : sentences.joined(separator: ". "))
    }
}
