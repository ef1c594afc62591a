// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit

extension PageField {
    static let identifierName = "identifier"
    static let passwordName = "password"
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
        let isNamed = call.schema?.fields.contains { $0.kind == .username } ?? false
        let keyboard: HTML? = ways.emailEnabled && !ways.phoneEnabled ? #" inputmode="email""# : nil
        return PageField(
            name: identifierName, label: call.text(isNamed ? .usernameLabel : label), autocomplete: "username",
            attributes: #" autocapitalize="none" spellcheck="false"\#(keyboard)"#, value: value)
    }

    static func password(_ call: PageCall) -> PageField {
        PageField(
            name: passwordName, label: call.text(.passwordLabel), type: "password", autocomplete: "current-password")
    }

    /// A password to be chosen.
    static func newPassword(_ call: PageCall, label: PageText = .newPasswordLabel) -> PageField {
        .newPassword(call.flow.settings.password, label: label, in: call.language)
    }

    /// A code, in one field.
    static func code(_ call: PageCall) -> PageField {
        PageField(
            name: codeName, label: call.text(.codeLabel), autocomplete: "one-time-code",
            attributes: #" inputmode="numeric" class="code""#)
    }
}
