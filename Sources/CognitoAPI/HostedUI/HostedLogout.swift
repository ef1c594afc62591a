// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import ServerKit

/// `GET /logout` ("Logout endpoint"): signs the browser out, without a question, and sends it to one of the app
/// client's sign-out URLs, or to the sign-in page for one of its callback URLs.
enum HostedLogout {
    static func answer(_ call: HostedCall) async throws -> Response {
        guard let client = call.flow.client else {
            throw OAuthError.request("client_id is missing, or not an app client's")
        }
        // Nobody is signed out on the way to nowhere.
        let target = try target(call, client.settings.authorization)
        let cookies = BrowserCookies(url: call.dialect.settings.url.text)
        let directory = call.flow.directory.id
        _ = try await call.dialect.accounts.browserSessions.end(
            cookies.session(in: call.headers, of: directory), call: call.flow)
        var response = HostedAnswer.redirect(to: target)
        response.headers.append(cookies.closing(directory))
        // With another name it shows no page that it has kept: see ADR 0038.
        response.headers.append(cookies.naming(BrowserID(random: call.dialect.accounts.random)))
        return response
    }

    /// - Throws: `redirect_mismatch`, `invalid_request`.
    private static func target(
        _ call: HostedCall, _ registered: ClientAuthorization
    ) throws(OAuthError) -> String {
        // The standard's own name for it (RP-Initiated Logout 1.0): the pool's metadata says that this is the endpoint.
        for name in ["logout_uri", "post_logout_redirect_uri"]
        where call.parameters.contains(where: { $0.name == name }) {
            guard let uri = call[name], registered.allows(signOutURI: uri) else { throw .mismatch(name) }
            guard let state = call["state"] else { return uri }
            return uri + (uri.contains("?") ? "&" : "?") + HostedAnswer.query([(name: "state", value: state)])
        }
        guard call["response_type"] != nil else {
            throw .request("logout_uri is missing, and so is redirect_uri with response_type")
        }
        guard let uri = call["redirect_uri"], registered.allows(redirectURI: uri) else {
            throw .mismatch("redirect_uri")
        }
        return "/login?" + HostedAnswer.query(call.parameters)
    }
}
