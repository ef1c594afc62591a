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
        let offers = try await call.providers()
        let passkeys = try await call.takesPasskeys()
        if call.isPlain {
            return call.pages.plain.response(call, offers, hasPasskeys: passkeys) {
                Self.form(call, offers, passkeys: passkeys)
            }
        }
        var form = form(call, offers, passkeys: passkeys, name: call.pending?.parameters.loginHint ?? "")
        if let session = try await call.session() {
            let user = session.user.label
            if call.pending != nil || call.errand != nil, call.pending?.parameters.loginHint == nil,
                !form.fields.isEmpty
            {
                form.fields[0].value = user
            }
            if try await asksAgain(call) || call.errand != nil {
                // Going on would lead back here.
                form.title = call.text(.signInAgain)
                form.isWorded = false
            } else {
                // Who comes back here by the browser's button is not asked to sign in a second time.
                form.below = below(call, call.goingOn(as: session))
            }
        }
        if call.query["notice"] == "reset" { form.notice = call.text(.resetDone) }
        if let refusal = ProviderPage.refusal(call) { (form.refusals, form.status) = ([refusal], .ok) }
        return form.response
    }

    private static func asksAgain(_ call: PageCall) async throws -> Bool {
        guard let pending = call.pending else { return false }
        return try await call.accounts.continueAuthorization.asksAgain(
            pending.id, browser: call.browser, session: call.cookie, call: call.flow)
    }

    static func post(_ call: PageCall) async throws -> Response {
        let offers = try await call.providers()
        let passkeys = try await call.takesPasskeys()
        do {
            try call.requireOwnForm()
        } catch {
            return form(call, offers, passkeys: passkeys).unmatched.response
        }
        let typed = call.form[PageField.identifierName] ?? ""
        let form = form(call, offers, passkeys: passkeys, name: typed)
        if let response = try await PasskeySignInPage.answered(form, call) { return response }
        let identifier: SignInIdentifier
        let password = call.form[PageField.passwordName] ?? ""
        do {
            try call.requireOwnSignIn()
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

    private static func form(
        _ call: PageCall, _ offers: [IdentityProviderCatalog.Offer], passkeys: Bool, name: String = ""
    ) -> PageForm {
        var form = PageForm(call, .signIn, title: call.text(.signIn), button: call.text(.signIn))
        form.lead = call.app.map { call.html(.signInTo, ["app": $0.name]) }
        form.ways = ProviderPage.ways(offers, call)
        if call.deviceCode != nil { form.lead = call.html(.deviceSignIn) }
        guard call.takesOwnSignIn else {
            form.isSubmitted = false
            return form
        }
        form.fields = [.identifier(call, value: name), .password(call)]
        if passkeys {
            form.passkey = PasskeySignInPage.asking(call)
            // HTML, section 4.10.18.7.1: the field by which the browser offers them.
            form.fields[0].autocomplete += " webauthn"
        }
        form.beside = #"<p class="beside"><a href="\#(call.url("/forgot"))">\#(call.text(.forgot))</a></p>"#
        form.stays = call.wantsToStay
        form.below = below(call)
        return form
    }

    /// What else one might want; nothing where there is nothing.
    private static func below(_ call: PageCall, _ first: HTML? = nil) -> HTML? {
        let signUp: HTML? =
            call.flow.settings.signUp.enabled && call.takesOwnSignIn
            ? """
            <p>\(call.text(.newHere)) <a href="\(call.url("/sign-up"))">\(call.text(.signUpLink))</a></p>
            """ : nil
        return first == nil && signUp == nil ? nil : "<div class=\"below\">\(first)\(signUp)</div>"
    }
}

extension PageCall {
    /// For whoever is on a page that they need no more: they went back, or did what it is for in another tab.
    func goingOn(as session: BrowserSession) -> HTML {
        "<p><a href=\"\(continuation)\">\(text(.continueAs, ["user": session.user.label]))</a></p>"
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
