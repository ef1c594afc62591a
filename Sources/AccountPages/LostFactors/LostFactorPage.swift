// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `lost-factor`: for whoever is asked for a second factor and has none at hand. Its button begins a recovery by a
/// waiting time; what is under way is shown in its place.
enum LostFactorPage {
    static let path = FactorVisit.lostPath

    static func get(_ call: PageCall) async throws -> Response {
        guard let visit = try await visit(call) else { return call.redirect(to: call.continuation) }
        let standing = try await standing(visit, call)
        if let recovery = standing.recovery { return waiting(for: recovery, visit, call) }
        guard standing.isOffered else { return unavailable(visit, call) }
        return form(standing, visit, call).response
    }

    static func post(_ call: PageCall) async throws -> Response {
        guard let visit = try await visit(call) else { return call.redirect(to: call.continuation) }
        let standing = try await standing(visit, call)
        do {
            try call.requireOwnForm()
        } catch {
            return form(standing, visit, call).unmatched.response
        }
        do {
            switch visit.holder {
            case .signIn(let ticket, _):
                _ = try await FactorVisit.whileOpen {
                    try await call.accounts.recoverFactors.begin(for: ticket, call: call.flow)
                }
            case .session(let authenticated):
                _ = try await call.accounts.recoverFactors.begin(for: authenticated, call: call.flow)
            }
            return call.redirect(to: call.url(path, visit.parameters))
        } catch let error as AuthError {
            switch error.code {
            case .factorDisabled, .factorNotFound, .emailNotVerified: return unavailable(visit, call)
            case .rateLimited, .messageRateLimited:
                var form = form(standing, visit, call)
                form.refusals = [MessageCatalog.text(for: error, in: call.language)]
                (form.status, form.wait) = (.tooManyRequests, error.retryAfter)
                return form.response
            default: throw error
            }
        }
    }

    /// `nil` where no second factor is asked for.
    private static func visit(_ call: PageCall) async throws -> FactorVisit? {
        if let visit = try FactorVisit(call, for: .secondFactor) { return visit }
        guard let session = try await call.session() else {
            throw Detour(response: call.redirect(to: call.url("/sign-in")))
        }
        guard session.session.assurance < .aal2 else { return nil }
        return FactorVisit(AuthenticatedUser(user: session.user, identities: [], session: session.session))
    }

    private static func standing(_ visit: FactorVisit, _ call: PageCall) async throws -> RecoverFactors.Standing {
        switch visit.holder {
        case .signIn(let ticket, _):
            try await FactorVisit.whileOpen {
                try await call.accounts.recoverFactors.standing(for: ticket, call: call.flow)
            }
        case .session(let authenticated):
            try await call.accounts.recoverFactors.standing(of: authenticated, call: call.flow)
        }
    }

    // MARK: Pages

    private static func form(
        _ standing: RecoverFactors.Standing, _ visit: FactorVisit, _ call: PageCall
    ) -> PageForm {
        var form = PageForm(
            call, .secondFactor, title: call.text(.lostFactorTitle), button: call.text(.lostFactorButton))
        form.isWorded = false
        let due = call.flow.now + .seconds(standing.waitSeconds)
        form.lead = call.html(.lostFactorLead, ["time": due.pageTime])
        form.parameters = visit.parameters
        form.note = call.text(.lostFactorNote)
        form.below = back(visit, call)
        return form
    }

    private static func waiting(for recovery: FactorRecovery, _ visit: FactorVisit, _ call: PageCall) -> Response {
        let isRipe = recovery.isRipe(at: call.flow.now)
        return page(
            .lostFactorWaits,
            call.html(
                isRipe ? .lostFactorRipeLead : .lostFactorWaitsLead,
                ["time": recovery.dueAt.pageTime, "end": recovery.endsAt.pageTime]), visit, call)
    }

    private static func unavailable(_ visit: FactorVisit, _ call: PageCall) -> Response {
        page(.lostFactorTitle, call.html(.lostFactorElsewhere), visit, call)
    }

    private static func page(_ title: PageText, _ lead: HTML, _ visit: FactorVisit, _ call: PageCall) -> Response {
        var frame = PageFrame(
            title: call.text(title), brand: call.brand, language: call.language,
            content: """
                <p class="lead">\(lead)</p>
                \(back(visit, call))
                """)
        frame.languages = call.languages(path, visit.parameters)
        return frame.response()
    }

    private static func back(_ visit: FactorVisit, _ call: PageCall) -> HTML {
        let url = call.url(FactorVisit.path, visit.parameters)
        return #"<p class="below"><a href="\#(url)">\#(call.text(.back))</a></p>"#
    }
}
