// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The domain's password violations, folded into the three reasons this dialect knows.
struct WeakPasswordReasons {
    let names: [String]
    let message: String

    init(violations: [PasswordViolation]) {
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
            case .minimumLength: add("length", "Password is too short.")
            case .maximumLength: add("length", "Password is too long.")
            case .common, .context:
                add("pwned", "Password is known to be weak and easy to guess, please choose a different one.")
            case .uppercase, .lowercase, .number, .symbol, .characters:
                add("characters", "Password should contain at least one character of each required kind.")
            }
        }
        self.names = names
        message = sentences.isEmpty ? "Password is too weak." : sentences.joined(separator: " ")
    }
}
