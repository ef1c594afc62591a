// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountPages
import AccountStore
import Accounts
import AppAPI
import AuthTypes
import DevelopmentIdentityProvider
import Foundation
import Hummingbird
import HummingbirdCore
import IdentityProviders
import Logging
import Mail
import NIOCore
import OpenIDProvider
import ServerKit
import ServiceLifecycle
import SupabaseAPI
import UnixSignals

/// One run of the server, from an opened database to the last answered request.
struct Server: Sendable {
    let configuration: ServerConfiguration
    let development: DevelopmentMode?
    let selfHosted: SelfHostedEnvironment?
    let logger: Logger
    /// Where each request is noted.
    let requests: RequestLog

    private let clock = SystemClock()
    private let random = SystemRandomSource()

    init(
        configuration: ServerConfiguration, development: DevelopmentMode?, selfHosted: SelfHostedEnvironment?,
        logger: Logger, requests: RequestLog
    ) {
        self.configuration = configuration
        self.development = development
        self.selfHosted = selfHosted
        self.logger = logger
        self.requests = requests
    }

    func run() async throws {
        let lock = try configuration.database.lock()
        let store = try await configuration.database.open(configuration, creating: true, random: random) {
            [logger] row, columns in
            logger.error(
                "a stored row is damaged",
                metadata: ["row": .string(row), "columns": .array(columns.map { .string($0) })])
        }.store
        defer { withExtendedLifetime(lock) {} }
        if development != nil {
            try await DatabaseUse(store).beginDevelopment()
        } else if configuration.environment != .development {
            try await DatabaseUse(store).beginProduction(at: clock.now())
        }
        let sealing = try sealing(of: store)
        let isSealed = try await sealing.prepare(at: clock.now())

        let mail = try Composition.mailTransport(for: configuration)
        let texts = try Composition.textTransport(for: configuration)
        let metrics = MetricsRegistry()
        let passwords = CountedPasswords(
            configuration.hashing.makePool(random: random, clock: clock.now), metrics: metrics)
        // One for whatever is counted, so that no dialect gives attempts that another has used up.
        let limiter = RateLimiter(isShared: store.isShared) { [logger] in $0.note(in: logger, metrics) }
        let url = ServerURL(configuration.externalURL ?? "http://\(configuration.host):\(configuration.port)")
        let providerKeys = ProviderKeys()
        let played = DevelopmentMode.standIns(
            // In the place of a container there are those alone that its variables name.
            development != nil && selfHosted == nil ? providerKeys : nil, url: url)
        let standIns = StandInProviders()
        let ports = AccountPorts(
            store: AttendedStore(store), passwords: passwords, random: random,
            messages: try Composition.messages(for: configuration, random: random), limits: AccountLimits(limiter),
            // Whoever tries the server out without one reads their codes on its pages.
            reachesPhones: texts != nil || development != nil && mail == nil,
            identityProviders: RelyingParty(
                .init(allowsLoopback: development != nil, privateHosts: Set(configuration.privateProviderHosts)),
                logger: logger, clock: clock.now),
            temporaryCredentials: try configuration.tokenService.map {
                try SecurityTokenService(endpoint: $0, logger: logger)
            } ?? development.map { _ in DevelopmentCredentials(random: random) },
            standInProviders: { standIns.of($0) + played($0) }, hooks: configuration.hooks)
        let keys = KeyRing(store: store, random: random)
        let directory = try await prepareDirectory(ports, keys)
        try await warnOfHooks(ports)
        standIns.add(
            selfHosted?.providers.map { $0.provider(in: directory.id, at: clock.now()) } ?? [], to: directory.id)
        if !isSealed { try await sealing.warn() }
        let readiness = Readiness()

        let accounts = AccountFlows(ports, keys: keys)
        let tokens = OwnTokens(keys)
        let dialects = Dialects.all(
            configuration, isDevelopment: development != nil, selfHosted: selfHosted, url: url,
            accounts: accounts, tokens: tokens)
        Dialects.addForms(dialects, to: configuration.hooks, keys: keys)
        let provider = development.map { _ in
            DevelopmentMode.identityProvider(
                configuration, url: url, random: random, keys: providerKeys)
        }
        let connection = try await development?.connection(
            to: dialects, provider: provider, database: configuration.database, call: call(directory))
        let responder = try responder(
            dialects, url: url, accounts: accounts, tokens: tokens, directory: directory, store: store,
            connection: connection, provider: provider,
            metrics: metrics, readiness: readiness)
        let application = limits().application(
            responder: responder, host: configuration.host, port: configuration.port, metrics: metrics, logger: logger,
            onServerRunning: { [self] channel in
                // With port 0 the URL is known only now.
                if configuration.externalURL == nil { url.resolve(Self.url(of: channel, host: configuration.host)) }
                readiness.become(.ready)
                announce(url.text, connection)
            })

        let transports = OutboxTransports(
            mail: mail, texts: texts, webhooks: EventDelivery(configuration.hooks),
            syncs: WaitingSyncs(ports, links: SiteLinks(url)), revocations: UpstreamRevocations(ports),
            logouts: dialects.lazy.compactMap { $0 as? OpenIDProvider }.first.map { BackchannelLogout($0) },
            letters: HookedLetters(ports, links: SiteLinks(url)))
        // Without a mail server the outbox is where messages are read, so it keeps them.
        let outbox = DeliveryPolicy.Urgency.allCases.map { urgency in
            OutboxWorker(
                store: store, random: random, transports: transports, urgency: urgency, keepsBodies: mail == nil,
                logger: logger)
        }
        let duties = store.duties()
        var services: [any Service] = outbox.map { OutboxService(worker: $0, clock: clock.now) }
        services += [
            ChangeService(
                signals: store.changeSignals(every: ChangeService.interval), changes: accounts.changeFollower(),
                logger: logger),
            GrantCheckService(
                check: CheckGrants(ports, links: SiteLinks(url)), isOnDuty: { await duties.isOurs(.grantChecks) },
                clock: clock.now, logger: logger),
            ReaperService(
                isOnDuty: { await duties.isOurs(.upkeep) },
                deletions: DueDeletions(ports, links: SiteLinks(url)),
                recoveries: DueFactorRecoveries(ports, links: SiteLinks(url)), reaper: Reaper(store: store),
                store: store,
                clock: clock.now, logger: logger),
        ]
        if store.isShared {
            services.append(
                ClientCallService(
                    exchange: ClientCallExchange(limiter, store: store), clock: clock.now, logger: logger))
        }
        if configuration.metricsPort > 0 {
            services.append(
                MetricsEndpoint.application(
                    metrics, host: configuration.host, port: configuration.metricsPort, logger: logger))
        }
        let delay = Span.seconds(Int64(configuration.shutdownDelay ?? (development == nil ? 5 : 0)))
        services += [application, DrainService(readiness: readiness, delay: delay, logger: logger)]
        var group = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = .seconds(30) + .microseconds(delay.microseconds)
        do {
            try await ServiceGroup(configuration: group).run()
        } catch let error as IOError {
            throw CommandFailure("\(configuration.host):\(configuration.port): \(error)", .unavailable)
        }
        try store.close()
    }

