// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Factors
import HTTPTypes
import ServerKit
import TestBench
import Testing

extension ProviderBench {
    private static let secret = Secret([UInt8](repeating: 7, count: TOTP.secretLength))

    /// Gives the user an authenticator app, as an operator's import does: their sessions stay.
    func addApp(to owner: User? = nil) async throws {
        let factor = Factor(
            id: accounts.ports.random.identifier(), directoryID: accounts.directory.id, userID: (owner ?? user).id,
            credential: .totp(Self.secret), verifiedAt: now, createdAt: now)
        try await accounts.ports.store.write { try $0.insert(factor) }
    }

    /// Shows the app's code in the browser's session, as the page does it.
    func showFactor(_ browser: Browser, of owner: User? = nil) async throws {
        var call = accounts.call(actor: .unknown)
        call.dialect = .browser
        let cookies = BrowserCookies(url: Self.url)
        var request = HTTPFields()
        request[.cookie] = browser.cookie
        let cookie = cookies.session(in: request, of: accounts.directory.id)
        let session = try #require(try await accounts.flows.browserSessions.find(cookie, call: call))
        let factor = try #require(try await accounts.flows.userFactors.list(of: (owner ?? user).id, call: call).first)
        let code = TOTP().code(at: TOTP().step(at: now), of: Self.secret)
        let issued = try await accounts.flows.stepUp(
            .code(code, of: factor.id, challenge: nil),
            of: AuthenticatedUser(user: session.user, identities: [], session: session.session), call: call.inBrowser)
        browser.take(cookies.opening(issued.refreshToken, of: accounts.directory.id).value)
    }
}
