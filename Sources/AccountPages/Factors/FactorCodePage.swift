// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `factors/confirm`: the first code of a second factor, from which on it counts. Beside it stands what an
/// authenticator app takes over, to be read by a camera or typed, until then and in this browser alone.
enum FactorCodePage {
    static let path = "/factors/confirm"
    static let againPath = "/factors/confirm/again"
    static let questionPath = "/factors/confirm/key"
    private static let setUpName = "factor"
    private static let refusedName = "refused"

    /// Leads to the page; a code is sent on the way where the factor is one whose codes are.
    static func begin(_ factor: Factor, _ visit: FactorVisit, _ call: PageCall) async throws -> Response {
        let setUp = try PageTicket(.setUp, name: factor.id.rawValue, until: call.flow.now + PageTicket.lifetime)
            .sealed(call)
        return try await redirect(visit.parameters + [(setUpName, setUp)], factor, visit, call)
    }

    static func get(_ call: PageCall) async throws -> Response {
        let visit = try await NewFactorPage.visit(call)
        var form = try await form(try await visit.unfinished(try factor(call), call), visit, call)
        if call.query["notice"] == "again" { form.notice = call.text(.resent) }
        if let code = call.query[refusedName].flatMap({ name in AuthErrorCode.allKnown.first { $0.rawValue == name } })
        {
            (form.refusals, form.status) = ([MessageCatalog.text(for: code, in: call.language)], .ok)
        }
        return form.response
    }

    static func post(_ call: PageCall) async throws -> Response {
        let visit = try await NewFactorPage.visit(call)
        let factor = try factor(call)
        let form = try await form(try await visit.unfinished(factor, call), visit, call)
        do {
            try call.requireOwnForm()
        } catch {
            return form.unmatched.response
        }
        do {
            let proof = try proof(of: factor, isKey: form.passkey != nil, call)
            switch visit.holder {
            case .signIn(let ticket, let page):
                let next = try await FactorVisit.whileOpen {
                    try await call.accounts.answerFactor(ticket, proof, call: call.flow)
                }
                guard case .session(let issued) = next else {
                    return try await call.conclude(next, name: page.name, stays: page.stays)
                }
                let (session, response) = try await call.open(issued, stays: page.stays)
                return try await BackupCodesPage.afterFirst(session.user, session.session, response, call)
            case .session(let authenticated):
                let issued = try await call.accounts.stepUp(proof, of: authenticated, call: call.flow)
                let response = call.redirect(
                    to: call.url("/factors", [("notice", AccountNotice.factorAdded.rawValue)]),
                    cookies: [call.opening(issued.refreshToken, stays: call.wantsToStay)])
                return try await BackupCodesPage.afterFirst(issued.user, issued.session, response, call)
            }
        } catch let error as AuthError where error.isOfFactor {
            return form.refusedFactor(error).response
        } catch let error as AuthError {
            throw call.orDetour(error, on: AccountErrand(.newFactor))
        }
    }

    private static func proof(of factor: FactorID, isKey: Bool, _ call: PageCall) throws(AuthError) -> FactorProof {
        guard isKey else {
            let code = (call.form[PageField.codeName] ?? "").filter { !$0.isWhitespace }
            return .code(code, of: factor, challenge: nil)
        }
        return try .answer(call, of: factor)
    }

    /// `factors/confirm/key`: what the script asks the authenticator to make.
    static func question(_ call: PageCall) async throws -> Response {
        try call.requireForm(of: path)
        let visit = try await NewFactorPage.visit(call)
        return try PasskeyAsking.response(try await visit.question(try factor(call), call))
    }

    /// `factors/confirm/again`: another code is to be sent.
    static func again(_ call: PageCall) async throws -> Response {
        try call.requireOwnForm()
        let visit = try await NewFactorPage.visit(call)
        let enrolled = try await visit.unfinished(try factor(call), call)
        return try await redirect(
            visit.parameters + [(setUpName, call.query[setUpName] ?? ""), ("notice", "again")], enrolled.factor, visit,
            call)
    }

    private static func redirect(
        _ place: [(String, String)], _ factor: Factor, _ visit: FactorVisit, _ call: PageCall
    ) async throws -> Response {
        guard factor.recipient != nil else { return call.redirect(to: call.url(path, place)) }
        do {
            _ = try await visit.ask(factor.id, call)
            return call.redirect(to: call.url(path, place))
        } catch let error as AuthError where error.isOfFactor {
            let kept = place.filter { $0.0 != "notice" }
            return call.redirect(to: call.url(path, kept + [(refusedName, error.code.rawValue)]))
        }
    }

    /// - Throws: ``AuthErrorCode/flowStateNotFound`` for what was begun in another browser.
    private static func factor(_ call: PageCall) throws(AuthError) -> FactorID {
        FactorID(try PageTicket(call.query[setUpName], for: .setUp, call).name)
    }

    // MARK: Form

    private static func form(
        _ enrolled: EnrolledFactor, _ visit: FactorVisit, _ call: PageCall
    ) async throws -> PageForm {
        var form = PageForm(call, .newFactor, title: call.text(.newFactor), button: call.text(.confirmButton))
        form.isWorded = false
        form.parameters = visit.parameters + [(setUpName, call.query[setUpName] ?? "")]
        if enrolled.factor.kind == .webAuthn {
            form.passkey = PasskeyAsking(
                ceremony: .create, question: call.url(questionPath, form.parameters), button: call.text(.keyMake),
                isAlone: true)
        } else {
            form.fields = [.code(call)]
        }
        if !visit.isSignIn { form.stays = call.wantsToStay }
        form.note = visit.minutesLeft(call).map { call.text(.timeLimit, ["minutes": String($0)]) }
        guard form.passkey == nil else {
            form.lead = call.html(.newKeyLead)
            form.below = NewFactorPage.back(visit, call)
            return form
        }
        guard let authenticator = enrolled.authenticator else {
            form.lead = call.html(.confirmTextLead, ["address": enrolled.factor.recipient ?? ""])
            let url = call.url(againPath, form.parameters)
            form.below = """
                <form class="below" method="post" action="\(url)">
                \(PageFrame.hiddenInputs([(FormToken.field, call.formToken(againPath))]))
                <button class="plain" type="submit">\(call.text(.resend))</button> ·
                <a href="\(call.url(NewFactorPage.path, visit.parameters))">\(call.text(.startAgain))</a>
                </form>
                """
            return form
        }
        form.lead = call.html(.scanLead)
        form.above = try scan(authenticator, call)
        form.below = NewFactorPage.back(visit, call)
        return form
    }

    /// What an app takes over: for a camera, for an app on this very device, and for whoever types it.
    private static func scan(_ authenticator: EnrolledFactor.Authenticator, _ call: PageCall) throws -> HTML {
        let image = try authenticator.svg()
        let named = HTML(
            markup: image.replacing(
                "<svg ",
                with: #"<svg class="qr" role="img" aria-label="\#(HTML(call.text(.scanImage)).text)" "#,
                maxReplacements: 1))
        let secret = Array(authenticator.secret.reveal())
        let groups = stride(from: 0, to: secret.count, by: 4).map { String(secret[$0..<min($0 + 4, secret.count)]) }
        return """
            \(named)
            <p><a class="button quiet" href="\(authenticator.uri.reveal())">\(call.text(.openApp))</a></p>
            <p>\(call.text(.typeSecret))</p>
            <p class="key">\(groups.joined(separator: " "))</p>
            """
    }
}
