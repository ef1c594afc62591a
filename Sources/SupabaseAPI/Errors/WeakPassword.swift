// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What is wrong with a password, in the platform's words: the domain's violations, folded into the three reasons that
/// this dialect knows.
struct WeakPassword {
    let reasons: [String]
    let message: String

    /// `nil` where nothing is wrong with it.
    ///
    /// - Parameter settings: of the Directory, whose numbers and sets of characters the text names.
    init?(_ violations: [PasswordViolation], settings: DirectorySettings.Password) {
        guard !violations.isEmpty else { return nil }
        var reasons: [String] = []
        var sentences: [String] = []
        func add(_ reason: String, _ sentence: String) {
            if !reasons.contains(reason) {
                reasons.append(reason)
                sentences.append(sentence)
            }
        }
        for violation in violations {
            switch violation {
            case .minimumLength:
                add("length", "Password should be at least \(settings.minimumLength) characters.")
            case .maximumLength: add("length", "Password is too long.")
            case .common, .context:
                add("pwned", "Password is known to be weak and easy to guess, please choose a different one.")
            case .uppercase, .lowercase, .number, .symbol, .characters:
                let sets = settings.requiredCharacters.joined(separator: ", ")
                add("characters", "Password should contain at least one character of each: \(sets).")
            }
        }
        self.reasons = reasons
        message = sentences.joined(separator: " ")
    }

    var json: JSONObject {
        ["message": .string(message), "reasons": .array(reasons.map { .string($0) })]
    }
}
