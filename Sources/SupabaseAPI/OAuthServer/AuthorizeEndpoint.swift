// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import JOSE

/// `GET /oauth/authorize`: a client sends a user here, who is sent on to the page of the site that asks.
enum AuthorizeEndpoint {
    static func get(_ call: DialectCall) async throws -> Response {
        func required(_ name: String) throws(WireError) -> String {
            guard let value = call.query[name], !value.isEmpty else { throw .validation("\(name) is required") }
            return value
        }
        let (id, redirectURI) = (try required("client_id"), try required("redirect_uri"))
        guard let client = try await call.oauthClient(id)?.client else {
            throw WireError(.badRequest, "oauth_client_not_found", "invalid client_id")
        }
        // Before this holds nobody is sent anywhere (RFC 9700, section 4.11).
        guard client.settings.authorization.allows(redirectURI: redirectURI) else {
            throw WireError.validation("invalid redirect_uri")
        }
        let target = RedirectTarget(url: redirectURI)
        do {
            let asked = try OAuthRequest(
                call.query, to: redirectURI, of: client, defaultScope: call.flow.settings.oauthServer.defaultScope,
                signsIDTokens: await call.signsIDTokens())
            guard let page = page(call.flow.settings) else {
                throw OAuthRequest.Fault(
                    code: "server_error", description: "oauth authorization path not configured")
            }
            var flow = call.flow
            flow.client = client
            let pending = try await call.accounts.beginAuthorization.forSite(
                asked.request, asked.parameters, lifetime: .seconds(flow.settings.oauthServer.authorizationLifetime),
                call: flow)
            return Answer.found(
                at: RedirectTarget(url: page).adding(query: [("authorization_id", pending.id.rawValue)]))
        } catch let fault as OAuthRequest.Fault {
            let state = call.query["state"].flatMap { $0.isEmpty ? nil : $0 }
            return Answer.found(
                at: target.adding(
                    query: [("error", fault.code), ("error_description", fault.description)]
                        + (state.map { [("state", $0)] } ?? [])))
        } catch let refusal as AuthorizationRefusal {
            guard let response = refusal.response else { throw WireError.validation(refusal.description) }
            return Answer.found(at: response.target)
        }
    }

    /// The page that asks the user; `nil` where the operator has named none.
    private static func page(_ settings: DirectorySettings) -> String? {
        let path = settings.oauthServer.authorizationPath
        guard !path.isEmpty, let url = settings.siteURL else { return nil }
        let site = url.hasSuffix("/") ? String(url.dropLast()) : url
        return site + (path.hasPrefix("/") ? path : "/" + path)
    }
}

extension AuthorizationResponse {
    /// Where the browser goes with it.
    var target: String { RedirectTarget(url: redirectURI).adding(query: parameters.map { ($0.name, $0.value) }) }
}
