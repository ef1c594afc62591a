// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a program of the operator's said, judged by the form that it was asked in.
public enum HookAnswer: Sendable {
    case allowed(HookChanges)
    /// What the person is told, and with which status; `nil` for the dialect's own.
    /// Of an attempt at a password: whether every session of the user's ends.
    case refused(message: String, status: Int?, endsSessions: Bool)

    static let maximumMessage = 1000

    /// - Parameter message: shown to whoever called: one line, and bounded.
    public static func refusal(_ message: String, status: Int? = nil, endsSessions: Bool = false) -> HookAnswer {
        let plain = message.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }
        return .refused(
            message: String(plain.prefix(maximumMessage)),
            status: status.flatMap { (400...499).contains($0) ? $0 : nil }, endsSessions: endsSessions)
    }
}

/// What an answer changes, of what its moment lets it: everything else that a program says is not read.
public struct HookChanges: Sendable {
    /// At a sign-up: whether the account counts as confirmed, and which of what it names as proved.
    public var confirmsAccount = false
    public var provesEmail = false
    public var provesPhone = false
    /// At a sign-up or sign-in: what the profile says; `.null` takes it away.
    public var name: JSONValue?
    public var picture: JSONValue?
    public var isDisabled: Bool?
    /// At a sign-up or sign-in: what the form's own dialect keeps of the user as an operator's, by member.
    public var attributes: JSONObject?
    /// At a sign-in: for the tokens of this session, in the form's own dialect.
    public var sessionClaims: JSONObject?
    /// Of a token: what is signed in place of what was shown, in the same order.
    public var claims: [JSONObject]?
    /// Of a message: the same in other words.
    public var letter: Letter?
    /// Of a migration: whom there is to be.
    public var migrated: MigratedUser?
    /// Of a sign-in by challenges: what is next, what is asked, and whether the answer is right.
    public var next: CustomChallenge.Next?
    public var challenge: CustomChallenge.Made?
    public var isRight: Bool?

    public init() {}

    /// What it lays over a user's metadata.
    var profile: JSONObject {
        var profile = JSONObject()
        profile[SharedField.name.rawValue] = name
        profile[SharedField.picture.rawValue] = picture
        return profile
    }
}
