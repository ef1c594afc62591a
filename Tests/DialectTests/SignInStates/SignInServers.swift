// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountPages
import Accounts
import AppAPI
import CognitoAPI
import FirebaseAPI
import OpenIDProvider
import ServerKit
import SupabaseAPI
import TestBench
import TestBenchHTTP

extension SignInWorld {
    /// What answers: every dialect, and the pages with the OpenID provider behind them.
    struct Servers: Sendable {
        let supabase, firebase, cognito, browser, app: HTTPBench
        /// In which the pool's programs are asked.
        let form: CognitoHookForm
        let poolID: @Sendable (Directory) -> String

        init(_ flows: AccountFlows, clock: TestClock) {
            let (tokens, url) = (OwnTokens(flows.keys), ServerURL(SignInWorld.url))
            let platform = SupabaseDialect(accounts: flows, tokens: tokens, settings: .init(url: url))
            supabase = HTTPBench(platform, clock: clock)
            let api = AppAPI(accounts: flows, tokens: tokens, issuers: [platform], clock: { clock.now })
            app = HTTPBench(clock: clock, surfaces: api.surfaces, errors: api.errors) {
                api.addRoutes(to: $0, routes: $1, url: url)
            }
            // As in development: nothing here could judge what apps show, and nobody signs custom tokens.
            firebase = HTTPBench(
                FirebaseDialect(
                    accounts: flows, tokens: tokens,
                    settings: .init(url: url, acceptsOwnerToken: true, acceptsUnsignedTokens: true)), clock: clock)
            let dialect = CognitoDialect(
                accounts: flows, tokens: tokens, settings: .init(url: url, acceptsAnyAdministrator: true))
            form = CognitoHookForm(dialect)
            poolID = { dialect.poolID(of: $0) }
            cognito = HTTPBench(dialect, clock: clock)
            let provider = OpenIDProvider(
                accounts: flows, tokens: tokens, settings: .init(url: url), dialects: [dialect])
            let pages = AccountPages(accounts: flows, url: url, dialects: [dialect])
            browser = HTTPBench(clock: clock, surfaces: pages.surfaces + provider.surfaces, errors: provider.errors) {
                provider.addRoutes(to: $0, routes: $1)
                pages.addRoutes(to: $0, routes: $1)
            }
        }
    }
}
