// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A pool's own words for its messages, as the Directory's templates: `{####}` is the code, and `{username}` what the
/// user signs in as
/// (https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-settings-message-customizations.html).
///
/// `EmailMessageByLink` is kept and shown alone: what this dialect confirms is confirmed by a code.
struct PoolMessages: Equatable {
    /// What a code is mailed for.
    private static let codeKinds = ["confirmation", "recovery", "email_change_new", "reauthentication", "magic_link"]
    private static let factorKind = "factor_code"
    private static let invitationKind = "temporary_password"
    private static let anyCode = "sms"

    var subjects: [String: String] = [:]
    var bodies: [String: String] = [:]
    var texts: [String: String] = [:]

    init(_ pool: PoolSettings) {
        let shown = pool.shown
        let template = shown["VerificationMessageTemplate"]?.objectValue
        let mail = template?["EmailMessage"]?.stringValue ?? shown["EmailVerificationMessage"]?.stringValue
        let subject = template?["EmailSubject"]?.stringValue ?? shown["EmailVerificationSubject"]?.stringValue
        for kind in Self.codeKinds {
            bodies[kind] = mail.map(Self.template)
            subjects[kind] = subject.map(Self.template)
        }
        let text = template?["SmsMessage"]?.stringValue ?? shown["SmsVerificationMessage"]?.stringValue
        texts[Self.anyCode] = text.map(Self.template)
        texts[Self.factorKind] = shown["SmsAuthenticationMessage"]?.stringValue.map(Self.template)
        bodies[Self.factorKind] = pool.factorMail?["Message"]?.stringValue.map(Self.template)
        subjects[Self.factorKind] = pool.factorMail?["Subject"]?.stringValue.map(Self.template)
        bodies[Self.invitationKind] = pool.invitation?["EmailMessage"]?.stringValue.map(Self.template)
        subjects[Self.invitationKind] = pool.invitation?["EmailSubject"]?.stringValue.map(Self.template)
    }

    /// Puts the words in place of those that the pool had before. What an operator has written otherwise, for kinds
    /// that the pool says nothing of, stays.
    func write(into settings: inout DirectorySettings, replacing old: PoolMessages) {
        func lay(_ new: [String: String], over old: [String: String], in texts: inout [String: String]) {
            for (name, text) in old where new[name] == nil && texts[name] == text { texts[name] = nil }
            for (name, text) in new { texts[name] = text }
        }
        lay(subjects, over: old.subjects, in: &settings.mail.subjects)
        lay(bodies, over: old.bodies, in: &settings.mail.bodies)
        lay(texts, over: old.texts, in: &settings.mail.texts)
    }

    /// The same words in the Directory's form. Braces that are the pool's own text must not become that form's: two
    /// that meet are set apart.
    static func template(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let brace = rest.firstIndex(of: "{") {
            result += rest[..<brace]
            rest = rest[brace...]
            let value = placeholders.first { rest.hasPrefix($0.key) }
            if result.hasSuffix("{"), !result.hasSuffix("{{") { result += " " }
            if let value {
                result += value.value
                rest = rest.dropFirst(value.key.count)
            } else {
                result += "{"
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }

    private static let placeholders = ["{####}": "{{code}}", "{username}": "{{username}}"]
}