    /// As many connections as are configured, and as the process can have descriptors for.
    private func limits() -> ServerLimits {
        var limits = ServerLimits()
        limits.connections = OpenFiles.connections(configuration.connections) { possible in
            logger.warning(
                "http.connections is more than this process may have files open: raise its limit (ulimit -n)",
                metadata: [
                    "configured": .stringConvertible(configuration.connections), "served": .stringConvertible(possible),
                ])
        }
        // Behind a proxy, as a container is, every connection is the proxy's: it has to tell clients apart. Otherwise no
        // client may have all.
        let most = configuration.connectionsPerClient
        limits.connectionsPerClient =
            most == 0 || configuration.trustedProxyHops > 0 || selfHosted != nil
            ? nil : min(most, max(1, limits.connections / 2))
        return limits
    }

    /// What sees to the store's secrets. In development mode there always is a master key: a file beside the database,
    /// made once, and only now that the store has opened without one: a new key is no help to a store that has lost its
    /// own.
    private func sealing(of store: any AccountDatabase) throws -> Sealing {
        let database = configuration.database
        if development != nil, case .none = try MasterKeySource.find(configuration, database: database) {
            try MasterKeySource.make(MasterKey.generate(random: random), at: database.masterKeyPath)
        }
        let source = try MasterKeySource.find(configuration, database: database)
        return Sealing(store: store, source: source, logger: logger)
    }

