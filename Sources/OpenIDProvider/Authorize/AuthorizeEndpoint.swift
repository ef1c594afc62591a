// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `GET` and `POST /oauth2/authorize` (RFC 6749, section 3.1; OpenID Connect Core, section 3.1.2), and where pages send
/// the browser back to, `GET /oauth2/authorize/continue`.
enum AuthorizeEndpoint {
    /// How a pushed request is named (RFC 9126, section 2.2).
    static let requestURIPrefix = "urn:ietf:params:oauth:request_uri:"

    /// - Parameter entrance: what the user sees first where another dialect's way in says so.
    static func authorize(
        _ given: ProviderCall, by entrance: AuthorizationEntrance.Page? = nil
    ) async throws -> Response {
        let named = try await given.inStandardWords()
        // Before client and redirect URI are known to be good, nothing goes anywhere (RFC 9700, section 4.11).
        guard !named.parameters.isRepeated("client_id"), !named.parameters.isRepeated("redirect_uri"),
            named.parameters["client_id"] != nil, let client = named.flow.client,
            client.settings.authorization.isEnabled
        else { throw OAuthError.invalidRequest("client_id is missing, or nobody's") }
        let detour = named.withCookies(at: Route.authorizePath)
        if let pushed = pushedID(named.parameters) {
            // RFC 9101, section 5.
            guard named.parameters["request"] == nil, !named.parameters.isRepeated("request") else {
                throw OAuthError.invalidRequest("request and request_uri are given both")
            }
            if let detour { return detour }
            return try await visit(pushed, named)
        }
        let call = try named.withSignedParameters()
        guard let redirectURI = call.parameters["redirect_uri"],
            client.settings.authorization.allows(redirectURI: redirectURI)
        else { throw OAuthError.invalidRequest("redirect_uri is missing, or not one of the client's") }

        if let detour { return detour }
        let reading = AuthorizationRequestReading(call: call)
        do {
            var (request, parameters) = try await reading.read()
            switch entrance {
            case nil: break
            case .signIn: if parameters.prompts.isEmpty { parameters.prompts = [.selectAccount] }
            case .signUp: parameters.prompts = [.create]
            case .forgottenPassword: return try await call.forgottenPassword(request, parameters)
            }
            let provider = try await given.dialect?.identityProvider(given.ofClient())
            return try await call.inBrowser(at: provider) { [request, parameters] browser, session in
                try await call.accounts.beginAuthorization.step(
                    request, parameters, signed: call.isSigned, browser: browser, session: session, call: call.flow)
            }
        } catch let error as OAuthError {
            return AuthorizationAnswer(
                error, to: redirectURI, mode: reading.mode, state: reading.state, issuer: call.issuer
            ).response(call)
        }
    }

    /// Where a page sends the browser once the user has done what it asked for.
    static func proceed(_ call: ProviderCall) async throws -> Response {
        guard !call.parameters.isRepeated("request"), let id = call.parameters["request"] else {
            throw OAuthError.invalidRequest("request is missing")
        }
        let pending = try await call.accounts.continueAuthorization.find(
            PendingAuthorizationID(id), browser: call.cookies.browser(in: call.headers), at: call.now)
        let call = try await call.of(pending)
        return try await call.inBrowser { browser, session in
            try await call.accounts.continueAuthorization(
                pending.id, browser: browser, session: session, call: call.flow)
        }
    }

    /// What a client has pushed says everything: other parameters count for nothing (RFC 9126, section 4).
    private static func visit(_ id: PendingAuthorizationID, _ call: ProviderCall) async throws -> Response {
        try await call.inBrowser { browser, session in
            try await call.accounts.beginAuthorization.visit(id, browser: browser, session: session, call: call.flow)
        }
    }

    private static func pushedID(_ parameters: Parameters) -> PendingAuthorizationID? {
        guard let uri = parameters["request_uri"], uri.hasPrefix(requestURIPrefix) else { return nil }
        return PendingAuthorizationID(String(uri.dropFirst(requestURIPrefix.count)))
    }
}
