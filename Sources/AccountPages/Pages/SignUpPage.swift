// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `sign-up`: an address and a password. Whether the address has an account already, nobody is told but its owner.
enum SignUpPage {
    static func get(_ call: PageCall) async throws -> Response {
        guard call.flow.settings.signUp.enabled else { throw AuthError(.signUpDisabled) }
        if call.isPlain { return call.pages.plain.response(call, []) { form(call) } }
        return form(call, name: call.pending?.parameters.loginHint ?? "").response
    }

    static func post(_ call: PageCall) async throws -> Response {
        do {
            try call.requireOwnForm()
        } catch {
            return form(call).unmatched.response
        }
        let typed = call.form[PageField.identifierName] ?? ""
        do {
            let identifier = try SignInIdentifier(typed: typed, call.flow.settings)
            guard identifier.isReachable else { throw AuthError(.invalidEmail) }
            var command = SignUpCommand(
                identifier: identifier, password: Secret(call.form[PageField.newPasswordName] ?? ""))
            command.signsInUnverified = call.flow.opensUnverified
            switch try await call.accounts.signUp(command, call: call.flow) {
            case .signedIn(let next): return try await call.conclude(next, name: identifier.typed)
            case .confirmationSent, .concealed, .unconfirmed: return try ConfirmPage.redirect(to: identifier, call)
            }
        } catch let error as AuthError where error.isSaid {
            return form(call, name: typed).refused(error, secret: PageField.newPasswordName).response
        }
    }

    private static func form(_ call: PageCall, name: String = "") -> PageForm {
        var form = PageForm(call, .signUp, title: call.text(.signUp), button: call.text(.signUpButton))
        form.lead = call.app.map { call.html(.signInTo, ["app": $0.name]) }
        form.fields = [
            .identifier(call, value: name), .newPassword(call, label: .passwordLabel),
        ]
        form.below = """
            <p class="below">\(call.text(.haveAccount)) <a href="\(call.url("/sign-in"))">\(call.text(.signIn))</a></p>
            """
        return form
    }
}

extension SignInIdentifier {
    /// Whether a message can be sent there.
    var isReachable: Bool {
        switch self {
        case .email, .phone: true
        case .username, .user: false
        }
    }

    var isPhone: Bool { if case .phone = self { true } else { false } }
}
