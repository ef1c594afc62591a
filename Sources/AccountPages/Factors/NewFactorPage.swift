// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `factors/new`: which second factor somebody wants to set up; ``FactorCodePage`` asks for its first code. In their
/// account, or in a sign-in of who must have one.
enum NewFactorPage {
    static let path = FactorVisit.newPath
    private static let kindName = "kind"
    private static let addressName = "address"

    static func get(_ call: PageCall) async throws -> Response {
        let visit = try await visit(call, doing: .enrolment)
        let kinds = try await kinds(visit, call)
        guard let kind = kind(call.query[kindName], of: kinds) else { return list(kinds, visit, call) }
        return try await form(kind, visit, call).response
    }

    static func post(_ call: PageCall) async throws -> Response {
        let visit = try await visit(call, doing: .enrolment)
        let kinds = try await kinds(visit, call)
        guard let kind = kind(call.form[kindName], of: kinds) else { return list(kinds, visit, call) }
        let form = try await form(kind, visit, call, typed: call.form[addressName])
        do {
            try call.requireOwnForm()
        } catch {
            return form.unmatched.response
        }
        do {
            let typed = call.form[addressName] ?? ""
            let new: NewFactor
            switch kind {
            case .phone:
                guard case .phone(let number) = try SignInIdentifier(typed: typed, call.flow.settings) else {
                    throw AuthError(.invalidPhone)
                }
                new = .phone(number)
            case .email:
                guard case .email(let address) = try SignInIdentifier(typed: typed, call.flow.settings) else {
                    throw AuthError(.invalidEmail)
                }
                new = .email(address)
            case .totp: new = .totp(issuer: nil)
            case .webAuthn: new = .webAuthn
            }
            let factor = try await visit.enrol(new, call).factor
            return try await FactorCodePage.begin(factor, visit, call)
        } catch let error as AuthError where error.code == .invalidCredentials || error.isOfFactor {
            // What is no address at all is said as one that can't be.
            let said =
                error.code == .invalidCredentials ? AuthError(kind == .phone ? .invalidPhone : .invalidEmail) : error
            return form.refusedFactor(said).response
        } catch let error as AuthError {
            throw call.orDetour(error, on: AccountErrand(.newFactor))
        }
    }

    static func visit(
        _ call: PageCall, doing deed: FindMissingProof.Deed = .factors
    ) async throws -> FactorVisit {
        if let visit = try FactorVisit(call, for: .enrolment) { return visit }
        return FactorVisit(try await call.owner(on: AccountErrand(.newFactor), doing: deed).authenticated)
    }

    /// Those that the Directory lets people set up, and a page can.
    private static func kinds(_ visit: FactorVisit, _ call: PageCall) async throws -> [Factor.Kind] {
        let asks = try await call.asksAuthenticators()
        return try await visit.choices(call).enrollable.filter { $0 != .webAuthn || asks }
    }

    private static func kind(_ name: String?, of kinds: [Factor.Kind]) -> Factor.Kind? {
        if kinds.count == 1 { return kinds[0] }
        return name.flatMap(Factor.Kind.init(rawValue:)).flatMap { kinds.contains($0) ? $0 : nil }
    }

    private static func list(_ kinds: [Factor.Kind], _ visit: FactorVisit, _ call: PageCall) -> Response {
        let links: [HTML] = kinds.map { kind in
            let text: PageText =
                switch kind {
                case .totp: .factorApp
                case .phone: .factorText
                case .email: .factorMail
                case .webAuthn: .factorKeyOrDevice
                }
            let url = call.url(path, visit.parameters + [(kindName, kind.rawValue)])
            return #"<a class="button quiet" href="\#(url)">\#(call.text(text))</a>"#
        }
        let ways: HTML = links.isEmpty ? "<p>\(call.text(.factorNoKind))</p>" : #"<p class="pair">\#(links)</p>"#
        var frame = PageFrame(
            title: call.text(.newFactor), brand: call.brand, language: call.language,
            content: """
                <p class="lead">\(call.text(visit.isSignIn ? .newFactorDemanded : .newFactorLead))</p>
                \(ways)
                \(back(visit, call))
                """)
        frame.languages = call.languages(path, visit.parameters)
        return frame.response()
    }

    static func back(_ visit: FactorVisit, _ call: PageCall) -> HTML {
        guard !visit.isSignIn else {
            return #"<p class="below"><a href="\#(call.url("/sign-in"))">\#(call.text(.startAgain))</a></p>"#
        }
        return #"<p class="below"><a href="\#(call.url("/factors"))">\#(call.text(.back))</a></p>"#
    }

    private static func form(
        _ kind: Factor.Kind, _ visit: FactorVisit, _ call: PageCall, typed: String? = nil
    ) async throws -> PageForm {
        var form = PageForm(call, .newFactor, title: call.text(.newFactor), button: call.text(.continueButton))
        form.parameters = visit.parameters
        form.languageParameters = [(kindName, kind.rawValue)]
        form.hidden = [(kindName, kind.rawValue)]
        form.note = visit.minutesLeft(call).map { call.text(.timeLimit, ["minutes": String($0)]) }
        form.below = back(visit, call)
        let demand = visit.isSignIn ? call.text(.newFactorDemanded) + " " : ""
        let user: User? = if case .session(let authenticated) = visit.holder { authenticated.user } else { nil }
        switch kind {
        case .totp:
            form.lead = HTML(demand + call.text(.newAppLead))
        case .webAuthn:
            form.lead = HTML(demand + call.text(.newKeyLead))
        case .phone:
            form.lead = HTML(demand + call.text(.newTextLead))
            form.button = HTML(call.text(.forgotButton))
            form.fields = [
                PageField(
                    name: addressName, label: call.text(.phoneLabel), type: "tel", autocomplete: "tel",
                    value: typed ?? user?.phone?.e164 ?? "", hint: call.text(.phoneHint))
            ]
        case .email:
            form.lead = HTML(demand + call.text(.newMailLead))
            form.button = HTML(call.text(.forgotButton))
            form.fields = [
                PageField(
                    name: addressName, label: call.text(.emailLabel), type: "email", autocomplete: "email",
                    value: typed ?? user?.email?.rawValue ?? "")
            ]
        }
        return form
    }
}

extension FactorVisit {
    var isSignIn: Bool { if case .signIn = holder { true } else { false } }
}
