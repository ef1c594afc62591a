// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `sign-up`: an address and a password, and what else the Directory wants of a newcomer. Whether the address has an
/// account already, nobody is told but its owner; that a name is taken, everybody is.
enum SignUpPage {
    static func get(_ call: PageCall) async throws -> Response {
        guard call.takesOwnSignIn else { return call.redirect(to: call.url("/sign-in")) }
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
            try call.requireOwnSignIn()
            let schema = call.schema
            let said = try schema?.read(call.form)
            var command = try command(typed, said, call)
            command.signsInUnverified = call.flow.opensUnverified
            var flow = call.flow
            flow.attributePlace = schema?.dialect
            let name = command.identifier.typed
            switch try await call.accounts.signUp(command, call: flow) {
            case .signedIn(let next): return try await call.conclude(next, name: name)
            case .confirmationSent, .concealed:
                return try ConfirmPage.redirect(to: command.identifier, at: reached(command), call)
            case .unconfirmed where command.username != nil: return call.notice(.accountMade, .accountMadeLine)
            case .unconfirmed: return try ConfirmPage.redirect(to: command.identifier, call)
            }
        } catch let refusals as AccountFieldRefusals {
            return form(call, name: typed).refused(refusals).response
        } catch let error as AuthError where error.isSaid {
            let isName = error.code == .usernameExists
            let form = form(call, name: typed)
            let named = form.fields.first { $0.autocomplete == "username" }?.name ?? PageField.identifierName
            let mail = call.schema?.fields.first { $0.kind == .email }?.name ?? named
            return form.refused(error, identifier: isName ? named : mail, secret: PageField.newPasswordName).response
        }
    }

    /// - Throws: what a typed address or number is refused by.
    private static func command(
        _ typed: String, _ said: AccountDescription?, _ call: PageCall
    ) throws -> SignUpCommand {
        let password = Secret(call.form[PageField.newPasswordName] ?? "")
        let (metadata, attributes) = (said?.metadata ?? [:], said?.attributes ?? [:])
        guard let name = said?.username else {
            let identifier = try SignInIdentifier(typed: typed, call.flow.settings)
            guard identifier.isReachable else { throw AuthError(.invalidEmail) }
            var command = SignUpCommand(
                identifier: identifier, password: password, userMetadata: metadata, attributes: attributes)
            if identifier.isPhone { command.email = said?.email } else { command.phone = said?.phone }
            return command
        }
        var command = SignUpCommand(
            identifier: .username(name), password: password, userMetadata: metadata, attributes: attributes)
        (command.email, command.phone) = (said?.email, said?.phone)
        (command.confirmsByMail, command.confirmsByText) = (said?.confirmsEmail ?? true, said?.confirmsPhone ?? true)
        return command
    }

    /// Where the code goes, as the user typed it.
    private static func reached(_ command: SignUpCommand) -> String? {
        guard command.username != nil else { return nil }
        let mail = command.confirmsByMail ? command.email?.rawValue : nil
        return mail ?? (command.confirmsByText ? command.phone?.e164 : nil)
    }

    private static func form(_ call: PageCall, name: String = "") -> PageForm {
        var form = PageForm(call, .signUp, title: call.text(.signUp), button: call.text(.signUpButton))
        form.lead = call.app.map { call.html(.signInTo, ["app": $0.name]) }
        let asked = call.schema?.fields ?? []
        let fields = asked.map { PageField.asked($0, call) }
        form.fields =
            (asked.contains { $0.kind == .username } ? [] : [.identifier(call, value: name)]) + fields
            + [.newPassword(call, label: .passwordLabel)]
        form.below = """
            <p class="below">\(call.text(.haveAccount)) <a href="\(call.url("/sign-in"))">\(call.text(.signIn))</a></p>
            """
        return form
    }
}

extension SignUpCommand {
    /// The name that the user is called by; `nil` for who is called by an address or a number.
    fileprivate var username: Username? { if case .username(let name) = identifier { name } else { nil } }
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
