// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `sign-in`: who somebody is, and their password, on one page.
enum SignInPage {
    static func get(_ call: PageCall) async throws -> Response {
        var form = form(call, name: call.pending?.parameters.loginHint ?? "")
        // Who comes back here by the browser's button is not asked to sign in a second time.
        if let session = try await call.session() {
            let user = session.user.label
            form.below = """
                <p class="below"><a href="\(call.continuation)">\(call.text(.continueAs, ["user": user]))</a></p>
                \(form.below)
                """
            if call.pending != nil, call.pending?.parameters.loginHint == nil { form.fields[0].value = user }
        }
        if call.query["notice"] == "reset" { form.notice = call.text(.resetDone) }
        return form.response
    }

    static func post(_ call: PageCall) async throws -> Response {
        do {
            try call.requireOwnForm()
        } catch {
            return form(call).unmatched.response
        }
        let typed = call.form[PageField.identifierName] ?? ""
        let form = form(call, name: typed)
        let identifier: SignInIdentifier
        let password = call.form[PageField.passwordName] ?? ""
        do {
            identifier = try SignInIdentifier(typed: typed, call.flow.settings)
            guard !password.isEmpty else { throw AuthError(.invalidCredentials, reason: "no password") }
            let next = try await call.accounts.passwordSignIn(
                identifier, password: Secret(password), call: call.flow)
            return try await call.conclude(next, name: identifier.typed)
        } catch let error as AuthError where error.isSaid {
            switch error.code {
            // Said after a right password alone: what is missing is a step away.
            case .emailNotVerified, .phoneNotVerified:
                return try await ConfirmPage.begin(SignInIdentifier(typed: typed, call.flow.settings), call)
            default: return form.refused(error, secret: PageField.passwordName).response
            }
        }
    }

    private static func form(_ call: PageCall, name: String = "") -> PageForm {
        var form = PageForm(call, title: call.text(.signIn), button: call.text(.signIn))
        form.lead = call.app.map { call.text(.signInTo, ["app": $0.name]) }
        form.fields = [.identifier(call, value: name), .password(call)]
        form.beside = """
            <p class="beside"><a href="\(call.url("/forgot"))">\(call.text(.forgot))</a></p>
            <label class="check"><input type="checkbox" name="stay" value="on"> \(call.text(.stay))</label>
            """
        if call.flow.settings.signUp.enabled {
            form.below = """
                <p class="below">\(call.text(.newHere)) <a href="\(call.url("/sign-up"))">\(call.text(.signUpLink))</a></p>
                """
        }
        return form
    }
}

extension AuthError {
    /// Whether a page says it; what is the server's own fault is logged on its way.
    var isSaid: Bool {
        switch code {
        case .internalFailure, .unavailable: false
        default: true
        }
    }
}

extension User {
    /// What a page calls somebody who is signed in.
    var label: String { email?.rawValue ?? phone?.e164 ?? username?.rawValue ?? id.rawValue }
}
