// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird

/// What the link of a recovery message opens where the app has no page of its own: a form for a new password. It works
/// without scripts, and takes what is pasted and what a password manager fills in (OWASP ASVS 5.0, 6.2.6 and 6.2.7).
public struct PasswordPage: Sendable {
    /// What the form calls the password.
    public static let field = "newPassword"

    /// The address or number that the message went to.
    public var recipient: String
    public var brand: PageBrand
    public var language: MessageLanguage
    /// Where the form goes, relative to the page: one or more path segments.
    public var action: String
    /// What the form sends back beside the password.
    public var fields: [(name: String, value: String)]
    /// Why the last password was not taken.
    public var refusal: AuthError?

    public init(
        recipient: String, brand: PageBrand, language: MessageLanguage, action: String,
        fields: [(name: String, value: String)], refusal: AuthError? = nil
    ) {
        self.recipient = recipient
        self.brand = brand
        self.language = language
        self.action = action
        self.fields = fields
        self.refusal = refusal
    }

    public var response: Response { frame.response(status: refusal == nil ? .ok : .badRequest) }

    var html: String { frame.html }

    private var frame: PageFrame {
        let refusals: [HTML] = reasons.map { "<p>\($0)</p>" }
        let notice: HTML? =
            refusals.isEmpty
            ? nil : #"<div class="notice bad" role="alert" id="refusal">\#(refusals)</div>"#
        let described: HTML = refusals.isEmpty ? "" : #" aria-invalid="true" aria-describedby="refusal" autofocus"#
        var frame = PageFrame(
            title: text(.linkRecovery), brand: brand, language: language,
            content: """
                <p>\(text(.linkSent, ["site": brand.name, "address": recipient]))</p>
                \(notice)
                <form method="post" action="\(action)">
                \(PageFrame.hiddenInputs(fields))
                <input type="text" name="username" autocomplete="username" value="\(recipient)" hidden>
                <div class="field"><label for="password">\(text(.linkNewPassword))</label>
                <input id="password" type="password" name="\(Self.field)" autocomplete="new-password" required\(described)></div>
                <button type="submit">\(text(.linkButton))</button>
                </form>
                <p class="note">\(text(.linkNote))</p>
                """)
        frame.isRefusal = !refusals.isEmpty
        return frame
    }

    /// Each rule that the password breaks, and for any other refusal what its code says.
    private var reasons: [String] {
        guard let refusal else { return [] }
        let rules = refusal.violations.compactMap { violation in
            MessageCatalog.text(MessageKey(rawValue: violation.rawValue), in: language)
        }
        return rules.isEmpty ? [MessageCatalog.text(for: refusal.code, in: language)] : rules
    }

    private func text(_ key: MessageKey, _ values: [String: String] = [:]) -> String {
        MessageCatalog.text(key, in: language, values: values) ?? ""
    }
}
