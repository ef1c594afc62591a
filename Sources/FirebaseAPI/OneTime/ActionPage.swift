// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `/__/auth/action`: where the links of this dialect's mails lead.
///
/// A code that confirms an address is spent by the page's button, and the browser goes on to where the app wanted it;
/// where it wanted nothing, a page says that it is done. A code that sets a password is spent by a form. One that signs
/// in is for the app: the browser is sent there with it.
enum ActionPage {
    /// What a link says, and the form says again.
    private static let names = ["mode", "oobCode", "continueUrl", "lang", "tenantId", "projectId"]

    static func get(_ call: DialectCall) async throws -> Response {
        let (call, link) = read(call, { call.query[$0] })
        guard let link else { return ActionNotice(call: call).dead(nil, nil) }
        switch link.mode {
        case .verifyEmail, .verifyAndChangeEmail:
            guard call.flow.settings.oneTime.linkConfirms == .page else { return try await confirm(link, call) }
            guard
                let proof = try await call.accounts.inspectProof(
                    .link(token: link.code), purposes: ActionMode.confirming, call: call.flow)
            else { return ActionNotice(call: call).dead(link.mode, link.target) }
            return LinkPage(
                proof, brand: PageBrand(call.flow.settings), language: call.flow.language, action: "action",
                fields: fields { call.query[$0] },
                target: link.target
            ).response
        case .resetPassword: return try await form(link, call, { call.query[$0] })
        case .signIn:
            guard let app = link.target ?? call.flow.settings.siteURL else {
                return ActionNotice(call: call).belongsToApp
            }
            let parameters = ["mode", "oobCode", "apiKey", "continueUrl", "lang", "tenantId"]
                .compactMap { name in call.query[name].map { (name, $0) } }
            return Answer.redirect(to: URLText.adding(parameters, to: app))
        case nil: return ActionNotice(call: call).dead(nil, nil)
        }
    }

    static func post(_ call: DialectCall) async throws -> Response {
        try LinkPage.requireOwnForm(call.headers, authority: call.authority, url: call.dialect.settings.url.text)
        let (call, link) = read(call, { try? call.body.given($0) })
        guard let link else { return ActionNotice(call: call).dead(nil, nil) }
        switch link.mode {
        case .verifyEmail, .verifyAndChangeEmail: return try await confirm(link, call)
        case .resetPassword: return try await reset(link, call)
        case .signIn, nil: return ActionNotice(call: call).dead(link.mode, nil)
        }
    }

    private struct Link {
        var code: String
        var mode: ActionMode?
        /// Where to go afterwards, where that is allowed.
        var target: String?
    }

    /// The link, and the call in the link's own language.
    private static func read(_ call: DialectCall, _ value: (String) -> String?) -> (DialectCall, Link?) {
        var call = call
        if let language = value("lang").flatMap(MessageLanguage.init(rawValue:)) { call.flow.language = language }
        guard let code = value("oobCode"), !code.isEmpty else { return (call, nil) }
        let target = value("continueUrl").flatMap { RedirectPolicy(call.flow.settings).allows($0) ? $0 : nil }
        return (call, Link(code: code, mode: value("mode").flatMap(ActionMode.init(rawValue:)), target: target))
    }

    private static func fields(_ value: (String) -> String?) -> [(name: String, value: String)] {
        names.compactMap { name in value(name).map { (name: name, value: $0) } }
    }

    // MARK: Passwords

    /// The form, with what it sends back; `refusal` says why it is there once more.
    private static func form(
        _ link: Link, _ call: DialectCall, refusal: AuthError? = nil, _ value: (String) -> String?
    ) async throws -> Response {
        guard
            let proof = try await call.accounts.inspectProof(
                .link(token: link.code), purposes: [.recovery], call: call.flow)
        else { return ActionNotice(call: call).dead(link.mode, nil) }
        return PasswordPage(
            recipient: proof.recipient, rules: call.flow.settings.password, brand: PageBrand(call.flow.settings),
            language: call.flow.language,
            action: "action", fields: fields(value), refusal: refusal
        ).response
    }

    private static func reset(_ link: Link, _ call: DialectCall) async throws -> Response {
        guard let password = try call.body.secret(PageField.newPasswordName) else {
            return try await form(link, call, refusal: AuthError(.weakPassword)) { try? call.body.given($0) }
        }
        do {
            _ = try await call.accounts.resetPassword(.link(token: link.code), password: password, call: call.flow)
        } catch let error as AuthError where error.code == .oneTimeTokenInvalid {
            return ActionNotice(call: call).dead(link.mode, nil)
        } catch let error as AuthError where ErrorTable.entry(for: error.code).status.code < 500 {
            return try await form(link, call, refusal: error) { try? call.body.given($0) }
        }
        return ActionNotice(call: call).done(.passwordChanged, .resetDoneLead, link.target)
    }

    // MARK: Addresses

    private static func confirm(_ link: Link, _ call: DialectCall) async throws -> Response {
        let record: UserRecord
        do {
            record = try await call.accounts.confirmAddress(
                .link(token: link.code), purposes: ActionMode.confirming, call: call.flow)
        } catch let error as AuthError where ErrorTable.entry(for: error.code).status.code < 500 {
            return ActionNotice(call: call).dead(link.mode, link.target)
        }
        guard let target = link.target else {
            let notice = ActionNotice(call: call)
            guard link.mode == .verifyAndChangeEmail else { return notice.done(.addressConfirmed, .backInApp, nil) }
            return record.user.pendingEmail == nil
                ? notice.done(.addressChanged, .backInApp, nil) : notice.done(.changeHalf, .changeHalfLead, nil)
        }
        return Answer.redirect(to: target)
    }
}
