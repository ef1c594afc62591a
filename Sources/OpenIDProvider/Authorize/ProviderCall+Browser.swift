// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

extension ProviderCall {
    var cookies: BrowserCookies { BrowserCookies(url: provider.url) }

    /// Says what follows in the call's browser: a page, or an answer to the client. A browser that has no name is given
    /// one.
    ///
    /// - Parameter provider: the identity provider that whoever has to sign in is led to, in place of a page.
    func inBrowser(
        at provider: String? = nil, _ next: (BrowserID, Secret<String>?) async throws -> AuthorizationStep
    ) async throws -> Response {
        try await named { browser in
            answer(try await next(browser, cookies.session(in: headers, of: directory.id)), at: provider)
        }
    }

    /// Leads to the page for a password that was forgotten, from which the user goes on to what the client asked for.
    func forgottenPassword(
        _ request: AuthorizationRequest, _ parameters: AuthorizationParameters
    ) async throws -> Response {
        try await named { browser in
            page(
                "forgot",
                try await accounts.beginAuthorization(
                    request, parameters, browser: browser, signed: isSigned, call: flow))
        }
    }

    private func named(_ answer: (BrowserID) async throws -> Response) async throws -> Response {
        let known = cookies.browser(in: headers)
        let browser = known ?? BrowserID(random: accounts.random)
        var response: Response
        do {
            response = try await answer(browser)
        } catch let refusal as AuthorizationRefusal {
            guard let answer = refusal.response else { throw refusal }
            response = AuthorizationAnswer(answer, issuer: issuer).response(self)
        }
        if known == nil { response.headers.append(cookies.naming(browser)) }
        return response
    }

    /// A form of another site's comes without cookies that say `SameSite=Lax`. The same by a link comes with them: the
    /// browser is sent there once, and what is not `POST` is answered here.
    func withCookies(at path: String) -> Response? {
        guard method == .post, cookies.browser(in: headers) == nil else { return nil }
        let query = parameters.pairs.map {
            PercentEncoding.encode($0.name.utf8) + "=" + PercentEncoding.encode($0.value.utf8)
        }
        return Answer.redirect(to: path + "?" + query.joined(separator: "&"))
    }

    /// The call as one about a request that a page stood before.
    func of(_ pending: PendingAuthorization) async throws -> ProviderCall {
        guard let client = try await provider.clients.client(pending.clientID, at: now),
            let directory = try await provider.directories.directory(pending.directoryID, at: now)
        else { throw OAuthError.invalidRequest("The client is no longer registered") }
        var call = self
        call.flow.directory = directory
        call.flow.client = client
        return call
    }

    private func answer(_ step: AuthorizationStep, at provider: String?) -> Response {
        switch step {
        case .signIn(let pending, _):
            if let provider {
                page("provider", pending, "&name=" + PercentEncoding.encode(provider.utf8))
            } else {
                page("sign-in", pending)
            }
        case .signUp(let pending): page("sign-up", pending)
        case .chooseAccount(let pending, _): page("choose", pending)
        case .secondFactor(let pending, _): page("second-factor", pending)
        case .terms(let pending, _): page("terms", pending)
        case .consent(let pending, _, _): page("consent", pending)
        case .respond(let response): AuthorizationAnswer(response, issuer: issuer).response(self)
        }
    }

    /// A page knows what the browser is in the midst of by an identifier, and nowhere to go to.
    private func page(_ name: String, _ pending: PendingAuthorization, _ more: String = "") -> Response {
        Answer.redirect(to: "/account/\(name)?request=" + pending.id.rawValue + more)
    }
}
