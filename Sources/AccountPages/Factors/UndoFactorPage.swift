// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `undo`: what the link of a mail opens that tells of a new second factor or passkey. Its button takes that away and
/// leads on to a new password; whatever fetches links by itself takes nothing away and spends nothing.
enum UndoFactorPage {
    static let path = "/undo"
    /// How the page of a new password is told where somebody comes from.
    static let notice = "undone"
    private static let tokenName = "token"

    static func get(_ call: PageCall) async throws -> Response {
        guard let token = call.query[tokenName],
            let addition = try await call.accounts.undoFactor.find(token, call: call.flow)
        else { return dead(call) }
        var form = PageForm(
            call, .account, title: call.text(.undoFactor),
            button: call.text(addition.factor.isPasskey ? .undoPasskeyButton : .undoFactorButton))
        form.isWorded = false
        form.lead = call.html(
            addition.factor.isPasskey ? .undoPasskeyLead : .undoFactorLead,
            [
                "user": addition.user.label, "time": (addition.factor.verifiedAt ?? call.flow.now).pageTime,
                "factor": FactorLabel(addition.factor, in: call.language).full,
            ])
        form.above = "<p>\(call.text(.undoEffect))</p>"
        form.hidden = [(tokenName, token)]
        form.languageParameters = [(tokenName, token)]
        form.note = call.text(.undoNote)
        return form.response
    }

    static func post(_ call: PageCall) async throws -> Response {
        try call.requireOwnForm()
        do {
            let proof = try await call.accounts.undoFactor(call.form[tokenName] ?? "", call: call.flow)
            return call.redirect(
                to: call.url(
                    "/reset",
                    [
                        ("purpose", OneTimeToken.Purpose.recovery.rawValue), (tokenName, proof.linkToken),
                        ("notice", notice),
                    ]))
        } catch let error as AuthError where error.code == .oneTimeTokenInvalid {
            return dead(call)
        }
    }

    /// It was used, is too old, or what it was about is gone: a new password can be had all the same.
    private static func dead(_ call: PageCall) -> Response {
        NoticePage.deadLink(
            .linkDeadUndo, brand: call.brand, language: call.language,
            ways: [(call.text(.forgot), call.url("/forgot")), (call.text(.signIn), call.url("/sign-in"))]
        ).response(status: .gone)
    }
}
