// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `second-factor`: the code of an authenticator app, of a message, or one that was written down. It is a step of a
/// sign-in, or what a session still has to show before its user may go on.
enum SecondFactorPage {
    static let path = FactorVisit.path
    static let askPath = FactorVisit.path + "/ask"
    static let factorName = "factor"
    static let challengeName = "challenge"
    private static let refusedName = "refused"
    static let questionPath = FactorVisit.path + "/key"
    /// What stands for the codes that were written down, and for a passkey.
    private static let backup = "backup"
    private static let passkey = "passkey"
    private static let notice = "notice"

    /// Leads to the page. A code is sent at once where the factor that is asked for first is one whose codes are sent:
    /// whoever comes here has just sent a form.
    ///
    /// - Parameter ticket: of the page, sealed.
    static func begin(_ ticket: String, _ pending: PendingSignIn, _ call: PageCall) async throws -> Response {
        let place = [(FactorVisit.ticketName, ticket)]
        let offer = FactorOffer(pending.choices, asks: try await call.asksAuthenticators())
        guard let factor = offer.factors.first, factor.recipient != nil else {
            return call.redirect(to: call.url(path, place))
        }
        let signIn = try SignInTicket(pending.ticket.reveal(), for: .secondFactor, call: call.flow)
        return try await redirect(to: factor, place, call) {
            try await call.accounts.challengeFactor(factor.id, for: signIn, call: call.flow)
        }
    }

    static func get(_ call: PageCall) async throws -> Response {
        guard let visit = try await visit(call) else { return call.redirect(to: call.continuation) }
        var form = try await form(visit, call)
        if call.query[notice] == "sent" { form.notice = call.text(.resent) }
        if let code = call.query[refusedName].flatMap({ name in AuthErrorCode.allKnown.first { $0.rawValue == name } })
        {
            (form.refusals, form.status) = ([MessageCatalog.text(for: code, in: call.language)], .ok)
        }
        return form.response
    }

    static func post(_ call: PageCall) async throws -> Response {
        guard let visit = try await visit(call) else { return call.redirect(to: call.continuation) }
        let form = try await form(visit, call)
        do {
            try call.requireOwnForm()
        } catch {
            return form.unmatched.response
        }
        let code = (call.form[PageField.codeName] ?? "").filter { !$0.isWhitespace }
        do {
            let proof: FactorProof
            switch chosen(of: try await offer(visit, call), call) {
            case .factor(let factor) where factor.kind == .webAuthn: proof = try .answer(call, of: factor.id)
            case .factor(let factor):
                proof = .code(code, of: factor.id, challenge: call.query[challengeName].map { FactorChallengeID($0) })
            case .backup: proof = .backupCode(code)
            case .passkey: return try await PasskeySignInPage.answered(form, call, stays: visit.stays) ?? form.response
            case .nothing: return form.response
            }
            switch visit.holder {
            case .signIn(let ticket, let page):
                let next = try await FactorVisit.whileOpen {
                    try await call.accounts.answerFactor(ticket, proof, call: call.flow)
                }
                return try await call.conclude(next, name: page.name, stays: page.stays)
            case .session(let authenticated):
                let issued = try await call.accounts.stepUp(proof, of: authenticated, call: call.flow)
                return call.redirect(
                    to: call.continuation, cookies: [call.opening(issued.refreshToken, stays: call.wantsToStay)])
            }
        } catch let error as AuthError where error.isOfFactor {
            return form.refusedFactor(error).response
        }
    }

    /// `second-factor/ask`: another factor is chosen, or another code is to be sent.
    static func ask(_ call: PageCall) async throws -> Response {
        try call.requireOwnForm()
        guard let visit = try await visit(call) else { return call.redirect(to: call.continuation) }
        let wanted = call.form[factorName] ?? ""
        guard let factor = try await offer(visit, call).factors.first(where: { $0.id.rawValue == wanted }) else {
            let place = [backup, passkey].contains(wanted) ? [(factorName, wanted)] : []
            return call.redirect(to: call.url(path, visit.parameters + place))
        }
        return try await redirect(to: factor, visit.parameters, isAnew: call.query[factorName] == wanted, call) {
            try await visit.ask(factor.id, call)
        }
    }

    /// `second-factor/key`: what the script asks the authenticator: for the security key that was chosen, or for a
    /// passkey of the same user's.
    static func question(_ call: PageCall) async throws -> Response {
        try call.requireForm(of: path)
        guard let visit = try await visit(call) else { throw AuthError(.factorNotFound) }
        switch chosen(of: try await offer(visit, call), call) {
        case .factor(let factor): return try PasskeyAsking.response(try await visit.question(factor.id, call))
        case .passkey: return try PasskeyAsking.response(try await PasskeySignInPage.ask(visit.user, call))
        case .backup, .nothing: throw AuthError(.factorNotFound)
        }
    }

    private static func redirect(
        to factor: Factor, _ place: [(String, String)], isAnew: Bool = false, _ call: PageCall,
        _ ask: () async throws -> FactorChallenge
    ) async throws -> Response {
        var place = place + [(factorName, factor.id.rawValue)]
        guard factor.recipient != nil else { return call.redirect(to: call.url(path, place)) }
        do {
            place.append((challengeName, try await ask().id.rawValue))
            if isAnew { place.append((notice, "sent")) }
        } catch let error as AuthError where error.isOfFactor {
            // What was sent before may still be typed.
            if let former = call.query[challengeName] { place.append((challengeName, former)) }
            place.append((refusedName, error.code.rawValue))
        }
        return call.redirect(to: call.url(path, place))
    }

    // MARK: What is asked for

    private enum Chosen {
        case factor(Factor)
        case backup
        case passkey
        case nothing
    }

