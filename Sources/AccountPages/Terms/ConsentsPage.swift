// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `consents`: what whoever is signed in lets be done with what is known of them, and which documents they have agreed
/// to.
enum ConsentsPage {
    static let path = "/consents"
    private static let prefix = "purpose-"
    private static let shownName = "shown"

    static func get(_ call: PageCall) async throws -> Response {
        let owner = try await call.owner(on: AccountErrand(.consents)).authenticated
        return form(try await call.accounts.userConsents.list(of: owner.user.id, call: call.flow), call).response
    }

    /// What the form showed is said of, and nothing else: what has come to be asked for meanwhile was not.
    static func post(_ call: PageCall) async throws -> Response {
        let owner = try await call.owner(on: AccountErrand(.consents)).authenticated
        let states = try await call.accounts.userConsents.list(of: owner.user.id, call: call.flow)
        var form = form(states, call)
        do {
            try call.requireOwnForm()
        } catch {
            return form.unmatched.response
        }
        let shown = try TermsLine.references(in: call.form[shownName] ?? "")
        let words = shown.map {
            ConsentWord(name: $0.name, isGiven: call.form[prefix + $0.name] != nil, version: $0.version)
        }
        do {
            _ = try await call.accounts.userConsents.change(
                words, of: owner.user.id, in: owner.session, call: call.flow)
        } catch let error as AuthError where error.code == .rateLimited {
            form.refusals = [MessageCatalog.text(for: error, in: call.language)]
            form.status = .tooManyRequests
            form.wait = error.retryAfter
            return form.response
        }
        return call.redirect(to: call.url("", [("notice", AccountNotice.consents.rawValue)]))
    }

    private static func form(_ states: [ConsentState], _ call: PageCall) -> PageForm {
        let purposes = states.filter { $0.terms.kind == .purpose }
        let documents = states.filter { $0.terms.kind == .document }
        var form = PageForm(call, .account, title: call.text(.consents), button: call.text(.save))
        form.isWorded = false
        form.lead = call.html(.consentsLead)
        form.beside = "\(purposes.map { box($0, call) })"
        form.hidden = [(shownName, TermsLine.text(of: purposes.map(\.terms.reference)))]
        if !documents.isEmpty {
            form.below = """
                <h2 id="documents">\(call.text(.consentsDocuments))</h2>
                <ul class="plain" aria-labelledby="documents">
                \(documents.map { TermsPage.item($0.terms, call, said: said($0, call)) })
                </ul>
                <p><a href="\(call.url(""))">\(call.text(.back))</a></p>
                """
        } else {
            form.below = #"<p class="below"><a href="\#(call.url(""))">\#(call.text(.back))</a></p>"#
        }
        return form
    }

    private static func box(_ state: ConsentState, _ call: PageCall) -> HTML {
        let text = state.terms.text(in: call.language)
        let checked: HTML? = state.isGiven ? " checked" : nil
        let more: HTML? = text?.url.map {
            #" <a href="\#($0)" target="_blank" rel="noopener noreferrer">\#(call.text(.consentsMore))</a>"#
        }
        return """
            <label class="check"><input type="checkbox" name="\(prefix + state.terms.name)" value="on"\(checked)>
            <span>\(text?.title ?? state.terms.name)\(more)</span></label>
            """
    }

    private static func said(_ state: ConsentState, _ call: PageCall) -> String? {
        guard let said = state.said, said.isGiven else { return call.text(.consentsNotAgreed) }
        return said.terms == state.terms.reference
            ? call.text(.consentsAgreed, ["time": said.at.pageTime])
            : call.text(.consentsAgreedOther, ["version": said.terms.version, "time": said.at.pageTime])
    }
}
