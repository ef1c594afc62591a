// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `choose`: whether to go on as whoever is signed in in this browser, or as somebody else.
enum ChoosePage {
    static func get(_ call: PageCall) async throws -> Response {
        guard call.pending != nil, let session = try await call.session() else {
            return call.redirect(to: call.url("/sign-in"))
        }
        var form = PageForm(
            call, .choose, title: call.text(.choose), button: call.text(.continueAs, ["user": session.user.label]))
        form.values = ["user": session.user.label]
        form.button = call.html(.continueAs, form.values)
        form.lead = call.app.map { call.html(.signInTo, ["app": $0.name]) }
        form.below = """
            <p class="pair"><a class="button quiet" href="\(call.url("/sign-in"))">\(call.text(.otherAccount))</a></p>
            """
        return form.response
    }

    static func post(_ call: PageCall) async throws -> Response {
        try call.requireOwnForm()
        guard let pending = call.pending else { return call.redirect(to: call.continuation) }
        try await call.accounts.chooseAccount(
            pending.id, browser: call.browser, session: call.cookie, call: call.flow)
        return call.redirect(to: call.continuation)
    }
}
