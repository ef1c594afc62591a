// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountPages
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit
import TestBench
import TestBenchHTTP
import Testing

/// The pages of one Directory, an app that sends users to them, and browsers that open them.
struct PagesBench: Sendable {
    static let url = "http://localhost:8080"
    static let redirectURI = "https://app.example/back"

    let base: AccountBench
    let http: HTTPBench
    let app: Client

    init(
        url: String = url, identityProviders: (any IdentityProviding)? = nil,
        _ settings: (inout DirectorySettings) -> Void = { _ in }
    ) async throws {
        base = try await AccountBench(identityProviders: identityProviders) {
            $0.mail.siteName = "Acme"
            settings(&$0)
        }
        let pages = AccountPages(accounts: base.flows, url: ServerURL(url))
        http = HTTPBench(clock: base.clock, surfaces: pages.surfaces, errors: Fallback()) {
            pages.addRoutes(to: $0, routes: $1)
        }
        var client = Client(
            id: ClientID("photoapp"), directoryID: base.directory.id, name: "Photo <App>", createdAt: base.now,
            updatedAt: base.now)
        client.settings.authorization.isEnabled = true
        client.settings.authorization.grants = [.code, .deviceCode]
        client.settings.authorization.redirectURIs = [Self.redirectURI]
        client.settings.authorization.scopes = ["openid", "email", "notes/read"]
        client.settings.authorization.consent = .remembered
        let made = client
        try await base.ports.store.write { try $0.insert(made) }
        app = client
    }

    func browser(language: String? = nil) -> PagesBrowser { PagesBrowser(self, language: language) }

    /// Somebody with a confirmed address.
    func makeUser(_ email: String, temporary: Bool = false) async throws {
        var attributes = UserAttributes()
        attributes.email = try EmailAddress(email)
        attributes.emailConfirm = true
        attributes.password = Secret(AccountBench.password)
        attributes.passwordIsTemporary = temporary
        _ = try await base.flows.userAdministration.create(attributes, call: base.call(actor: .administrator("test")))
    }

    /// What the provider does with an app's request: keeps it for this browser.
    func pend(
        in browser: PagesBrowser, scopes: [String] = ["openid", "email"],
        _ parameters: AuthorizationParameters = AuthorizationParameters()
    ) async throws -> PendingAuthorization {
        if browser.id == nil { _ = try await browser.get("/account/sign-in") }
        var call = base.call(actor: .unknown)
        call.dialect = DialectName("openid")
        call.client = app
        let request = AuthorizationRequest(
            redirectURI: Self.redirectURI, scopes: scopes, nonce: nil,
            challenge: CodeChallenge(for: String(repeating: "v", count: 64)))
        let step = try await base.flows.beginAuthorization.step(
            request, parameters, browser: try #require(browser.id), session: browser.session(of: base.directory.id),
            call: call)
        return try #require(step.pending)
    }
}

/// Says that no page answered.
private struct Fallback: ErrorRenderer {
    func response(for error: AuthError, to request: Request, context: LatchkeyRequestContext) -> Response {
        Response(status: .notFound)
    }
}
