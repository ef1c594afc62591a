// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// One field of a form, with its label, its hint, and what is the matter with what was typed.
///
/// Password managers go by name, type and `autocomplete` (HTML, section 4.10.18.7.1), and by the same field having the
/// same name each time. Whatever is pasted is taken.
public struct PageField: Sendable {
    public var name: String
    public var label: String
    public var type = "text"
    public var autocomplete: String
    /// In characters: of what is pasted, too.
    public var maximumLength: Int
    /// Further attributes.
    package var attributes: HTML = ""
    public var value: String = ""
    public var hint: String?
    /// Whether the form is of no use without it.
    public var isRequired = true
    public var refusal: String?
    /// The identifier of another element that says what is the matter.
    public var describedBy: String?

    package init(
        name: String, label: String, type: String = "text", autocomplete: String, attributes: HTML = "",
        value: String = "", hint: String? = nil
    ) {
        self.name = name
        self.label = label
        self.type = type
        self.autocomplete = autocomplete
        self.attributes = attributes
        self.value = value
        self.hint = hint
        maximumLength = type == "password" ? Self.longestPassword : 320
    }

    /// No password that is taken is longer, in octets and so in characters: none is cut short without a word, when it
    /// is chosen or shown (OWASP ASVS 5.0, 6.2.8).
    private static let longestPassword = 4096

    private var isRefused: Bool { refusal != nil || describedBy != nil }

    package var html: HTML {
        let descriptions = [
            hint == nil ? nil : "\(name)-hint", refusal == nil ? nil : "\(name)-refusal", describedBy,
        ].compactMap(\.self)
        let described: HTML? =
            descriptions.isEmpty ? nil : #" aria-describedby="\#(descriptions.joined(separator: " "))""#
        let hint: HTML? = hint.map { #"<span class="hint" id="\#(name)-hint">\#($0)</span>"# }
        let refusal: HTML? = refusal.map {
            #"<span class="refusal" role="alert" id="\#(name)-refusal">\#($0)</span>"#
        }
        let shown: HTML? = value.isEmpty ? nil : #" value="\#(value)""#
        return #"""
            <div class="field"><label for="\#(name)">\#(label)</label>
            <input id="\#(name)" name="\#(name)" type="\#(type)" autocomplete="\#(autocomplete)" maxlength="\#(String(maximumLength))"\#
            \#(isRequired ? " required" as HTML : "")\#(attributes)\#(shown)\#(isRefused ? #" aria-invalid="true""# as HTML : "")\#(described)>
            \#(hint)\#(refusal)</div>
            """#
    }
}

extension PageField {
    /// What forms call a password to be chosen.
    public static let newPasswordName = "newPassword"

    /// A password to be chosen, with the Directory's rules in words and for password managers.
    package static func newPassword(
        _ rules: DirectorySettings.Password, label: PageText = .newPasswordLabel, in language: MessageLanguage
    ) -> PageField {
        let hint = PasswordHint(rules)
        return PageField(
            name: newPasswordName, label: MessageCatalog.text(label, in: language), type: "password",
            autocomplete: "new-password",
            attributes: #" minlength="\#(String(hint.length))" passwordrules="\#(hint.machine)""#,
            hint: hint.text(in: language))
    }
}
