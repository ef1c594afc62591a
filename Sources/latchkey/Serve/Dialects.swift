// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import CognitoAPI
import FirebaseAPI
import OpenIDProvider
import ServerKit
import SupabaseAPI

/// The dialects that one server speaks, over one set of users. One more is a line here.
enum Dialects {
    static func all(
        _ configuration: ServerConfiguration, isDevelopment: Bool, selfHosted: SelfHostedEnvironment?, url: ServerURL,
        accounts: AccountFlows, tokens: OwnTokens
    ) -> [any Dialect] {
        var pools = CognitoDialect.Settings(
            url: url, region: configuration.cognito.region, issuerStyle: configuration.cognito.issuerStyle,
            accessKeys: configuration.cognito.accessKeys, acceptsAnyAdministrator: isDevelopment)
        pools.hasHostedUI = selfHosted == nil
        let cognito = CognitoDialect(accounts: accounts, tokens: tokens, settings: pools)
        var dialects: [any Dialect] = [
            SupabaseDialect(
                accounts: accounts, tokens: tokens,
                // A gateway strips the prefix, so the container behind it answers without it too.
                settings: selfHosted.map {
                    .init(
                        url: url, pathPrefixes: ["/auth/v1", ""], publicPrefix: "", requiresAPIKey: false,
                        honoursSharedSecret: $0.honoursSharedSecret)
                } ?? .init(url: url, requiresAPIKey: configuration.requiresAPIKey)),
            cognito,
            FirebaseDialect(
                accounts: accounts, tokens: tokens,
                settings: .init(
                    url: url, acceptsOwnerToken: isDevelopment, acceptsAnyKey: isDevelopment,
                    acceptsUnsignedTokens: isDevelopment)),
        ]
        // In the place of a container, the root of the server is that one's, its `/.well-known` too.
        if selfHosted == nil {
            // Whose clients have its endpoints too, in words of their own.
            dialects.append(
                OpenIDProvider(accounts: accounts, tokens: tokens, settings: .init(url: url), dialects: [cognito]))
        }
        return dialects
    }

    /// How each vendor's hooks look, for whoever asks.
    static func addForms(_ dialects: [any Dialect], to hooks: Hooks, keys: KeyRing) {
        hooks.forms.add(SupabaseHookForm(), of: SupabaseDialect.name)
        hooks.forms.add(FirebaseHookForm(keys), of: FirebaseDialect.name)
        for case let dialect as CognitoDialect in dialects {
            hooks.forms.add(CognitoHookForm(dialect), of: CognitoDialect.name)
        }
    }

    /// The one whose users are described by attributes of a pool.
    static let pool = CognitoDialect.name

    /// Those that can call a user by an identifier brought along.
    static let names: Set<DialectName> = [SupabaseDialect.name, CognitoDialect.name, FirebaseDialect.name]

    /// What their vendors call identity providers otherwise than they are called here.
    static let providerNames = SupabaseDialect.providerNames
        .merging(CognitoDialect.providerNames) { first, _ in first }
        .merging(FirebaseDialect.providerNames) { first, _ in first }
}