    /// A guard of a Directory that there is not guards nobody: who has misspelt its name is to see that.
    private func warnOfHooks(_ ports: AccountPorts) async throws {
        let known = Set(try await ports.store.read { try $0.directories().map(\.name) })
        for name in configuration.hooks.directories.subtracting(known).sorted() {
            logger.error(
                "hooks.file names a directory that there is not: nothing of it is asked or told",
                metadata: ["directory": .string(name)])
        }
    }

    private func prepareDirectory(_ ports: AccountPorts, _ keys: KeyRing) async throws -> Directory {
        let administration = DirectoryAdministration(ports)
        let now = clock.now()
        var settings = development == nil ? DirectorySettings() : DevelopmentMode.settings
        if let selfHosted { settings = selfHosted.settings }
        var directory = try await administration.ensure(settings: settings, at: now)
        // What the configuration says wins over what is stored; what it does not say stays.
        var wanted = selfHosted?.settings ?? directory.settings
        for change in configuration.directoryChanges { try change.setting.set(change.value, in: &wanted) }
        directory = try await administration.update(directory.id, settings: wanted, at: now)
        if let imported = selfHosted?.keys { try await keys.adopt(imported, into: directory, at: now) }
        if let development { try await development.makeDemoUser(ports, call: call(directory)) }
        return directory
    }

    /// What the program itself does with a Directory before it serves.
    private func call(_ directory: Directory) -> CallContext {
        CallContext(
            directory: directory, now: clock.now(), device: DeviceMetadata(), language: .en, links: NoLinks(),
            actor: .commandLine)
    }

    private func responder(
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
            middleware: RequestSetup(
                clock: clock.now, random: random, proxies: TrustedProxies(hops: configuration.trustedProxyHops),
                counting: selfHosted.map { .byHeader($0.addressHeaders) } ?? .byAddress()))
        router.add(middleware: AccessLog(clock: clock.now, metrics: metrics, log: requests))
        router.add(middleware: SecurityHeaders(isHTTPS: url.text.hasPrefix("https://")))
        if development != nil {
            router.add(
                middleware: LocalCallersOnly(DevelopmentMode.callers(of: configuration)) { authority, now in
                    try await Self.directory(ofHost: authority, at: now, dialects) != nil
                })
        }
        router.add(
            middleware:
                CrossOrigin(
                    origins: configuration.corsOrigins, exposed: dialects.flatMap(\.responseHeaders),
                    closed: ["/dev", "/account"] + dialects.flatMap(\.ownOrigins)))
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

    private static func directory(
        ofHost authority: String?, at now: Instant, _ dialects: [any Dialect]
    ) async throws -> Directory? {
        for dialect in dialects {
            if let directory = try await dialect.directory(ofHost: authority, at: now) { return directory }
        }
        return nil
    }

    private static func url(of channel: any Channel, host: String) -> String {
        let port = channel.localAddress?.port ?? 0
        let name = host == "0.0.0.0" || host == "::" ? "localhost" : host
        return "http://\(name.contains(":") ? "[\(name)]" : name):\(port)"
    }

    private func announce(_ url: String, _ connection: DevelopmentMode.Connection?) {
        logger.notice("ready", metadata: ["url": .string(url)])
        guard let development, let connection else { return }
        Output.announcement(development.greeting(url: url, connection))
    }
}
