// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountPages
import AccountStore
import Accounts
import AppAPI
import AuthTypes
import DevelopmentIdentityProvider
import Hummingbird
import ServerKit
import SupabaseAPI

/// Who answers which request, and what stands before all of them.
extension Server {
    func responder(
        _ dialects: [any Dialect], url: ServerURL, accounts: AccountFlows, tokens: OwnTokens, directory: Directory,
        store: any AccountDatabase,
        connection: DevelopmentMode.Connection?, provider: DevelopmentIdentityProvider?, metrics: MetricsRegistry,
        readiness: Readiness
    ) throws -> some HTTPResponder<LatchkeyRequestContext> {
        let app = AppAPI(
            accounts: accounts, tokens: tokens, issuers: dialects,
            administrators: Set(configuration.administrators),
            administratorMaxAge: configuration.administratorMaxAge == 0
                ? nil : Int64(configuration.administratorMaxAge),
            pool: Dialects.pool, clock: clock.now, metrics: metrics)

        let router = PathRouter()
        let routes = KnownRoutes()
        let pages = AccountPages(
            accounts: accounts, url: url, dialects: dialects.compactMap { $0 as? any ProviderDialect }
        ) {
            try await Self.directory(ofHost: $0, at: $1, dialects)
        }
        let surfaces = dialects.flatMap(\.surfaces) + app.surfaces + pages.surfaces + (provider?.surfaces ?? [])
        router.add(
            middleware: RequestSetup(clock: clock.now, random: random, callers: callers))
        router.add(middleware: AccessLog(clock: clock.now, metrics: metrics, log: requests))
        router.add(middleware: security(url))
        if development != nil {
            router.add(
                middleware: LocalCallersOnly(DevelopmentMode.callers(of: configuration)) { authority, now in
                    try await Self.directory(ofHost: authority, at: now, dialects) != nil
                })
        }
        router.add(middleware: crossOrigin(dialects))
        router.add(
            middleware: SurfaceErrors(
                surfaces: surfaces, routes: routes,
                // In the place of a container, what is left over is answered as that would.
                fallback: (selfHosted == nil ? nil : dialects.first?.errors) ?? app.errors))

        HealthRoutes(
            readiness: readiness,
            checks: [
                .init("database") { _ = try await store.read { try $0.directory(directory.id) } },
                .init("storage", atMostEvery: .seconds(5), clock: clock.now) { [clock] in
                    try store.requireSpace()
                    try await store.write { try $0.set(.written, at: clock.now()) }
                },
            ]
        ).add(to: router, routes: routes)
        app.addRoutes(to: router, routes: routes, url: url)
        for dialect in dialects { dialect.addRoutes(to: router, routes: routes) }
        pages.addRoutes(to: router, routes: routes)
        StartPage(dialects: dialects.map { type(of: $0).name.rawValue }, isDevelopment: development != nil)
            .addRoutes(to: router, routes: routes)
        provider?.addRoutes(to: router, routes: routes)
        if let development, let connection {
            try DevelopmentPages(outbox: accounts.outboxInspection) { development.settings(url: url.text, connection) }
                .addRoutes(to: router, routes: routes)
        }
        return router.buildResponder()
    }

    /// What is said, before anything else is done, to those for whose passwords there is no place.
    func refusals(_ dialects: [any Dialect], url: ServerURL, metrics: MetricsRegistry) -> EarlyRefusals {
        EarlyRefusals(
            places: configuration.hashing.places,
            routes: dialects.flatMap(\.hashingRoutes) + AccountPages.hashingRoutes, callers: callers,
            isConnectionClients: !isBehindProxy, crossOrigin: crossOrigin(dialects), security: security(url),
            clock: clock.now, metrics: metrics, logger: logger)
    }

    /// As a container is, whose gateway makes every connection.
    var isBehindProxy: Bool { configuration.trustedProxyHops > 0 || selfHosted != nil }

    private var callers: CallerOrigin {
        CallerOrigin(
            proxies: TrustedProxies(hops: configuration.trustedProxyHops),
            counting: selfHosted.map { .byHeader($0.addressHeaders) } ?? .byAddress())
    }

    private func security(_ url: ServerURL) -> SecurityHeaders {
        SecurityHeaders(isHTTPS: url.text.hasPrefix("https://"))
    }

    private func crossOrigin(_ dialects: [any Dialect]) -> CrossOrigin {
        CrossOrigin(
            origins: configuration.corsOrigins, exposed: dialects.flatMap(\.responseHeaders),
            closed: ["/dev", "/account"] + dialects.flatMap(\.ownOrigins))
    }

    private static func directory(
        ofHost authority: String?, at now: Instant, _ dialects: [any Dialect]
    ) async throws -> Directory? {
        for dialect in dialects {
            if let directory = try await dialect.directory(ofHost: authority, at: now) { return directory }
        }
        return nil
    }
}
