// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `GET` and `POST /oauth2/logout` (OpenID Connect RP-Initiated Logout 1.0): a client sends the browser here to be
/// signed out. Who can't be told to be meant is asked first (section 2), and the browser leaves for no place but one
/// that the client registered for it (section 3).
enum LogoutEndpoint {
    static func answer(_ call: ProviderCall) async throws -> Response {
        try call.parameters.requireSingle()
        if let detour = call.withCookies(at: Route.logoutPath) { return detour }
        let request = try await LogoutRequest(call)
        let call = request.call
        let cookie = call.cookies.session(in: call.headers, of: call.directory.id)
        guard let session = try await call.accounts.browserSessions.find(cookie, call: call.flow) else {
            return request.done
        }
        if call.parameters[FormToken.field] != nil {
            try call.requireOwnForm()
        } else if request.hint?.session != session.session.id {
            return request.question()
        }
        _ = try await call.accounts.browserSessions.end(cookie, call: call.flow)
        return request.done
    }
}

extension ProviderCall {
    /// What the question's form is named by in its token.
    static let logoutPage = "oauth2/logout"

    /// - Throws: ``AuthErrorCode/forbidden`` for a form that is not of this browser's page.
    fileprivate func requireOwnForm() throws {
        guard method == .post else { throw AuthError(.forbidden, reason: "a form in a query") }
        try FormToken.require(
            parameters[FormToken.field], page: Self.logoutPage, browser: cookies.browser(in: headers), in: directory,
            headers: headers, authority: authority, url: provider.url)
    }
}
