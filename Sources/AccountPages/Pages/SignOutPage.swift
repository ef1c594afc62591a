// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `sign-out`: asks, since anybody's page can lead here, and ends the browser's session with all that apps were given
/// in it. `signed-out` says that it is so.
enum SignOutPage {
    static func get(_ call: PageCall) async throws -> Response {
        guard try await call.session() != nil else { return call.redirect(to: call.url("/signed-out")) }
        var form = PageForm(call, .signOut, title: call.text(.signOutTitle), button: call.text(.signOut))
        form.lead = call.html(.signOutLead)
        form.below = """
            <p class="pair"><a class="button quiet" href="\(call.url(""))">\(call.text(.cancel))</a></p>
            """
        return form.response
    }

    static func post(_ call: PageCall) async throws -> Response {
        try call.requireOwnForm()
        _ = try await call.accounts.browserSessions.end(call.cookie, call: call.flow)
        var response = call.redirect(to: call.url("/signed-out"), cookies: [call.closing, call.renaming])
        // Going back would show whoever comes next what the last one saw (OWASP ASVS 5.0, 14.3.1). Chromium shows a
        // page that it has kept whole, stored or not, unless a cookie got another value meanwhile: hence the new name.
        response.headers[.clearSiteData] = "\"cache\""
        return response
    }

    static func done(_ call: PageCall) async throws -> Response {
        let button = call.own(.signedOut, .button) ?? call.text(.signIn)
        var frame = PageFrame(
            title: call.own(.signedOut, .title) ?? call.text(.signedOut), brand: call.brand, language: call.language,
            content: """
                <p class="lead">\(call.own(.signedOut, .lead) ?? call.text(.signedOutLead))</p>
                <p><a class="button quiet" href="\(call.url("/sign-in"))">\(button)</a></p>
                """)
        frame.languages = call.languages(call.path)
        return frame.response()
    }
}

extension HTTPField.Name {
    /// Clear Site Data, section 3.1.
    static let clearSiteData = HTTPField.Name("Clear-Site-Data") ?? .trailer
}
