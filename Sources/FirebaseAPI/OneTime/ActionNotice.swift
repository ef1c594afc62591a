// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// What is said of a link of this dialect's, on this server's own pages: what came of it, and how one comes by another.
struct ActionNotice: Sendable {
    let call: DialectCall

    private var brand: PageBrand { PageBrand(call.flow.settings) }
    private func text(_ text: PageText) -> String { MessageCatalog.text(text, in: call.flow.language) }

    /// - Parameter target: where the app wants its users to go on, checked already; without one the page leads nowhere.
    func done(_ title: PageText, _ line: PageText, _ target: String?) -> Response {
        NoticePage(
            title: text(title), lines: [text(line)], brand: brand, language: call.flow.language,
            ways: target.map { [(text(.continueButton), $0)] } ?? []
        ).response()
    }

    /// A link that was used, is too old, or is not whole. Who has forgotten a password is led to where another message
    /// is asked for; all else begins in the app.
    func dead(_ mode: ActionMode?, _ target: String?) -> Response {
        let (way, ways): (PageText, [NoticePage.Way]) =
            switch mode {
            case .resetPassword: (.linkDeadRecovery, [(text(.linkDeadAgain), home + "/forgot")])
            case .verifyEmail: (.linkDeadConfirmation, target.map { [(text(.continueButton), $0)] } ?? [])
            case .verifyAndChangeEmail: (.linkDeadChange, target.map { [(text(.continueButton), $0)] } ?? [])
            case .signIn, nil: (.linkDeadSignIn, [])
            }
        return NoticePage.deadLink(way, brand: brand, language: call.flow.language, ways: ways)
            .response(status: .badRequest)
    }

    /// A link that signs in is the app's to use: here is nothing that could.
    var belongsToApp: Response {
        var page = NoticePage(
            title: text(.linkOfApp), lines: [text(.linkOfAppLead)], brand: brand, language: call.flow.language)
        page.isRefusal = true
        return page.response(status: .badRequest)
    }

    private var home: String { call.flow.links.home(of: call.directory) }
}
