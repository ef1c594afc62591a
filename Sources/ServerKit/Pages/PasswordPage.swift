// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import Hummingbird

/// What the link of a recovery message opens where the app has no page of its own: a form for a new password. It works
/// without scripts, and takes what is pasted and what a password manager fills in (OWASP ASVS 5.0, 6.2.6 and 6.2.7).
public struct PasswordPage: Sendable {
    /// The address or number that the message went to.
    public var recipient: String
    /// What a password must be.
    public var rules: DirectorySettings.Password
    public var brand: PageBrand
    public var language: MessageLanguage
    /// Where the form goes, relative to the page: one or more path segments.
    public var action: String
    /// What the form sends back beside the password.
    public var fields: [(name: String, value: String)]
    /// Why the last password was not taken.
    public var refusal: AuthError?

    public init(
        recipient: String, rules: DirectorySettings.Password, brand: PageBrand, language: MessageLanguage,
        action: String,
        fields: [(name: String, value: String)], refusal: AuthError? = nil
    ) {
        self.recipient = recipient
        self.rules = rules
        self.brand = brand
        self.language = language
        self.action = action
        self.fields = fields
        self.refusal = refusal
    }

    public var response: Response { frame.response(status: refusal == nil ? .ok : .badRequest) }

    var html: String { frame.html }

    private var frame: PageFrame {
        var field = PageField.newPassword(rules, in: language)
        field.refusal = reasons
        field.attributes = "\(field.attributes) autofocus"
        var frame = PageFrame(
            title: MessageCatalog.text(.resetTitle, in: language), brand: brand, language: language,
            content: """
                <p class="lead">\(HTML.name(recipient))</p>
                <form method="post" action="\(action)" novalidate>
                \(PageFrame.hiddenInputs(fields))
                <input type="text" name="username" autocomplete="username" value="\(recipient)" hidden>
                \(field.html)
                <button type="submit">\(MessageCatalog.text(.resetButton, in: language))</button>
                </form>
                <p class="note">\(MessageCatalog.text(.linkNote, in: language) ?? "")</p>
                """)
        frame.isRefusal = refusal != nil
        return frame
    }

    /// Each rule that the password breaks, and for any other refusal what its code says.
    private var reasons: String? {
        guard let refusal else { return nil }
        let rules = refusal.violations.compactMap { violation in
            MessageCatalog.text(MessageKey(rawValue: violation.rawValue), in: language)
        }
        return rules.isEmpty ? MessageCatalog.text(for: refusal.code, in: language) : rules.joined(separator: " ")
    }
}
