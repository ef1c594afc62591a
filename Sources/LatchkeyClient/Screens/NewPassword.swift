// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A new password as it is typed, once or twice. Part of the screens that ask for one.
public struct NewPassword: Sendable {
    /// What is in the field.
    public var text = ""
    /// The same again, where the screen asks for that; `nil` where it does not.
    public var repeated: String?
    let policy: PasswordPolicy

    init(policy: PasswordPolicy) {
        self.policy = policy
    }

    /// What is wrong with it, rule by rule; nothing while nothing is typed (G-15.5).
    func problems(context: [String]) -> [UserMessage] {
        guard !text.isEmpty else { return [] }
        var problems = policy.violations(of: Secret(text), context: context).map {
            UserMessage(MessageKey(rawValue: $0.rawValue))
        }
        if let repeated, !repeated.isEmpty, repeated != text { problems.append(UserMessage(.passwordsDiffer)) }
        return problems
    }

    func isAcceptable(context: [String]) -> Bool {
        !text.isEmpty && (repeated ?? text) == text && problems(context: context).isEmpty
    }

    /// Gives it away and forgets it (C-13).
    mutating func take() -> Secret<String> {
        defer { forget() }
        return Secret(text)
    }

    mutating func forget() {
        text = ""
        if repeated != nil { repeated = "" }
    }
}
