// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import CoreMetrics
import Hummingbird
import HummingbirdTokenAuth
import ServerKit
import TokenVerifier

/// The app's own protected API: the user's profile and activities, for whoever holds an access token of a trusted
/// issuer, and administration, for administrators among them and for programs with an API key.
public struct AppAPI: Sendable {
    /// Where all of it is, for the default Directory.
    static let path = "/v1"

    /// For whoever names this room's table beside those of others: the room is called as this type is.
    static var publicRoutes: [PublicRoute] { PublicRoute.all }

    let accounts: AccountFlows
    private let tokens: IssuedTokens
    private let apiKeys: HummingbirdTokenAuth.APIKeyAuthentication
    private let administrators: AccessPolicy
    private let metrics: any MetricsFactory
    /// Whose place has what users are described by beyond what all share.
    let pool: DialectName?

    /// - Parameters:
    ///   - issuers: whose tokens are accepted; the first that knows a token's issuer names it.
    ///   - administrators: the groups whose members may use `/v1/admin/*`; one is enough (C-4).
    ///   - administratorMaxAge: how many seconds ago an administrator's sign-in may be; `nil` for however long. Others
    ///     are told to sign in again (RFC 9470). A program with an API key does not sign in.
    ///   - pool: the dialect whose users `/v1/user-sync` describes, beyond what all dialects show; `nil` for none.
    ///   - clock: what time it is, for the tokens.
    ///   - metrics: where refusals are counted.
    public init(
        accounts: AccountFlows, tokens: OwnTokens, issuers: [any OwnIssuers], administrators: Set<String> = ["admin"],
        administratorMaxAge: Int64? = nil, pool: DialectName? = nil, clock: @escaping @Sendable () -> Instant,
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.accounts = accounts
        let members = AccessPolicy.requireGroups(anyOf: administrators)
        self.administrators =
            administratorMaxAge.map { .all(members, .requireAuthentication(maxAge: $0, clock: clock)) } ?? members
        apiKeys = HummingbirdTokenAuth.APIKeyAuthentication(
            StoredAPIKeys(accounts: accounts, clock: clock), clock: clock)
        self.tokens = IssuedTokens(tokens: tokens, issuers: issuers, clock: clock)
        self.metrics = metrics
        self.pool = pool
    }

    /// Where a request needs a token or a key. Some dialects have ID tokens only, so both kinds are taken.
    func protected(_ router: some RouterMethods<LatchkeyRequestContext>, url: ServerURL) -> RouterGroup<
        AppRequestContext
    > {
        router.group(context: AppRequestContext.self)
            .addMiddleware {
                RefusalTranslation()
                TokenAuthMiddleware<AppRequestContext>(
                    tokens, kinds: [.access, .id], apiKeys: apiKeys,
                    proofs: ProofPolicy(
                        url: { url.text }, ledger: StoredProofs(accounts: accounts), clock: tokens.clock),
                    realm: AppErrorTable.realm, metrics: metrics)
                SessionMiddleware(accounts: accounts)
                GrantedScopes()
            }
    }

    /// Where it must be a member of an administrators' group, by what the store says now, or a program whose key has
    /// the scope. The scopes of tokens don't count: those are for whoever may ask for a token. A member who has a
    /// second factor must have shown it.
    func administrative(
        _ router: some RouterMethods<LatchkeyRequestContext>, scope: String, url: ServerURL
    ) -> RouterGroup<AppRequestContext> {
        let program = AccessPolicy.custom {
            if case .apiKey(let key) = $0 { key.scopes.contains(scope) } else { false }
        }
        return protected(router, url: url)
            .add(middleware: StoredGroups(accounts: accounts))
            .add(
                middleware: RequirePolicy(
                    .any(administrators, program), realm: AppErrorTable.realm, metrics: metrics)
            )
            .add(middleware: SecondFactorShown(accounts: accounts))
    }
}
