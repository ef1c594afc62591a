// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `terms`: what there is no session without. It is a step of a sign-in in this browser, or what an app's user was sent
/// to whose app knows no such step; those sign in anew by their app. Whoever is signed in already comes here on the way
/// to an app.
enum TermsPage {
    static let path = AgreementLink.path
    private static let ticketName = "ticket"
    private static let agreedName = "agreed"

    static func get(_ call: PageCall) async throws -> Response {
        let visit = try await Visit(call)
        let due = try await visit.due(call)
        guard !due.isEmpty else {
            if case .session = visit.holder { return call.redirect(to: call.continuation) }
            return call.notice(.agreeDone, .agreeDoneLead)
        }
        return form(visit, due, call).response
    }

    static func post(_ call: PageCall) async throws -> Response {
        let visit = try await Visit(call)
        do {
            try call.requireOwnForm()
        } catch {
            return form(visit, try await visit.due(call), call).unmatched.response
        }
        let agreed = try TermsLine.references(in: call.form[agreedName] ?? "")
        switch visit.holder {
        case .signIn(let ticket, let page):
            let next = try await FactorVisit.whileOpen {
                try await call.accounts.agreeToTerms(ticket, agreed: agreed, call: call.flow)
            }
            return try await call.conclude(next, name: page.name, stays: page.stays)
        case .session(let user):
            try await call.accounts.agreeToTerms(
                of: user.id, agreed: agreed, client: call.app?.id, call: call.flow)
            return call.redirect(to: call.continuation)
        case .link(let link):
            let left = try await call.accounts.agreeToTerms(link, agreed: agreed, call: call.flow)
            return left.isEmpty ? call.notice(.agreeDone, .agreeDoneLead) : form(visit, left, call).response
        }
    }

    /// In what somebody is asked.
    private struct Visit {
        enum Holder {
            case signIn(SignInTicket, PageTicket)
            case link(AgreementLink)
            case session(User)
        }

        let holder: Holder
        /// Of the page's address.
        let parameters: [(String, String)]

        /// - Throws: ``AuthErrorCode/flowStateNotFound`` and ``AuthErrorCode/flowStateExpired`` for a ticket that is
        ///   not this browser's, a link that was not given here, and either when it is too old. A ``Detour`` to the
        ///   sign-in, for whoever comes with nothing and is signed in by nobody.
        init(_ call: PageCall) async throws {
            if let text = call.query[AgreementLink.parameter] {
                holder = .link(try AgreementLink(text, call: call.flow))
                parameters = [(AgreementLink.parameter, text)]
                return
            }
            guard let text = call.query[ticketName] else {
                guard let session = try await call.session() else {
                    throw Detour(response: call.redirect(to: call.url("/sign-in")))
                }
                holder = .session(session.user)
                parameters = []
                return
            }
            let ticket = try PageTicket(text, for: .terms, call)
            holder = .signIn(try SignInTicket(ticket.ticket, for: .terms, call: call.flow), ticket)
            parameters = [(ticketName, text)]
        }

        func due(_ call: PageCall) async throws -> [Terms] {
            switch holder {
            case .signIn(let ticket, _):
                try await FactorVisit.whileOpen {
                    try await call.accounts.agreeToTerms.due(for: ticket, call: call.flow)
                }
            case .link(let link): try await call.accounts.agreeToTerms.due(for: link, call: call.flow)
            case .session(let user): try await call.accounts.agreeToTerms.due(of: user, call: call.flow)
            }
        }
    }

    private static func form(_ visit: Visit, _ due: [Terms], _ call: PageCall) -> PageForm {
        var form = PageForm(call, .terms, title: call.text(.agreeTitle), button: call.text(.agreeButton))
        form.lead = call.html(.agreeLead)
        form.above = #"<ul class="plain">\#(due.map { item($0, call) })</ul>"#
        form.hidden = [(agreedName, TermsLine.text(of: due.map(\.reference)))]
        form.parameters = visit.parameters
        if case .signIn(_, let ticket) = visit.holder {
            form.username = ticket.name
            let left = max(1, ((ticket.until - call.flow.now).seconds + 59) / 60)
            form.note = call.text(.timeLimit, ["minutes": String(left)])
            form.below = #"<p class="below"><a href="\#(call.url("/sign-in"))">\#(call.text(.startAgain))</a></p>"#
        }
        return form
    }

    /// A document by its title, which leads to it in a window of its own: the sign-in goes on in this one.
    static func item(_ terms: Terms, _ call: PageCall, said: String? = nil) -> HTML {
        let text = terms.text(in: call.language)
        let title = text?.title ?? terms.name
        let version = call.text(.agreeVersion, ["version": terms.version])
        let name: HTML =
            text?.url.map {
                #"""
                <a href="\#($0)" target="_blank" rel="noopener noreferrer" aria-label="\#(
                    call.text(.agreeReadLabel, ["title": title]))">\#(title)</a>
                """#
            } ?? "\(title)"
        return
            "<li><div>\(name)<small>\([version, said].compactMap(\.self).joined(separator: " · "))</small></div></li>"
    }
}
