// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a deletion of the account means, as the server says it (G-10.2).
public struct DeletionExplanation: Sendable, Hashable {
    /// How long signing in keeps the account. Zero where it is gone at once.
    public var grace: TimeSpan
    /// Whether the user has to sign in anew first.
    public var needsRecentSignIn: Bool
    /// Whether the user has to show a second factor first.
    public var needsSecondFactor: Bool
    /// In the language of the request.
    public var text: String
    /// What goes, by names that a program can look texts up by: `profile`, `activities`.
    public var erased: [String]
    /// What stays, in the same form.
    public var kept: [String]

    /// What a test, or another server, says.
    public init(
        grace: TimeSpan = .zero, needsRecentSignIn: Bool = false, needsSecondFactor: Bool = false, text: String = "",
        erased: [String] = [], kept: [String] = []
    ) {
        self.grace = grace
        self.needsRecentSignIn = needsRecentSignIn
        self.needsSecondFactor = needsSecondFactor
        self.text = text
        self.erased = erased
        self.kept = kept
    }

    /// As `GET /v1/account/deletion` answers.
    init(answered members: JSONObject) {
        func names(_ member: String) -> [String] {
            (members[member]?.arrayValue ?? []).prefix(100).compactMap(\.stringValue)
        }
        let seconds = members["graceSeconds"]?.integerValue ?? 0
        self.init(
            grace: .seconds(min(max(seconds, 0), 315_360_000)),
            needsRecentSignIn: members["needsRecentSignIn"]?.boolValue ?? false,
            needsSecondFactor: members["needsSecondFactor"]?.boolValue ?? false,
            text: members["explanation"]?.stringValue ?? "", erased: names("erased"), kept: names("kept"))
    }
}