    private static func offer(_ visit: FactorVisit, _ call: PageCall) async throws -> FactorOffer {
        var offer = FactorOffer(try await visit.choices(call), asks: try await call.asksAuthenticators())
        if try await call.takesPasskeys() {
            offer.hasPasskey = try await !call.accounts.userPasskeys.list(of: visit.user, call: call.flow).isEmpty
        }
        return offer
    }

    /// `nil` where nothing is asked for: a session that shows a factor already, or whose user has none.
    private static func visit(_ call: PageCall) async throws -> FactorVisit? {
        if let visit = try FactorVisit(call, for: .secondFactor) { return visit }
        guard let session = try await call.session() else {
            throw Detour(response: call.redirect(to: call.url("/sign-in")))
        }
        let visit = FactorVisit(AuthenticatedUser(user: session.user, identities: [], session: session.session))
        guard session.session.assurance < .aal2, try await !visit.choices(call).factors.isEmpty else { return nil }
        return visit
    }

    private static func chosen(of offer: FactorOffer, _ call: PageCall) -> Chosen {
        let wanted = call.query[factorName]
        if wanted == backup, offer.hasBackupCodes { return .backup }
        if wanted == passkey, offer.hasPasskey { return .passkey }
        let factors = offer.factors
        if let factor = factors.first(where: { $0.id.rawValue == wanted }) ?? factors.first { return .factor(factor) }
        return offer.hasPasskey ? .passkey : offer.hasBackupCodes ? .backup : .nothing
    }

    // MARK: Form

    private static func form(_ visit: FactorVisit, _ call: PageCall) async throws -> PageForm {
        let offer = try await offer(visit, call)
        let chosen = chosen(of: offer, call)
        var form = PageForm(
            call, .secondFactor, title: call.text(.secondFactor), button: call.text(.confirmButton))
        form.parameters = visit.parameters
        form.values = ["user": visit.name]
        switch chosen {
        case .factor(let factor) where factor.kind == .webAuthn:
            form.lead = call.html(.keyLead)
            form.parameters += [(factorName, factor.id.rawValue)]
            form.passkey = PasskeyAsking(
                question: call.url(questionPath, form.parameters), button: call.text(.keyUse), isAlone: true)
        case .passkey:
            form.lead = call.html(.passkeyUseLead)
            form.parameters += [(factorName, passkey)]
            form.passkey = PasskeyAsking(
                question: call.url(questionPath, form.parameters), button: call.text(.passkeyUse), isAlone: true)
        case .factor(let factor):
            form.lead = lead(factor, call)
            form.fields = [.code(call)]
            form.parameters += [(factorName, factor.id.rawValue)]
            form.parameters += call.query[challengeName].map { [(challengeName, $0)] } ?? []
        case .backup:
            form.lead = call.html(.backupCodeLead)
            form.fields = [.backupCode(call)]
            form.parameters += [(factorName, backup)]
        case .nothing:
            form.lead = call.html(.factorElsewhere)
            form.isSubmitted = false
        }
        if case .session = visit.holder, form.isSubmitted { form.stays = call.wantsToStay }
        form.note = visit.minutesLeft(call).map { call.text(.timeLimit, ["minutes": String($0)]) }
        if form.passkey != nil {
            form.title = call.text(.signInAgain)
            form.isWorded = false
        }
        form.below = others(than: chosen, offer, visit, call)
        return form
    }

    private static func lead(_ factor: Factor, _ call: PageCall) -> HTML {
        guard let recipient = FactorLabel(factor, in: call.language).maskedRecipient else {
            return factor.name.map { call.html(.factorAppNamedLead, ["name": $0]) } ?? call.html(.factorAppLead)
        }
        // Whoever comes here by the browser's button, or chose nothing yet, was sent none.
        return call.html(
            call.query[challengeName] == nil ? .factorSendLead : .confirmTextLead, ["address": recipient])
    }

    /// Another code, other factors, and the way back to another account.
    private static func others(
        than chosen: Chosen, _ offered: FactorOffer, _ visit: FactorVisit, _ call: PageCall
    ) -> HTML {
        var buttons: [HTML] = []
        func offer(_ value: String, _ text: String) {
            buttons.append(
                #"<p><button class="plain" type="submit" name="\#(factorName)" value="\#(value)">\#(text)</button></p>"#
            )
        }
        for factor in offered.factors {
            if case .factor(let shown) = chosen, shown.id == factor.id {
                if factor.recipient != nil { offer(factor.id.rawValue, call.text(.resend)) }
            } else {
                offer(
                    factor.id.rawValue, call.text(.factorUse, ["factor": FactorLabel(factor, in: call.language).masked])
                )
            }
        }
        if offered.hasPasskey {
            if case .passkey = chosen {} else { offer(passkey, call.text(.passkeyUse)) }
        }
        if offered.hasBackupCodes {
            if case .backup = chosen {} else { offer(backup, call.text(.backupCodeUse)) }
        }
        let lost: HTML? =
            call.flow.settings.factors.recoveryWait > 0
            ? #"<p><a href="\#(call.url(FactorVisit.lostPath, visit.parameters))">\#(call.text(.lostFactor))</a></p>"#
            : nil
        let again: HTML = """
            \(lost)
            <p><a href="\(call.url("/sign-in"))">\(call.text(.startAgain))</a></p>
            """
        guard !buttons.isEmpty else { return #"<div class="below">\#(again)</div>"# }
        let kept = [factorName, challengeName].compactMap { name in call.query[name].map { (name, $0) } }
        return """
            <form class="below" method="post" action="\(call.url(askPath, visit.parameters + kept))">
            \(PageFrame.hiddenInputs([(FormToken.field, call.formToken(askPath))]))
            \(buttons)
            \(again)
            </form>
            """
    }
}
