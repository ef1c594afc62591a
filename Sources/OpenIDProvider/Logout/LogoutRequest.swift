// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// What a request to be signed out says, as far as it can be proved (OpenID Connect RP-Initiated Logout 1.0,
/// section 2).
struct LogoutRequest: Sendable {
    /// In the Directory that the hint or the client names.
    let call: ProviderCall
    let hint: IDTokenHint?
    /// Where the browser goes afterwards, with the state; `nil` for a page of our own.
    let target: String?

    /// - Throws: `invalid_request`: for a hint that is none of ours, for a client that is not the hint's, and for a
    ///   place that the client did not register (section 3).
    init(_ call: ProviderCall) async throws {
        var call = call
        hint = try await Self.hint(&call)
        let client = try await Self.client(call, hint)
        call.flow.client = client
        self.call = call
        guard let uri = call.parameters["post_logout_redirect_uri"], let client else {
            // Whose place it would be nobody says, so that the browser stays here.
            target = nil
            return
        }
        guard client.settings.authorization.allows(signOutURI: uri) else {
            throw OAuthError.invalidRequest("post_logout_redirect_uri is not one of the client's")
        }
        let state = call.parameters["state"].map {
            (uri.contains("?") ? "&" : "?") + "state=" + PercentEncoding.encode($0.utf8)
        }
        target = uri + (state ?? "")
    }

    private static func hint(_ call: inout ProviderCall) async throws -> IDTokenHint? {
        guard let text = call.parameters["id_token_hint"] else { return nil }
        if call.flow.client == nil, let issuer = IDTokenHint.claimedIssuer(of: text),
            let directory = try await call.provider.directory(ofIssuer: issuer, at: call.now)
        {
            call.flow.directory = directory
        }
        guard let hint = try await IDTokenHint(text, call) else {
            throw OAuthError.invalidRequest("id_token_hint is not an ID token of this issuer")
        }
        return hint
    }

    private static func client(_ call: ProviderCall, _ hint: IDTokenHint?) async throws -> Client? {
        guard let id = call.parameters["client_id"].map({ ClientID($0) }) ?? hint?.clients.first else { return nil }
        guard hint?.clients.contains(id) ?? true, let client = try await call.provider.clients.client(id, at: call.now),
            client.directoryID == call.directory.id
        else { throw OAuthError.invalidRequest("client_id is nobody's, or not that of the ID token") }
        return client
    }

    // MARK: Answers

    /// The browser is signed out: it forgets its cookie, and leaves or stays. With another name it shows no page that
    /// it has kept: see ADR 0038.
    var done: Response {
        let back: HTML? = AppLink(call.flow.client).map { "<p>\($0.html(in: call.flow.language))</p>" }
        var response = target.map(Answer.redirect) ?? page(.signedOut, "<p>\(text(.signedOutLead))</p>\(back)")
        response.headers.append(call.cookies.closing(call.directory.id))
        response.headers.append(call.cookies.naming(BrowserID(random: call.accounts.random)))
        return response
    }

    /// Whether the user wants to be signed out: somebody else's page may have sent the browser here.
    func question() -> Response {
        let known = call.cookies.browser(in: call.headers)
        let browser = known ?? BrowserID(random: call.accounts.random)
        let names = ["client_id", "id_token_hint", "post_logout_redirect_uri", "state"]
        let fields =
            names.compactMap { name in call.parameters[name].map { (name: name, value: $0) } } + [
                (
                    name: FormToken.field,
                    value: FormToken.text(page: ProviderCall.logoutPage, browser: browser, in: call.directory)
                )
            ]
        var response = page(
            .signOutTitle,
            """
            <p>\(text(.signOutLead))</p>
            <form method="post" action="\(Route.logoutPath)">
            \(PageFrame.hiddenInputs(fields))
            <button type="submit">\(text(.signOut))</button>
            </form>
            """)
        if known == nil { response.headers.append(call.cookies.naming(browser)) }
        return response
    }

    private func page(_ title: PageText, _ content: HTML) -> Response {
        PageFrame(
            title: text(title), brand: PageBrand(call.directory.settings), language: call.flow.language,
            content: content
        ).response(formTargets: PageFrame.formTargets(of: target))
    }

    private func text(_ text: PageText) -> String { MessageCatalog.text(text, in: call.flow.language) }
}
