// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The domain's password violations, folded into the three reasons this dialect knows.
struct WeakPasswordReasons {
    let names: [String]
    let message: String

    init(violations: [String]) {
        var names: [String] = []
        var sentences: [String] = []
        func add(_ name: String, _ sentence: String) {
            if !names.contains(name) {
                names.append(name)
                sentences.append(sentence)
            }
        }
        for violation in violations {
            switch violation {
            case "auth.error_password_min_length": add("length", "Password is too short.")
            case "auth.error_password_max_length": add("length", "Password is too long.")
            case "auth.error_password_common", "auth.error_password_context":
                add("pwned", "Password is known to be weak and easy to guess, please choose a different one.")
            default:
                add("characters", "Password should contain at least one character of each required kind.")
            }
        }
        self.names = names
        message = sentences.isEmpty ? "Password is too weak." : sentences.joined(separator: " ")
    }
}
