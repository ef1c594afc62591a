// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `lost-factor/stop`: what the link of a message opens that tells of a recovery of second factors. Its button stops
/// it; whatever fetches links by itself stops nothing and spends nothing.
enum StopRecoveryPage {
    static let path = LostFactorPage.path + "/stop"
    private static let tokenName = "token"

    static func get(_ call: PageCall) async throws -> Response {
        guard let token = call.query[tokenName], !token.isEmpty,
            let proof = try await call.accounts.inspectProof(
                .link(token: token), purposes: [.factorRecoveryStop], call: call.flow)
        else { return MailedLinkPage.dead(.factorRecoveryStop, call) }
        var page = LinkPage(
            proof, brand: call.brand, language: call.language, action: call.url(path),
            fields: [(tokenName, token), (FormToken.field, call.formToken(path))], target: nil)
        page.languages = call.languages(path, [(tokenName, token)])
        return page.response
    }

    static func post(_ call: PageCall) async throws -> Response {
        try call.requireOwnForm()
        guard let token = call.form[tokenName], !token.isEmpty else {
            return MailedLinkPage.dead(.factorRecoveryStop, call)
        }
        do {
            try await call.accounts.stopFactorRecovery(token, call: call.flow)
            return call.notice(.recoveryStopped, .recoveryStoppedLead)
        } catch let error as AuthError where error.code == .oneTimeTokenInvalid {
            return MailedLinkPage.dead(.factorRecoveryStop, call)
        }
    }
}
