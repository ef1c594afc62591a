// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountPages
import Accounts
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
        let supabase, firebase, cognito, browser: HTTPBench
        let poolID: @Sendable (Directory) -> String

        init(_ flows: AccountFlows, clock: TestClock) {
            let (tokens, url) = (OwnTokens(flows.keys), ServerURL(SignInWorld.url))
            supabase = HTTPBench(
                SupabaseDialect(accounts: flows, tokens: tokens, settings: .init(url: url)), clock: clock)
            // As in development: nothing here could judge what apps show, and nobody signs custom tokens.
            firebase = HTTPBench(
                FirebaseDialect(
                    accounts: flows, tokens: tokens,
                    settings: .init(url: url, acceptsOwnerToken: true, acceptsUnsignedTokens: true)), clock: clock)
            let dialect = CognitoDialect(
                accounts: flows, tokens: tokens, settings: .init(url: url, acceptsAnyAdministrator: true))
            poolID = { dialect.poolID(of: $0) }
            cognito = HTTPBench(dialect, clock: clock)
            let provider = OpenIDProvider(accounts: flows, tokens: tokens, settings: .init(url: url))
            let pages = AccountPages(accounts: flows, url: url)
            browser = HTTPBench(clock: clock, surfaces: pages.surfaces + provider.surfaces, errors: provider.errors) {
                provider.addRoutes(to: $0, routes: $1)
                pages.addRoutes(to: $0, routes: $1)
            }
        }
    }
}
