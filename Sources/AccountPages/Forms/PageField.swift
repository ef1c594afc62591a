// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit

/// One field of a form, with its label, its hint, and what is the matter with what was typed.
///
/// Password managers go by name, type and `autocomplete` (HTML, section 4.10.18.7.1), and by the same field having the same
/// name each time. Whatever is pasted is taken.
struct PageField: Sendable {
    var name: String
    var label: String
    var type = "text"
    var autocomplete: String
    /// Further attributes.
    var attributes: HTML = ""
    var value: String = ""
    var hint: String?
    var refusal: String?
    /// The identifier of another element that says what is the matter.
    var describedBy: String?

    private var isRefused: Bool { refusal != nil || describedBy != nil }

    var html: HTML {
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
            <input id="\#(name)" name="\#(name)" type="\#(type)" autocomplete="\#(autocomplete)" maxlength="320" required\#
            \#(attributes)\#(shown)\#(isRefused ? #" aria-invalid="true""# as HTML : "")\#(described)>
            \#(hint)\#(refusal)</div>
            """#
    }
}

extension PageField {
    static let identifierName = "identifier"
    static let passwordName = "password"
    static let newPasswordName = "newPassword"
    static let codeName = "code"

    /// Who somebody is.
    static func identifier(_ call: PageCall, value: String = "") -> PageField {
        let ways = call.flow.settings.signUp
        let label: PageText =
            switch (ways.emailEnabled, ways.phoneEnabled) {
            case (true, true): .emailOrPhoneLabel
            case (true, false): .emailLabel
            case (false, true): .phoneLabel
            case (false, false): .usernameLabel
            }
        let keyboard: HTML? = ways.emailEnabled && !ways.phoneEnabled ? #" inputmode="email""# : nil
        return PageField(
            name: identifierName, label: call.text(label), autocomplete: "username",
            attributes: #" autocapitalize="none" spellcheck="false"\#(keyboard)"#, value: value)
    }

    static func password(_ call: PageCall) -> PageField {
        PageField(
            name: passwordName, label: call.text(.passwordLabel), type: "password", autocomplete: "current-password")
    }

    /// A password to be chosen, with the Directory's rules in words and for password managers.
    static func newPassword(_ call: PageCall, name: String = newPasswordName, label: PageText = .newPasswordLabel)
        -> PageField
    {
        let rules = PasswordHint(call.flow.settings.password)
        return PageField(
            name: name, label: call.text(label), type: "password", autocomplete: "new-password",
            attributes: #" minlength="\#(String(rules.length))" passwordrules="\#(rules.machine)""#,
            hint: rules.text(in: call.language))
    }

    /// A code, in one field.
    static func code(_ call: PageCall) -> PageField {
        PageField(
            name: codeName, label: call.text(.codeLabel), autocomplete: "one-time-code",
            attributes: #" inputmode="numeric" class="code""#)
    }
}
