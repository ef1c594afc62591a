// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `unlock`: what the link of a message opens that tells of a lock. Its button lifts the lock and leads on to
/// ``ResetPage``; whatever fetches links by itself lifts nothing and spends nothing.
enum UnlockPage {
    static let path = "/unlock"
    /// How ``ResetPage`` is told where somebody comes from.
    static let notice = "unlocked"
    private static let tokenName = "token"

    static func get(_ call: PageCall) async throws -> Response {
        guard let token = call.query[tokenName], !token.isEmpty,
            let proof = try await call.accounts.inspectProof(.link(token: token), purposes: [.unlock], call: call.flow)
        else { return MailedLinkPage.dead(.unlock, call) }
        var page = LinkPage(
            proof, brand: call.brand, language: call.language, action: call.url(path),
            fields: [(tokenName, token), (FormToken.field, call.formToken(path))],
            target: call.pending?.request.redirectURI)
        page.languages = call.languages(path, [(tokenName, token)])
        return page.response
    }

    static func post(_ call: PageCall) async throws -> Response {
        try call.requireOwnForm()
        guard let token = call.form[tokenName], !token.isEmpty else { return MailedLinkPage.dead(.unlock, call) }
        do {
            let proof = try await call.accounts.unlockAccount(token, call: call.flow)
            return call.redirect(
                to: call.url(
                    "/reset",
                    [
                        ("purpose", OneTimeToken.Purpose.recovery.rawValue), (tokenName, proof.linkToken),
                        ("notice", notice),
                    ]))
        } catch let error as AuthError where error.code == .oneTimeTokenInvalid {
            return MailedLinkPage.dead(.unlock, call)
        }
    }
}
