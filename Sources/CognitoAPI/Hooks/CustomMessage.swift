// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// A message with a code as the trigger is shown it and words it ("Custom message Lambda trigger", developer guide).
/// The trigger never has the code: it says where it goes.
struct CustomMessage {
    static let code = "{####}"
    static let username = "{username}"
    private static let linkStart = "{##"
    private static let linkEnd = "##}"
    /// Characters, as the service's templates have them.
    private static let limits = (mail: 20_000, subject: 140, text: 140)

    static let response: JSONObject = ["smsMessage": .null, "emailMessage": .null, "emailSubject": .null]

    /// `triggerSource`.
    let source: String
    private let letter: Letter
    private let name: String
    private let isText: Bool

    private var givesPassword: Bool { source == "CustomMessage_AdminCreateUser" }

    /// - Parameter letter: `nil` comes of one that the service has no word for.
    init?(_ letter: Letter, of user: User, isText: Bool) {
        guard letter.code != nil, let source = Self.source(of: letter, user) else { return nil }
        self.source = source
        self.letter = letter
        self.isText = isText
        name = UserWire.username(of: user)
    }

    private static func source(of letter: Letter, _ user: User) -> String? {
        let proves = "CustomMessage_" + (user.isConfirmed ? "VerifyUserAttribute" : "SignUp")
        switch letter.kind {
        case "confirmation", "sign_up": return proves
        case "temporary_password": return "CustomMessage_AdminCreateUser"
        case "recovery": return "CustomMessage_ForgotPassword"
        case "email_change_current", "email_change_new", "email_change", "phone_change":
            return "CustomMessage_UpdateUserAttribute"
        case "factor_code", "magic_link", "reauthentication": return "CustomMessage_Authentication"
        // Confirms a number, and signs in by one that is.
        case "phone_sign_in": return user.phoneVerifiedAt == nil ? proves : "CustomMessage_Authentication"
        default: return nil
        }
    }

    var request: JSONObject {
        [
            "codeParameter": .string(Self.code),
            "linkParameter": letter.link == nil ? .null : .string("{##Click Here##}"),
            "usernameParameter": givesPassword ? .string(Self.username) : .null,
        ]
    }

    /// The letter in the trigger's words; what it leaves out stays as it is.
    ///
    /// - Throws: ``AuthErrorCode/hookFailed`` for words without what the message is sent for.
    func worded(_ response: JSONObject) throws(AuthError) -> Letter {
        var worded = letter
        guard !isText else {
            if let words = try Self.words("smsMessage", in: response, Self.limits.text) {
                try requirePlaces(in: words, "smsMessage", allowsLink: false)
                worded.text = filled(words, isMarkup: false)
            }
            return worded
        }
        if let words = try Self.words("emailSubject", in: response, Self.limits.subject) {
            worded.subject = Self.oneLine(filled(words, isMarkup: false))
        }
        if let words = try Self.words("emailMessage", in: response, Self.limits.mail) {
            try requirePlaces(in: words, "emailMessage", allowsLink: letter.link != nil)
            worded.html = filled(words, isMarkup: true)
        }
        return worded
    }

    private static func words(_ name: String, in response: JSONObject, _ limit: Int) throws(AuthError) -> String? {
        switch response[name] {
        case nil, .null: return nil
        case .string(""): return nil
        case .string(let words) where words.count <= limit: return words
        case .string: throw HookFailure.malformed.error("\(name): more than \(limit) characters")
        default: throw HookFailure.malformed.error("\(name): expected a text")
        }
    }

    private func requirePlaces(in words: String, _ name: String, allowsLink: Bool) throws(AuthError) {
        guard words.contains(Self.code) || allowsLink && Self.link(in: words[...]) != nil else {
            throw HookFailure.malformed.error("\(name): \(Self.code) is missing")
        }
        guard !givesPassword || words.contains(Self.username) else {
            throw HookFailure.malformed.error("\(name): \(Self.username) is missing")
        }
    }

    /// Puts in what the trigger did not have: each value once, and nothing that a value says is a place.
    private func filled(_ words: String, isMarkup: Bool) -> String {
        func escaped(_ text: String) -> String { isMarkup ? HTMLText.escaped(text) : text }
        var (result, rest) = ("", words[...])
        var address = isMarkup ? letter.link : nil
        while let brace = rest.firstIndex(of: "{") {
            result += rest[..<brace]
            rest = rest[brace...]
            if rest.hasPrefix(Self.code) {
                result += escaped(letter.code ?? "")
                rest = rest.dropFirst(Self.code.count)
            } else if rest.hasPrefix(Self.username) {
                result += escaped(name)
                rest = rest.dropFirst(Self.username.count)
            } else if let place = address, rest.hasPrefix(Self.linkStart) {
                guard let link = Self.link(in: rest) else {
                    // Nor is there any further on.
                    address = nil
                    continue
                }
                result += "<a href=\"\(escaped(place))\">\(link.label)</a>"
                rest = rest[link.end...]
            } else {
                result += "{"
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }

    /// The first `{##…##}`: what its reader presses, and where it ends.
    private static func link(in words: Substring) -> (label: Substring, end: String.Index)? {
        guard let start = words.firstRange(of: linkStart), !words[start.lowerBound...].hasPrefix(code) else {
            return nil
        }
        let rest = words[start.upperBound...]
        guard let end = rest.firstRange(of: linkEnd) else { return nil }
        return (rest[..<end.lowerBound], end.upperBound)
    }

    /// A subject is one header line (RFC 5322, section 2.2).
    private static func oneLine(_ text: String) -> String {
        String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
    }
}
