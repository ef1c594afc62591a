// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `consent`: what an app asks for, in words, and a yes or a no to it.
enum ConsentPage {
    static func get(_ call: PageCall) async throws -> Response {
        guard let pending = call.pending, let app = call.app else { return call.redirect(to: call.url("")) }
        guard
            let (user, scopes) = try await call.accounts.continueAuthorization.consentQuestion(
                pending.id, browser: call.browser, session: call.cookie, call: call.flow)
        else { return call.redirect(to: call.continuation) }
        let title = call.own(.consent, .title) ?? call.text(.consentTitle, ["app": app.name])
        let lead = call.own(.consent, .lead) ?? call.text(.consentLead, ["app": app.name])
        let items = try await meanings(of: scopes, call).map { "<li>\($0)</li>" as HTML }
        let tokens = PageFrame.hiddenInputs([(FormToken.field, call.formToken(call.path))])
        var frame = PageFrame(
            title: title, brand: call.brand, language: call.language,
            content: """
                <p class="lead">\(call.html(.signedInAs, ["user": user.label])) ·
                <a href="\(call.url("/sign-in"))">\(call.text(.otherAccount))</a></p>
                <p>\(lead)</p>
                <ul class="ticks">
                \(items)
                </ul>
                <form method="post" action="\(call.url(call.path))">
                \(tokens)
                <div class="pair">
                <button type="submit" name="answer" value="allow">\(call.own(.consent, .button) ?? call.text(.consentAllow))</button>
                <button class="quiet" type="submit" name="answer" value="deny">\(call.text(.consentDeny))</button>
                </div>
                </form>
                <p class="note">\(call.text(.consentNote))</p>
                """)
        frame.languages = call.languages(call.path)
        return frame.response(formTargets: PageFrame.formTargets(of: pending.request.redirectURI))
    }

    static func post(_ call: PageCall) async throws -> Response {
        try call.requireOwnForm()
        guard let pending = call.pending else { return call.redirect(to: call.continuation) }
        let answer: AnswerConsent.Answer
        switch call.form["answer"] {
        case "allow": answer = .allow()
        case "deny": answer = .deny
        default: throw AuthError(.invalidRequest, reason: "neither yes nor no", field: "answer")
        }
        try await call.accounts.answerConsent(
            pending.id, answer, browser: call.browser, session: call.cookie, call: call.flow)
        return call.redirect(to: call.continuation)
    }

    /// Scopes in words: those of OpenID Connect in ours, those of a resource server in its operator's.
    static func meanings(of scopes: [String], _ call: PageCall) async throws -> [String] {
        let descriptions = try await call.accounts.scopeDescriptions(scopes, call: call.flow)
        return scopes.map { descriptions[$0] ?? meaning(of: $0, call) }
    }

    private static func meaning(of scope: String, _ call: PageCall) -> String {
        switch scope {
        case "openid": call.text(.scopeOpenid)
        case "profile": call.text(.scopeProfile)
        case "email": call.text(.scopeEmail)
        case "phone": call.text(.scopePhone)
        case "address": call.text(.scopeAddress)
        case "offline_access": call.text(.scopeOffline)
        default: call.text(.scopeOther, ["scope": scope])
        }
    }
}
