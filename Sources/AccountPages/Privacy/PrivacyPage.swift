// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `data`: what is held about whoever is signed in, to be had as a file, and the way to have it deleted. `data/export`
/// has the link to the file sent.
enum PrivacyPage {
    static let path = AccountErrand(.data).path
    static let exportPath = AccountErrand(.data).path + "/export"
    private static let refusedName = "refused"

    static func get(_ call: PageCall) async throws -> Response {
        let owner = try await call.owner(on: AccountErrand(.data)).authenticated
        let address = owner.user.emailVerifiedAt == nil ? nil : owner.user.email?.rawValue
        var frame = PageFrame(
            title: call.text(.data), brand: call.brand, language: call.language,
            content: """
                <p class="lead">\(call.html(.signedInAs, ["user": owner.user.label]))</p>
                \(call.accountNotice)\(refusal(call))
                <h2 id="export">\(call.text(.dataExport))</h2>
                \(export(to: address, call))
                <h2 id="deletion">\(call.text(.deleteAccount))</h2>
                <p>\(call.text(.deleteAccountLead))</p>
                <p><a class="button quiet" href="\(call.url(DeletionPage.path))">\(call.text(.deleteAccountAsk))</a></p>
                <p class="below"><a href="\(call.url(""))">\(call.text(.back))</a></p>
                """)
        frame.isWide = true
        frame.languages = call.languages(path)
        return frame.response()
    }

    /// Nothing is sent to an address that nobody has proved.
    private static func export(to address: String?, _ call: PageCall) -> HTML {
        guard let address else {
            return """
                <p>\(call.text(.dataExportNoMailbox))</p>
                <p><a class="button quiet" href="\(call.url("/email"))">\(call.text(.changeEmail))</a></p>
                """
        }
        return """
            <p>\(call.html(.dataExportLead, ["address": address]))</p>
            <form method="post" action="\(call.url(exportPath))">
            \(PageFrame.hiddenInputs([(FormToken.field, call.formToken(exportPath))]))
            <button class="quiet" type="submit">\(call.text(.dataExportButton))</button>
            </form>
            """
    }

    private static func refusal(_ call: PageCall) -> HTML? {
        guard let name = call.query[refusedName],
            let code = AuthErrorCode.allKnown.first(where: { $0.rawValue == name })
        else { return nil }
        let text = MessageCatalog.text(for: code, in: call.language)
        return #"<div class="notice bad" role="alert"><p>\#(text)</p></div>"#
    }

    /// Sends the link. Whoever has proved too little shows it first, comes back, and presses once more.
    static func requestExport(_ call: PageCall) async throws -> Response {
        try call.requireOwnForm()
        let errand = AccountErrand(.data)
        let owner = try await call.owner(on: errand, doing: .export).authenticated
        do {
            _ = try await call.accounts.requestExport(owner, call: call.flow)
        } catch let error as AuthError {
            let mapped = call.orDetour(error, on: errand)
            guard mapped is AuthError, error.isSaid else { throw mapped }
            return call.redirect(to: call.url(path, [(refusedName, error.code.rawValue)]))
        }
        return call.redirect(to: call.url(path, [("notice", AccountNotice.export.rawValue)]))
    }
}
